/** Asks on the terminal before blocks stop. Where nobody can be asked the answer is no, with a sentence. */
import { createInterface } from 'node:readline/promises';
import type { Output } from './output.ts';
import type { Procedure, Step } from './step.ts';

export interface Confirmation {
  readonly output: Output;
  /** Ends the question. */
  readonly interrupts: { onFirst(listener: () => void): void };
  readonly procedure: Procedure;
  /** The first step that stops sequencing. */
  readonly step: Step;
}

/** Whether somebody typed y. */
export async function confirmOnTerminal({ output, interrupts, procedure, step }: Confirmation): Promise<boolean> {
  if (!output.canAsk) {
    output.complain(
      `"${step.title}" stops blocks for a moment and there is no terminal to ask on; give --yes to go on without being asked`,
    );
    return false;
  }
  const stopping = procedure.steps.filter(({ stopsSequencing }) => stopsSequencing).map(({ title }) => title);
  output.line(`  Blocks stop for a moment: ${stopping.join('; ')}.`);
  const question = createInterface({ input: process.stdin, output: process.stdout });
  const cancelled = new AbortController();
  interrupts.onFirst(() => cancelled.abort());
  // The terminal is gone, or somebody pressed Ctrl-D.
  question.on('close', () => cancelled.abort());
  question.on('SIGINT', () => process.emit('SIGINT'));
  try {
    const answer = await question.question('  Go on? [y/N] ', { signal: cancelled.signal });
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    return false;
  } finally {
    question.close();
  }
}
