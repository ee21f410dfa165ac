/** Leadership transfer of hashicorp/raft: to the named voter or the one with the longest log, which is told to campaign. */
import type { Ended, Leading } from './go-leading.ts';
import { NOT_LEADER } from './go-propose.ts';
import type { GoState } from './go-state.ts';

/** `to` null for the library's choice. */
export function transfer(s: GoState, to: string | null, ended: Ended): void {
  const { leading } = s;
  if (leading === null) return ended(NOT_LEADER);
  if (leading.transfer !== null) return ended('leadership transfer in progress');
  const target = to ?? longest(s, leading);
  if (target === null) return ended('cannot find peer');
  if (target === s.options.id) return ended('cannot transfer leadership to itself');
  if (!leading.replicas.has(target)) return ended(`cannot find replication state for ${target}`);
  leading.transfer = { to: target, untilMs: s.nowMs + s.options.electionTimeoutMs, isTold: false, ended };
}

/** Tells the target to campaign once everything has been sent to it and taken. */
export function tellTarget(s: GoState, leading: Leading): void {
  const { transfer: under } = leading;
  const replica = leading.replicas.get(under?.to ?? '');
  if (under === null || under.isTold || replica === undefined || replica.next <= s.log.lastIndex) return;
  under.isTold = true;
  s.ask(replica.peer, 'vote', { ...s.header, kind: 'timeoutNow' }, s.options.requestTimeoutMs, (response) => {
    if (s.leading?.transfer !== under) return;
    if (response?.kind === 'timeoutNow') under.untilMs = s.nowMs + s.options.electionTimeoutMs;
    else {
      s.leading.transfer = null;
      under.ended('failed to make TimeoutNow RPC');
    }
  });
}

function longest(s: GoState, { replicas }: Leading): string | null {
  let best: string | null = null;
  let next = 0;
  for (const { peer, next: held } of replicas.values()) {
    if (!s.isVoter(peer.id) || held <= next) continue;
    best = peer.id;
    next = held;
  }
  return best;
}
