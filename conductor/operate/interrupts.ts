/** Ctrl-C and SIGTERM while a procedure runs: counted and answered in words, so that no step is left half done. */
import type { Output } from './output.ts';
import type { Interrupts } from './procedure.ts';

const answers = [
  'the step in progress is being finished; once more to take it back where that is possible',
  'the step in progress is being taken back',
];

/** Counts from now on until `close`; `isBusy` tells whether a step is in progress. */
export function listenForInterrupts(
  output: Output,
  isBusy: () => boolean,
): Interrupts & { onFirst(listener: () => void): void; close(): void } {
  let count = 0;
  let first: () => void = () => undefined;
  const interrupt = (): void => {
    const answer = isBusy() && !output.isAsking ? `: ${answers[Math.min(count, answers.length - 1)]}` : '';
    count += 1;
    if (count === 1) first();
    output.complain(`\ninterrupted${answer}`);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return {
    get count() {
      return count;
    },
    onFirst: (listener) => void (first = listener),
    close: () => {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
