/** The run that an address names, where it can be shown in a page; a sentence for the reader where it cannot. */
import { EVENT_LIMITS, runFromText, RunTextError, type Run } from '#simulator/run-value';
import type { Moment } from './link.ts';

/** What cannot be shown, or done; the message is a sentence. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Throws RefusedError for a string that is no run, and for a moment that is later than `lastsMsMax`. */
export function runOf({ run: text, afterMs }: Moment, lastsMsMax: number): Run {
  const run = readRun(text);
  if (run.configuration.opConductors !== 0 || run.events.some(({ kind }) => kind === 'forgottenTail'))
    throw new RefusedError(
      `This run has op-conductors, or what is only seen beside them, which no page brings. npm run sim -- replay '${text}' tells it.`,
    );
  if (Number.isNaN(afterMs)) throw new RefusedError('This link names no moment: `after` is a number of milliseconds.');
  const lastsMs = run.events.reduce((sum, event) => sum + event.afterMs, 0) + afterMs;
  if (lastsMs > lastsMsMax || afterMs > EVENT_LIMITS.afterMs)
    throw new RefusedError(`This run goes on for too long to be shown here. npm run sim -- replay '${text}' tells it.`);
  return run;
}

function readRun(text: string): Run {
  try {
    return runFromText(text);
  } catch (error) {
    if (!(error instanceof RunTextError)) throw error;
    throw new RefusedError(`This link names no run that can be replayed: ${error.message}.`);
  }
}
