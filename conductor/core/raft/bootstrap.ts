/**
 * The first configuration of a new cluster, written as hashicorp/raft writes it: entry 1 of term 1.
 */
import { assert } from '../assert.ts';
import { encodeConfiguration } from '../wire/configuration.ts';
import { ZERO_GO_TIME } from '../wire/go-time.ts';
import { appendEntries } from './append.ts';
import { mayCampaign } from './election.ts';
import { tooLong } from './membership.ts';
import type { RaftCommand } from './events.ts';
import type { RaftState } from './state.ts';
import { EntryType, Suffrage } from './types.ts';

/** Writes the first configuration. Only a server that names itself alone can be sure to break no earlier promise (rule 9). */
export function bootstrap(s: RaftState, command: Extract<RaftCommand, { kind: 'bootstrap' }>): void {
  const { requestId, servers } = command;
  if (s.hasFailed) return s.refuse(requestId, 'failed', 'the store of this node has failed; it is shutting down');
  if (s.term > 0 || s.log.lastIndex > 0) {
    return s.refuse(
      requestId,
      'already-bootstrapped',
      'bootstrap only works on new clusters: this store already belongs to one',
    );
  }
  const isSelf =
    servers.length === 1 &&
    servers[0]!.id === s.options.id &&
    servers[0]!.address === s.options.address &&
    servers[0]!.suffrage === Suffrage.voter;
  if (!isSelf)
    return s.refuse(
      requestId,
      'invalid',
      'a cluster is bootstrapped with one voter, this server; add the others to it',
    );
  const problem = tooLong('id', s.options.id) ?? tooLong('address', s.options.address);
  if (problem !== null) return s.refuse(requestId, 'invalid', problem);
  s.setHard({ term: 1, recovering: false });
  // Whom it might have asked for its term it need not ask any more.
  s.recovery = null;
  const data = encodeConfiguration({ servers });
  appendEntries(s, [
    { index: 1, term: 1, type: EntryType.configuration, data, extensions: null, appendedAt: ZERO_GO_TIME },
  ]);
  s.electionAtMs = s.nowMs;
  s.outbox.results.push({ kind: 'done', requestId, index: 1, term: 1, value: null });
  assert(mayCampaign(s), 'a bootstrapped server may campaign');
}
