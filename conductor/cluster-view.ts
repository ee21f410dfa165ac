/**
 * What the control loop sees of the cluster and of the payload chain: the peers with their hints and
 * who led lately (rule 18), and the committed chain by height (rule 20).
 */
import type { ChainView } from './control/chain-view.ts';
import type { Peer, PeerHint } from './control/target.ts';
import type { Envelope } from './payload/envelope.ts';
import { envelopeText } from './payload/envelope-text.ts';
import { prefixedHex } from './payload/hex.ts';
import { SszError } from './payload/ssz-check.ts';
import { decodeSsz } from './payload/ssz.ts';
import type { ChainBlock } from './payload/chain-block.ts';
import type { UnsafeChain } from './payload/unsafe-chain.ts';
import type { PeerStatus, RaftStatus } from './raft/status.ts';
import { Suffrage } from './raft/types.ts';

/** A peer that has not answered for longer is not handed leadership. */
const contactAgeMaxMs = 1500;

/** Remembers who ceased to lead, and when. */
export class PeerMemory {
  #leaderId: string | null = null;
  readonly #ceasedAtMs = new Map<string, number>();

  /** The leader as it is known now; null for none. */
  leaderIs(leaderId: string | null, nowMs: number): void {
    if (leaderId === null || leaderId === this.#leaderId) return;
    if (this.#leaderId !== null) this.#ceasedAtMs.set(this.#leaderId, nowMs);
    this.#ceasedAtMs.delete(leaderId);
    this.#leaderId = leaderId;
  }

  /** All members but ourselves. */
  peersOf(status: RaftStatus): Peer[] {
    const { servers } = status.configuration.configuration;
    const members = new Set(servers.map((server) => server.id));
    for (const id of this.#ceasedAtMs.keys()) if (!members.has(id)) this.#ceasedAtMs.delete(id);
    return servers
      .filter((server) => server.id !== status.id)
      .map((server) => {
        const peer = status.peers.find((one) => one.id === server.id);
        return {
          id: server.id,
          isVoter: server.suffrage === Suffrage.voter,
          isOwn: peer?.isOwn ?? false,
          isInContact: peer !== undefined && peer.contactAgeMs <= contactAgeMaxMs,
          hint: hintOf(peer),
          ceasedLeadingAtMs: this.#ceasedAtMs.get(server.id) ?? null,
        };
      });
  }
}

function hintOf(peer: PeerStatus | undefined): PeerHint | null {
  const hints = peer?.hints ?? null;
  if (hints === null) return null;
  return {
    isHealthy: hints.healthy,
    isPaused: hints.paused,
    headNumber: BigInt(hints.unsafeNumber ?? 0),
    headHash: hints.unsafeHash === null ? null : prefixedHex(hints.unsafeHash),
  };
}

/** The committed chain of the state machine, payloads read and written as JSON on demand. */
export function chainView(chain: UnsafeChain): ChainView {
  const sized = (block: ChainBlock | null) => (block === null ? null : { ...block, sizeBytes: block.size });
  const envelope = (number: bigint): Envelope | null => {
    const block = chain.payloadAt(number);
    const ssz = block === null ? null : chain.payloadOf(block);
    const decoded = ssz === null ? null : decodeSsz(ssz);
    return decoded === null || decoded instanceof SszError ? null : decoded.envelope;
  };
  return {
    head: () => chain.tip(),
    at: (number) => sized(chain.payloadAt(number)),
    envelope,
    envelopeJson: (number) => {
      const held = envelope(number);
      return held === null ? null : envelopeText(held);
    },
  };
}
