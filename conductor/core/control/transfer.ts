/** Handing leadership over, as a procedure of the control loop. */
import type { Steps } from '../node/effects.ts';

/** What came of it; `message` says why not. */
export interface TransferOutcome {
  readonly isDone: boolean;
  readonly message: string;
  /** Who took it, or did not; undefined where it was offered to nobody. */
  readonly server?: string | undefined;
}

/** To `target`, or to the voter whose log goes furthest but for `exclude` where that is null. */
export function* transfer(target: string | null, exclude: readonly string[]): Steps<TransferOutcome> {
  const answer = yield { kind: 'transfer', target, exclude };
  return answer.kind === 'transfer' ? answer : { isDone: false, message: 'the transfer was cancelled' };
}
