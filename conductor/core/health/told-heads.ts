/**
 * The heads that op-node told of last. While its derivation is being reset it tells of none: its status has zeros for every
 * L2 head, from the reset until the engine has confirmed it (op-node, status.go). That says nothing against the node, so
 * what it told of before holds meanwhile, and grows old like any other head.
 */
import { isUnset, readSyncHead, syncHeadOf, type CallResult } from '../node/calls.ts';

type Status = Readonly<Record<string, unknown>>;

export class ToldHeads {
  #last: Status | null = null;

  /** An answer of optimism_syncStatus; a node that fails to answer may be another process when it is back. */
  heard(answer: CallResult): void {
    if (answer.kind !== 'result') this.#last = null;
    else if (tellsOfHead(answer.value)) this.#last = answer.value as Status;
  }

  /** The answer with the heads that it lacks, as far as any were told. */
  complete(answer: CallResult): CallResult {
    const head = syncHeadOf(answer, 'unsafe_l2');
    if (answer.kind !== 'result' || head === null || !isUnset(head) || this.#last === null) return answer;
    const { unsafe_l2, safe_l2 } = this.#last;
    return { ...answer, value: { ...(answer.value as Status), unsafe_l2, safe_l2 } };
  }
}

function tellsOfHead(status: unknown): boolean {
  const head = readSyncHead(status, 'unsafe_l2');
  return head !== null && !isUnset(head);
}
