/**
 * What can change nothing, now or later, happens at once and is no step of its own: answers that nobody waits for any
 * more, questions of rounds that are over, and what comes late from a term that its receiver has left behind.
 */
import { linkAt, peerOf, SERVERS, type Cluster, type ClusterState } from './cluster.ts';
import { laneNumber, lanes, type Input, type Lane } from './input.ts';

/** One way from a server to a peer. */
interface Place {
  readonly server: number;
  readonly peer: number;
  readonly lane: Lane;
}

/** The state when nothing of the kind is left. */
export function settle(cluster: Cluster, state: ClusterState): ClusterState {
  if (!cluster.scope.isSettled) return state;
  let next = state;
  for (let server = 0; server < SERVERS; server++) {
    for (const peer of [1, 2]) {
      next = forgetLate(cluster, next, server, peer);
      for (const lane of lanes) {
        const place = { server, peer, lane };
        for (let later = settleOne(cluster, next, place); later !== null; later = settleOne(cluster, next, place))
          next = later;
      }
    }
  }
  return next;
}

/** Nobody hears the answers to late requests: those that change nothing are forgotten. */
function forgetLate(cluster: Cluster, state: ClusterState, server: number, peer: number): ClusterState {
  const { links } = cluster;
  const at = linkAt(server, peer);
  if (links.get(state[at]!).orphans.length === 0) return state;
  const receiver = state[peerOf(server, peer)]!;
  return state.with(
    at,
    links.dropOrphans(state[at]!, (message) => isSpent(cluster, receiver, SERVERS - peer, message) !== false),
  );
}

/** One request whose answer decides nothing is done with; null where there is none. */
function settleOne(cluster: Cluster, state: ClusterState, place: Place): ClusterState | null {
  const { links, locals } = cluster;
  const { server, peer, lane } = place;
  const waiting = locals.get(state[server]!).waiting[laneNumber(peer, lane)]!;
  const [oldest] = waiting;
  if (oldest === undefined || oldest === 'open') return null;
  const at = linkAt(server, peer);
  const { responses, requests, isDead } = links.get(state[at]!)[lane];
  const [message] = responses;
  if (message !== undefined) {
    if (oldest === 'old' && isNews(cluster, state[server]!, message)) return null;
    const next = take(cluster, state, server, { kind: 'response', from: peer, lane, message });
    return next?.with(at, links.answer(state[at]!, lane)) ?? null;
  }
  if (isDead) {
    if (waiting.includes('open')) return null;
    const next = take(cluster, state, server, { kind: 'failed', from: peer, lane });
    return next?.with(at, links.break(state[at]!, lane)) ?? null;
  }
  const [request] = requests;
  // In the last term there are no later ones to hear of.
  const isNewsPossible = oldest === 'old' && locals.get(state[server]!).term < cluster.scope.termMax;
  return request === undefined || isNewsPossible ? null : deliverSpent(cluster, state, place, request);
}

/** A request whose answer decides nothing arrives, if it changes nothing where it does. */
function deliverSpent(
  cluster: Cluster,
  state: ClusterState,
  { server, peer, lane }: Place,
  message: number,
): ClusterState | null {
  const to = peerOf(server, peer);
  const reply = isSpent(cluster, state[to]!, SERVERS - peer, message);
  if (reply === false) return null;
  const at = linkAt(server, peer);
  return state.with(at, cluster.links.deliver(state[at]!, lane, reply));
}

/** The answer to a request (null for none) that changes nothing in a server, now or later; false for one that may. */
function isSpent({ locals }: Cluster, local: number, from: number, message: number): number | null | false {
  const request = locals.messages.get(message);
  const isStale = 'term' in request && request.term < locals.get(local).term;
  // A pre-vote is only a question.
  if (request.kind !== 'prevote' && !isStale) return false;
  const lane = request.kind === 'append' ? 'replicate' : 'vote';
  const { whole } = locals.take(local, { kind: 'request', from, lane, message });
  return whole.kind === 'state' && whole.next === local ? whole.reply : false;
}

function isNews({ locals }: Cluster, local: number, number: number): boolean {
  const message = locals.messages.get(number);
  return 'term' in message && message.term > locals.get(local).term;
}

/** Lets an input happen if all it does is to end some waiting; null otherwise. */
function take({ locals }: Cluster, state: ClusterState, server: number, input: Input): ClusterState | null {
  const { whole } = locals.take(state[server]!, input);
  if (whole.kind === 'broken' || whole.sent.length > 0) return null;
  const before = locals.get(state[server]!);
  const after = locals.get(whole.next);
  const isSame =
    before.role === after.role &&
    before.term === after.term &&
    before.commitIndex === after.commitIndex &&
    before.log.join() === after.log.join();
  return isSame ? state.with(server, whole.next) : null;
}
