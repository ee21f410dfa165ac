/** To whom leadership may go from here, by what is known of the others and of the attempts made so far (rule 18). */
import type { ControlHost, ControlOptions, Standing } from './control-host.ts';
import { FailedTransfers } from './failed-transfers.ts';
import { isOffLog } from './rollback.ts';
import { chooseBetter } from './standing-head.ts';
import type { StartFailures } from './start-failures.ts';
import {
  chooseAmong,
  chooseFresher,
  chooseTarget,
  chooseWhilePaused,
  isNotDoubtful,
  type Peer,
  type TargetOptions,
  type TransferChoice,
} from './target.ts';

/** What kept a peer from leading may be over by then, milliseconds. */
const leftAloneMaxMs = 10_000;

type SuccessorsHost = Pick<ControlHost, 'nowMs' | 'peers' | 'chain' | 'refusal' | 'proofAgainst'>;

/** How this leader stands. */
export interface LeaderState {
  /** null: the own sequencer goes on, as far as is known. */
  readonly standing: Standing | null;
  /** Height of the own head, where nothing is wrong but its age and no start has failed. */
  readonly staleAt: bigint | null | undefined;
  /** Something is wrong, and blocks come all the same. */
  readonly stillBuilds: boolean;
}

export class Successors {
  readonly #host: SuccessorsHost;
  readonly #startFailures: StartFailures;
  readonly #failedTransfers: FailedTransfers;
  /** Where it is not known of anybody whether it could build, and nothing is built here. */
  readonly #options: TargetOptions;
  readonly #unsafeIntervalMs: number;

  constructor(options: ControlOptions, host: SuccessorsHost, startFailures: StartFailures) {
    const { selfId, isRoundRobin, unsafeIntervalMs } = options;
    this.#host = host;
    this.#startFailures = startFailures;
    this.#options = { selfId, isRoundRobin, leftAloneMs: Math.min(unsafeIntervalMs, leftAloneMaxMs) };
    this.#unsafeIntervalMs = unsafeIntervalMs;
    this.#failedTransfers = new FailedTransfers(this.#options.leftAloneMs);
  }

  /** Leadership was offered to this server, which did not take it. */
  didNotTake(id: string): void {
    this.#failedTransfers.failed(id, this.#host.nowMs());
  }

  /** A choice among the candidates, those last that did not take the lead just now. */
  choose(by: (peers: readonly Peer[], options: TargetOptions, nowMs: number) => TransferChoice): TransferChoice {
    const nowMs = this.#host.nowMs();
    return this.#failedTransfers.putLast(this.#candidates, nowMs, (peers) => by(peers, this.#options, nowMs));
  }

  /** That of a leader whose own node is not as it should be. */
  choice({ standing, staleAt, stillBuilds }: LeaderState): TransferChoice {
    // Who lost leadership gets it back sooner where nobody builds.
    const leftAloneMs = stillBuilds ? this.#unsafeIntervalMs : this.#options.leftAloneMs;
    const mayBe = stillBuilds ? isNotDoubtful : () => true;
    return this.choose((peers, its, nowMs) => {
      const options = { ...its, leftAloneMs };
      if (standing?.kind === 'own') return chooseBetter(peers, standing, options, nowMs);
      if (typeof staleAt === 'bigint') return chooseFresher(peers, staleAt, options, nowMs);
      return chooseAmong(peers, mayBe, (some) => chooseTarget(some, options, nowMs));
    });
  }

  /** That of a paused leader that nobody asked to lead. */
  choiceWhilePaused(): TransferChoice {
    return this.choose(chooseWhilePaused);
  }

  /**
   * Peers as leadership may be given to them. A tip that the own node refuses as well, or that is proved to be given up, is
   * no reason to keep it: another server builds another block in its place (rule 6). An op-conductor still needs the one
   * that its state has.
   */
  get #candidates(): readonly Peer[] {
    const host = this.#host;
    const failures = this.#startFailures;
    const tip = host.chain.head();
    // Of one of which that is not known it is as likely as here that it lacks the block.
    const hasBlock = (peer: Peer): boolean =>
      typeof peer.known?.headHash === 'string' &&
      (peer.known.headNumber >= (tip?.number ?? 0n) || !isOffLog(host.chain, peer));
    const isNonCanonical = (peer: Peer): boolean =>
      failures.isFailedHead(peer.known?.headHash) || (failures.isBelowLog && !hasBlock(peer));
    const peers = host.peers().map((peer) => {
      if (isNonCanonical(peer)) return { ...peer, isNonCanonical: true };
      // Nobody else may be able to build: it gets leadership back at once.
      return failures.isBelowLog ? { ...peer, ceasedLeadingAtMs: null } : peer;
    });
    const isDead = tip !== null && (host.refusal(tip) !== null || host.proofAgainst(tip).kind === 'proved');
    if (!isDead) return peers;
    return peers.map((peer) => (peer.isForeign === true ? peer : { ...peer, isAgainstTip: false }));
  }
}
