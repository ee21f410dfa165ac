/** The law of reads, as the log has it (rule 14; thesis §6.4). */
import type { Law } from './oracle.ts';

/** Whatever was known to be committed anywhere when a read began is applied where it is answered. */
export const readsSeeTheLog: Law = (broken) => {
  let known = 0;
  return {
    observed: (_, { commitIndex, hasFailed }) => {
      if (!hasFailed && commitIndex > known) known = commitIndex;
    },
    readBegins: (machine) => {
      const expected = known;
      machine.read(({ kind }) => {
        const applied = machine.conductor?.status().appliedIndex ?? 0;
        if (kind === 'done' && applied < expected)
          broken(`a read through ${machine.id} sees the log up to ${applied}, after ${expected} was committed`);
      });
    },
  };
};
