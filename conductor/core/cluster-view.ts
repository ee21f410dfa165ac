/**
 * What the control loop sees of the cluster and of the payload chain: the peers with what they say of themselves and
 * who led lately (rule 18), and the committed chain by height (rule 20).
 */
import type { BlockRef } from './node/calls.ts';
import type { ChainView, WholeChainView } from './node/chain-view.ts';
import { contactAgeMaxMs, type Peer, type KnownStatus } from './control/target.ts';
import { bitsOfKinds, kindsOfBits } from './evidence/observation.ts';
import { isAgainst } from './evidence/proof.ts';
import type { Envelope } from './payload/envelope.ts';
import { envelopeText } from './payload/envelope-text.ts';
import { prefixedHex } from './payload/hex.ts';
import { SszError } from './payload/ssz-check.ts';
import { decodeSsz } from './payload/ssz.ts';
import type { ChainBlock } from './payload/chain-block.ts';
import type { UnsafeChain } from './payload/unsafe-chain.ts';
import { quorumSize, votersOf } from './raft/quorum.ts';
import type { ReceivedStatus } from './raft/progress.ts';
import type { PeerReport, RaftStatus } from './raft/status.ts';
import { Suffrage } from './raft/types.ts';

const leavingBits = bitsOfKinds(['l1', 'left']);

/** Remembers who ceased to lead, and when. */
export class PeerMemory {
  #leaderId: string | null = null;
  readonly #ceasedAtMs = new Map<string, number>();
  /** Whether the head that each peer last told of was rolled back, as long as head and tip are those of `key`. */
  readonly #rolledBack = new Map<string, { readonly key: string; readonly is: boolean }>();

  /** The leader as it is known now; null for none. */
  leaderIs(leaderId: string | null, nowMs: number): void {
    if (leaderId === null || leaderId === this.#leaderId) return;
    if (this.#leaderId !== null) this.#ceasedAtMs.set(this.#leaderId, nowMs);
    this.#ceasedAtMs.delete(leaderId);
    this.#leaderId = leaderId;
  }

  /**
   * All members but ourselves. `headHash`: the first block committed at the tip's height, which is the head of an
   * op-conductor's state; where another has taken its place, none may lead before the next height is committed (rule 6).
   */
  peersOf(
    status: RaftStatus,
    tipHash: string | null,
    headHash: string | null = tipHash,
    hasGivenUp: (head: BlockRef) => boolean = () => false,
  ): Peer[] {
    const { servers } = status.configuration.configuration;
    const members = new Set(servers.map((server) => server.id));
    for (const map of [this.#ceasedAtMs, this.#rolledBack])
      for (const id of map.keys()) if (!members.has(id)) map.delete(id);
    return servers
      .filter((server) => server.id !== status.id)
      .map((server) => {
        const peer = status.peers.find((one) => one.id === server.id);
        const known = knownOf(peer);
        return {
          id: server.id,
          isVoter: server.suffrage === Suffrage.voter,
          isNative: peer?.isNative ?? false,
          isForeign: peer?.isForeign ?? false,
          isInContact: peer !== undefined && peer.contactAgeMs <= contactAgeMaxMs,
          known,
          holdsLog: peer === undefined ? null : peer.match >= status.commitIndex,
          needsSnapshot: peer !== undefined && peer.match + 1 < status.firstIndex,
          isAgainstTip:
            (peer?.isForeign === true && headHash !== tipHash) ||
            (known?.observations.some((one) => one.hash === tipHash && isAgainst(one)) ?? false),
          isNonCanonical: this.#isRolledBack(server.id, known, tipHash, hasGivenUp),
          ceasedLeadingAtMs: this.#ceasedAtMs.get(server.id) ?? null,
        };
      });
  }

  /** Looked for once per head and tip: the chain is walked down for it. Nobody asks it of one that cannot lead. */
  #isRolledBack(
    id: string,
    known: KnownStatus | null,
    tipHash: string | null,
    hasGivenUp: (head: BlockRef) => boolean,
  ): boolean {
    if (known === null || known.headHash === null || known.isPaused || known.isHealthy === false) return false;
    const key = `${known.headHash} ${tipHash}`;
    const before = this.#rolledBack.get(id);
    if (before?.key === key) return before.is;
    const is = hasGivenUp({ number: known.headNumber, hash: known.headHash });
    this.#rolledBack.set(id, { key, is });
    return is;
  }
}

/**
 * Whether the other voters that have answered what was sent in the last `ageMaxMs`, and do not end, are a majority without
 * this server; never where it is the only voter.
 */
export function isMajorityWithoutUs({ id, configuration, peers }: RaftStatus, ageMaxMs: number): boolean {
  const voters = votersOf(configuration.configuration);
  const answers = ({ contactAgeMs, hasFailedHeartbeats, peerStatus }: PeerReport): boolean =>
    contactAgeMs <= ageMaxMs && !hasFailedHeartbeats && peerStatus?.ends !== true;
  const answering = peers.filter((peer) => peer.id !== id && voters.includes(peer.id) && answers(peer));
  return answering.length >= quorumSize(voters.length);
}

/** Words that come late count where they say that it could not lead, as long as it is in contact, and else for nothing. */
function wordOf({ peerStatus, lastSaid }: PeerReport): PeerReport['peerStatus'] {
  if (peerStatus !== null || lastSaid === null || lastSaid.ageMs > contactAgeMaxMs) return peerStatus;
  return lastSaid.peerStatus.paused || lastSaid.peerStatus.healthy === false ? lastSaid.peerStatus : null;
}

function knownOf(peer: PeerReport | undefined): KnownStatus | null {
  const peerStatus = peer === undefined ? null : wordOf(peer);
  if (peerStatus === null) return null;
  return {
    isHealthy: peerStatus.healthy,
    isPaused: peerStatus.paused,
    isBuilding: peerStatus.builds,
    headNumber: BigInt(peerStatus.unsafeNumber ?? 0),
    headHash: peerStatus.unsafeHash === null ? null : prefixedHex(peerStatus.unsafeHash),
    safeNumber: peerStatus.safeNumber === null ? null : BigInt(peerStatus.safeNumber),
    l1Number: peerStatus.l1Number === null ? null : BigInt(peerStatus.l1Number),
    observations: peerStatus.observations.map(({ number, hash, kinds }) => ({
      number: BigInt(number),
      hash: prefixedHex(hash),
      kinds: kindsOfBits(kinds),
    })),
  };
}

/** The lowest block of which a leader says that its node has left it, in words that are not older than `sinceMs`; null for none. */
export function leftByLeader(received: ReceivedStatus | null, sinceMs: number): BlockRef | null {
  if (received === null || received.atMs < sinceMs) return null;
  let lowest: BlockRef | null = null;
  for (const { number, hash, kinds } of received.peerStatus.observations) {
    if ((kinds & leavingBits) === 0 || (lowest !== null && lowest.number <= number)) continue;
    lowest = { number: BigInt(number), hash: prefixedHex(hash) };
  }
  return lowest;
}

/**
 * Whether this server is one of the voters, first by id, that are a majority with the leader: those follow it where it may
 * be wrong, and the others stay as they are.
 */
export function isAmongFirstFollowers({ id, leaderId, configuration }: RaftStatus): boolean {
  const voters = votersOf(configuration.configuration);
  const followers = voters.filter((voter) => voter !== leaderId).toSorted();
  return followers.slice(0, quorumSize(voters.length) - 1).includes(id);
}

/** The committed chain of the state machine, payloads read and written as JSON on demand. */
export function chainView(chain: UnsafeChain): WholeChainView {
  const view = viewOf(chain, { tip: () => chain.tip(), payloadAt: (number) => chain.payloadAt(number) });
  return {
    ...view,
    holdsFrom: (number) => chain.holdsFrom(number),
    hasGivenUp: ({ number, hash }) => chain.hasGivenUp(number, hash),
  };
}

/** The chain that this server's log ends in, with what is not committed yet. */
export function logEndView(chain: UnsafeChain): ChainView {
  return viewOf(chain, { tip: () => chain.pendingTip(), payloadAt: (number) => chain.pendingPayloadAt(number) });
}

function viewOf(
  chain: UnsafeChain,
  { tip, payloadAt }: { tip(): ChainBlock | null; payloadAt(number: bigint): ChainBlock | null },
): ChainView {
  const sized = (block: ChainBlock | null) => (block === null ? null : { ...block, sizeBytes: block.size });
  const envelope = (number: bigint): Envelope | null => {
    const block = payloadAt(number);
    const ssz = block === null ? null : chain.payloadOf(block);
    const decoded = ssz === null ? null : decodeSsz(ssz);
    return decoded === null || decoded instanceof SszError ? null : decoded.envelope;
  };
  return {
    head: () => tip(),
    at: (number) => sized(payloadAt(number)),
    envelope,
    envelopeJson: (number) => {
      const held = envelope(number);
      return held === null ? null : envelopeText(held);
    },
  };
}
