/**
 * What is known of how the voters' nodes take the committed chain: the own one is watched, the others are heard of in
 * peer status. It answers two questions: may a block be given up, and has our own node something against it.
 */
import type { BlockRef } from '../node/calls.ts';
import type { Envelope } from '../payload/envelope.ts';
import type { Observation, ObservationKind } from './observation.ts';
import { permitted, type RollbackPolicy } from './permitted.ts';
import { NodeObserver, type ObserverHost, type OwnWord } from './observer.ts';
import {
  isLeftBy,
  isLeftByAny,
  proofAgainst,
  proofKinds,
  type Proof,
  type ProofKind,
  type VoterWord,
} from './proof.ts';

/** What is heard of a peer, as far as evidence goes. */
export interface HeardPeer {
  readonly id: string;
  readonly isVoter: boolean;
  /** Known to be this implementation, or known not to be; neither while it is not known. */
  readonly isNative: boolean;
  readonly isForeign?: boolean;
  /** null while it says nothing, or nothing new. */
  readonly known: { readonly safeNumber: bigint | null; readonly observations: readonly Observation[] } | null;
}

export interface EvidenceHost extends Omit<ObserverHost, 'isLeftByPeer'> {
  readonly selfId: string;
  readonly rollback: RollbackPolicy;
  /** Whether this server is a voter. */
  isVoter(): boolean;
  /** All members but ourselves; what they say reaches the leader alone. */
  peers(): readonly HeardPeer[];
}

/** What our own node has against a block. */
export interface Refusal {
  /** For log lines. */
  readonly reason: string;
  /** `notTaken`: it was given the block and has none; it may have lost it, and is worth another try. */
  readonly kind: ProofKind | 'operator';
}

/** What each kind means for a node that is to take the block, for log lines. */
const refusals: Readonly<Record<ProofKind, string>> = {
  l1: 'its safe chain has another block there',
  left: 'it has left the block: its origin is gone',
  invalid: 'refused by the client',
  notTaken: 'given, and not taken by the client',
};

export class Evidence {
  readonly #host: EvidenceHost;
  readonly #observer: NodeObserver;

  constructor(blockTimeMs: number, host: EvidenceHost) {
    this.#host = host;
    const isLeftByPeer = (block: BlockRef): boolean =>
      host.peers().some((peer) => peer.isVoter && isLeftBy(wordOf(peer), block, host.chain));
    this.#observer = new NodeObserver(blockTimeMs, { ...host, isLeftByPeer });
  }

  /** What our own node shows, for the peers. */
  get word(): OwnWord {
    return this.#observer.word;
  }

  /** Whether a committed block, and all above it, may be given up; to be asked of the leader. */
  proofAgainst(block: BlockRef): Proof {
    const { chain, rollback } = this.#host;
    const peers = this.#host.peers();
    const proof = proofAgainst(block, {
      chain,
      voters: this.#voters(),
      members: peers.every((peer) => peer.isNative)
        ? 'native'
        : peers.every((peer) => peer.isNative || peer.isForeign === true)
          ? 'mixed'
          : 'unknown',
    });
    return permitted(block, proof, rollback);
  }

  /** Whether some voter's node has left the block, or has another one there on its safe chain. */
  isLeft(block: BlockRef): boolean {
    return isLeftByAny(this.#voters(), block, this.#host.chain);
  }

  /** Our own node has left committed blocks because L1 took their origin, as far as it shows now. */
  get hasLeft(): boolean {
    return this.word.observations.some(({ kinds }) => kinds.includes('left') || kinds.includes('l1'));
  }

  /** What our own node has against a block; null for nothing that is known. */
  refusal(block: BlockRef): Refusal | null {
    const { observations } = this.word;
    const kind = proofKinds.find((one) => shows(observations, block, one));
    return kind === undefined ? null : { reason: refusals[kind], kind };
  }

  /** The own op-node's driver loop does not turn, as last seen. */
  get isHeldUp(): boolean {
    return this.word.isHeldUp;
  }

  /** Our own client executes nothing that follows its head before it has synced or was restarted. */
  get needsSync(): boolean {
    return this.word.needsSync;
  }

  /** It is being made to forget blocks that it cannot use. */
  get isForgetting(): boolean {
    return this.#observer.isForgetting;
  }

  /** It has lost its head, and is being brought to the tip, on which op-node stands. */
  get isRefilling(): boolean {
    return this.#observer.isRefilling;
  }

  /** As a block of the own sequencer shows, which was not committed: it is asked about it until it takes it, or stands elsewhere. */
  clientIsUnable(envelope: Envelope): void {
    this.#observer.clientIsUnable(envelope);
  }

  /** Has the own node looked at, and tells when the last look that has ended began. */
  lookNow(): void {
    this.#observer.lookNow();
  }

  get lookedAtMs(): number {
    return this.#observer.lookedAtMs;
  }

  /** The own sequencer builds nothing on the tip, though all answer (rule 31). */
  headStands(): void {
    this.#observer.headStands();
  }

  /** To be called after anything may have been committed. */
  review(): void {
    this.#observer.review();
  }

  tick(): void {
    this.#observer.tick();
  }

  nextDeadlineMs(): number {
    return this.#observer.nextDeadlineMs();
  }

  #voters(): VoterWord[] {
    const own: VoterWord = { id: this.#host.selfId, isNative: true, isHeard: true, ...this.word };
    const others = this.#host
      .peers()
      .filter((peer) => peer.isVoter)
      .map(wordOf);
    return this.#host.isVoter() ? [own, ...others] : others;
  }
}

function wordOf({ id, isNative, known }: HeardPeer): VoterWord {
  return {
    id,
    isNative,
    isHeard: known !== null,
    safeNumber: known?.safeNumber ?? null,
    observations: known?.observations ?? [],
  };
}

function shows(observations: readonly Observation[], { hash }: BlockRef, kind: ObservationKind): boolean {
  return observations.some((one) => one.hash === hash && one.kinds.includes(kind));
}
