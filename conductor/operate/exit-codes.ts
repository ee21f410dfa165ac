/** Exit codes of the operators' commands, the same for all. */
import { exitUsage } from '#conductor/cli/exit-usage';
import type { OutcomeKind } from './procedure.ts';

export const exitCodes = { done: 0, failed: 1, usage: exitUsage, refused: 3, deadline: 4, interrupted: 130 } as const;

/** For --help. */
export const exitCodesHelp =
  'Exit codes: 0 done, 1 failed, 2 wrong usage, 3 refused by a check or not\nconfirmed, 4 deadline passed, 130 interrupted.';

export function exitCodeOf(kind: OutcomeKind): number {
  if (kind === 'planned') return exitCodes.done;
  return exitCodes[kind === 'declined' ? 'refused' : kind];
}
