/** The other members of a ConductorWorld's cluster, which grant and take everything, and say of themselves what a test has them say. */
import type { OutboundRequest } from '../ports.ts';
import { appendReply, ballot, configurationEntry, storeWith } from '../raft/testing/messages.ts';
import { Suffrage, type RpcResponse } from '../raft/types.ts';
import { blankPeerStatus, encodePeerStatus, type PeerStatus } from '../wire/peer-status.ts';
import { ConductorWorld } from './conductor-world.ts';

export type Told = Partial<PeerStatus>;

/** What each says of itself by id, to be changed as a test goes on. */
export type Peers = Map<string, Told>;

/** The leader `a` of a cluster with these peers, whose answers come at once from now on. */
export function leaderBeside(
  peers: Peers,
  options: Omit<NonNullable<ConstructorParameters<typeof ConductorWorld>[0]>, 'store'> = {},
): ConductorWorld {
  const ids = ['a', ...peers.keys()];
  const servers = ids.map((id, at) => ({ id, address: `127.0.0.1:${at + 1}`, suffrage: Suffrage.voter }));
  const world = new ConductorWorld({ ...options, store: storeWith([configurationEntry(1, 1, { servers })]) });
  world.respond = (message) => answerOf(message, peers.get(message.peerId) ?? {}, ids);
  world.run(3000);
  return world;
}

/** Who was asked to take over, in order: what leadership is handed over with is left unanswered. */
export function askedToLead({ sent }: ConductorWorld): string[] {
  return sent.filter(({ request }) => request.kind === 'timeoutNow').map(({ peerId }) => peerId);
}

function answerOf({ peerId, request }: OutboundRequest, told: Told, own: readonly string[]): RpcResponse | null {
  if (request.kind === 'vote' || request.kind === 'prevote') return ballot(peerId, request.kind, request.term, true);
  if (request.kind !== 'append') return null;
  const { term, prevLogIndex: lastLog } = request;
  const peerStatus = encodePeerStatus({ ...blankPeerStatus('test'), healthy: true, own, ...told });
  return appendReply(peerId, { term, success: true, lastLog, peerStatus });
}
