/**
 * A RaftNode that looks to its peers like hashicorp's and leads like it, where that matters to them (wire reference §8):
 * it neither sends nor answers peer status, tells of all that it has committed whatever its request verifies, and never
 * lowers what it counts as held by a follower, also when that has lost its disk.
 */
import type { OutboundRequest } from '../../ports.ts';
import { advanceCommit } from '../commit.ts';
import type { RaftEvent, Ready } from '../events.ts';
import { isHeartbeat } from '../follower.ts';
import { RaftNode } from '../node.ts';
import type { RaftState } from '../state.ts';

export class GoLikeNode extends RaftNode {
  /** Highest match of each follower since this server leads. */
  readonly #matches = new Map<string, number>();

  override handle(event: RaftEvent, nowMs: number): void {
    super.handle(withoutStatus(event), nowMs);
    this.#commitByMatches();
  }

  override ready(): Ready | null {
    this.#commitByMatches();
    const ready = super.ready();
    if (!ready) return null;
    const { sendFirst, send, replies } = ready;
    return {
      ...ready,
      sendFirst: sendFirst.map((message) => this.#asGos(message)),
      send: send.map((message) => this.#asGos(message)),
      replies: replies.map(({ inboundId, response }) => {
        const { peerStatus: _, ...plain } = response as typeof response & { peerStatus?: Uint8Array };
        return { inboundId, response: plain };
      }),
    };
  }

  #commitByMatches(): void {
    const s = this.state as RaftState;
    if (!s.leadership) return this.#matches.clear();
    const lowered: (() => void)[] = [];
    for (const peer of s.leadership.peers.values()) {
      const { match } = peer;
      const highest = Math.max(match, this.#matches.get(peer.id) ?? 0);
      this.#matches.set(peer.id, highest);
      peer.match = highest;
      lowered.push(() => (peer.match = match));
    }
    advanceCommit(s);
    for (const lower of lowered) lower();
  }

  #asGos(message: OutboundRequest): OutboundRequest {
    const { request } = message;
    if (request.kind !== 'append') return message;
    const { peerStatus: _, ...plain } = request;
    return { ...message, request: isHeartbeat(request) ? plain : { ...plain, leaderCommit: this.state.commitIndex } };
  }
}

function withoutStatus(event: RaftEvent): RaftEvent {
  // Go skips the key that asks for the members, and does not answer it.
  if (event.kind === 'request' && event.request.kind === 'prevote') {
    const { configuration: _, ...request } = event.request;
    return { ...event, request };
  }
  if (event.kind === 'request' && event.request.kind === 'append') {
    const { peerStatus: _, ...request } = event.request;
    return { ...event, request };
  }
  if (event.kind === 'response' && event.response.kind === 'append') {
    const { peerStatus: _, ...response } = event.response;
    return { ...event, response };
  }
  return event;
}
