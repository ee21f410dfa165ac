/**
 * A sequencer that runs may build beside the committed chain: a payload of it was refused (rule 3), or it runs
 * since another term. It is brought to the committed head, after a refusal once per head and leadership.
 */
import type { BlockRef } from '../node/calls.ts';
import { awaitLook, type Looks } from './await-look.ts';
import { catchUp, type CatchUpHost, type CatchUpOutcome } from './catch-up.ts';
import { wait, type Steps } from '../node/effects.ts';
import { giveWhatItLeft, nodeBelowClient } from './went-back.ts';

/** Longest attempt: in block times, and at least so many milliseconds, for a node that is slow rather than off. */
const resyncBlocks = 2;
const resyncMinMs = 1000;

/** What the node has against the chain is asked first: one that left it for L1's sake is not to be led back onto it. */
const lookWaitMaxMs = 500;
const lookPollMs = 5;
/** Pause between two looks at op-node's own head, milliseconds. */
const nodePollMs = 20;

/** 'left': op-node has left committed blocks that its client has, and may have done so for L1's sake: that is rule 6's. */
export type ResyncOutcome = CatchUpOutcome | { readonly kind: 'left' };

export type ResyncHost = CatchUpHost & Looks;

/** From a peer's health check to the peer status that tells of it, at most, milliseconds. */
const statusDelayMaxMs = 500;

/** Whether there is a reason to look at the running sequencer, and for which head that was done. */
export class ChainResync {
  /** Peers have told of their heads anew after so long. */
  readonly #newsAfterMs: number;
  #reason: 'none' | 'refusal' | 'otherTerm' = 'none';
  /** Hash of the committed head to which it was last brought after a refusal. */
  #broughtTo = '';
  #sinceMs = Infinity;

  /** `healthIntervalMs`: how often peers look at their own heads. */
  constructor(healthIntervalMs: number) {
    this.#newsAfterMs = healthIntervalMs + statusDelayMaxMs;
  }

  get exists(): boolean {
    return this.#reason !== 'none';
  }

  leadershipChanged(isLeader: boolean): void {
    this.#broughtTo = '';
    this.#reason = isLeader ? 'otherTerm' : 'none';
  }

  /** A payload of the own sequencer was refused. */
  refused(): void {
    this.#reason = 'refusal';
  }

  /** It was started in this term, on the committed head. */
  settled(): void {
    this.#reason = 'none';
  }

  /** The attempt for `head` begins; null when there is none to make. */
  take(head: BlockRef | null, nowMs: number): { readonly isRefusal: boolean } | null {
    const isRefusal = this.#reason === 'refusal';
    this.#reason = 'none';
    if (head === null || (isRefusal && head.hash === this.#broughtTo)) return null;
    if (isRefusal) {
      this.#broughtTo = head.hash;
      this.#sinceMs = nowMs;
    }
    return { isRefusal };
  }

  /** An attempt that was cut short does not count as tried. */
  cutShort(): void {
    this.#broughtTo = '';
    this.#reason = 'otherTerm';
  }

  /**
   * After a refusal it was brought to this head, or is being brought there, so long ago that peers whose nodes hold
   * this head have said so since: until then nothing shows that no node does (rule 6).
   */
  wasTriedFor(headHash: string, nowMs: number): boolean {
    return this.#broughtTo === headHash && nowMs - this.#sinceMs >= this.#newsAfterMs;
  }
}

/**
 * Brings the node to the committed head within two block times (rule 3); what is committed is known only after a read in this
 * term. `isRefusal`: what its sequencer offered was refused, so that op-node does not only tell late of its head.
 */
export function* resyncNode(host: ResyncHost, blockTimeMs: number, isRefusal: boolean): Steps<ResyncOutcome> {
  yield* awaitLook(host, host.nowMs() + lookWaitMaxMs, lookPollMs);
  const confirmed = yield { kind: 'read' };
  if (confirmed.kind !== 'read' || !confirmed.isConfirmed)
    return { kind: 'stuck', message: 'leadership could not be confirmed', head: null, isRefused: false };
  const giveUpAfterMs = Math.max(resyncBlocks * blockTimeMs, resyncMinMs);
  const untilMs = host.nowMs() + giveUpAfterMs;
  const outcome = yield* catchUp({ ...host, giveUpAfterMs });
  return isRefusal && outcome.kind === 'atTip' ? yield* followClient(host, outcome, untilMs) : outcome;
}

/**
 * The client is on the tip; op-node may have gone back below it. It is given what it left, unless it is known to have
 * left that for L1's sake: one that leaves it once more is seen to (rule 6).
 */
function* followClient(host: ResyncHost, reached: CatchUpOutcome, untilMs: number): Steps<ResyncOutcome> {
  let givenOn: string | null = null;
  for (;;) {
    const head = yield* nodeBelowClient();
    const next = head === null ? null : host.chain.at(head.number + 1n);
    if (head === null || next?.parentHash !== head.hash) break;
    if (host.refusal(next) !== null) return { kind: 'left' };
    // Once on each head: from a large block on the rest is given when op-node is there (node/large-block.ts).
    if (givenOn !== head.hash) yield* giveWhatItLeft(host, head);
    givenOn = head.hash;
    if (host.nowMs() >= untilMs) return { kind: 'stuck', message: 'no progress', head, isRefused: false };
    yield* wait(nodePollMs);
  }
  if (givenOn !== null) host.lookNow();
  return reached;
}
