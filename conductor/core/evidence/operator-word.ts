/**
 * An operator's word that a committed block is to be given up where the voters' nodes do not prove it (rule 6): said to
 * the leader, about one hash, for a short while. It moves nothing that a voter that is heard holds, stands on, or has in
 * its safe chain, and it counts only as long as that stays so. Where they do prove it, and only the setting keeps the
 * leader from acting on that, the word lifts this: who holds the block is of no account then, as without the setting.
 */
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { wordsOf, type NodeView } from './node-views.ts';
import type { Refusal } from './evidence.ts';
import { isAgainst, type Proof } from './proof.ts';

/** Counted from when it was said, milliseconds: long enough for a start of the sequencer and its first block. */
const wordForMs = 30_000;
/** What is older was not heard, milliseconds. */
const heardForMs = 3000;

/** A block that was given up on an operator's word, and whether the log has left it. */
export interface GivenUp extends BlockRef {
  readonly isDone: boolean;
}

export interface OperatorWordHost {
  readonly chain: ChainView;
  /** All members, ourselves among them. */
  views(): readonly NodeView[];
  /** The nodes prove that this committed block may be given up, and it is not to be acted on without an operator (permitted.ts). */
  isForbidden(block: BlockRef): boolean;
  nowMs(): number;
}

export class OperatorWord {
  readonly #host: OperatorWordHost;
  #block: BlockRef | null = null;
  #isDone = false;
  #saidAtMs = -Infinity;

  constructor(host: OperatorWordHost) {
    this.#host = host;
  }

  /** The last one that was said here; null for none. */
  get givenUp(): GivenUp | null {
    this.review();
    return this.#block === null ? null : { ...this.#block, isDone: this.#isDone };
  }

  /** To be called after anything may have been committed: later the log may reach down to that height no more. */
  review(): void {
    const block = this.#block;
    const held = block === null || this.#isDone ? null : this.#host.chain.at(block.number);
    if (block !== null && held !== null) this.#isDone = held.hash !== block.hash;
  }

  /** Takes the word; why it cannot be taken, as a sentence, else null. */
  give(block: BlockRef): string | null {
    const { chain } = this.#host;
    const isLifted = chain.at(block.number)?.hash === block.hash && this.#host.isForbidden(block);
    const why = isLifted ? null : whyKept(block, chain, this.#host.views());
    if (why !== null) return why;
    this.#block = block;
    this.#isDone = false;
    this.#saidAtMs = this.#host.nowMs();
    return null;
  }

  /** Proof that a committed block may be given up, if it is the one named or above it; null where nothing was said. */
  proof(block: BlockRef): Proof | null {
    const named = this.#named(block);
    if (named === null) return null;
    const { chain } = this.#host;
    const views = this.#host.views();
    const why = this.#host.isForbidden(block) ? null : whyKept(named, chain, views);
    if (why !== null) return { kind: 'unproved', why };
    return { kind: 'proved', by: 'operator', voters: [], mayReplaceTipOnly: !areNative(views) };
  }

  /** The own node need not be tried with such a block any more; null where nothing was said. */
  refusal(block: BlockRef): Refusal | null {
    return this.#named(block) === null ? null : { reason: 'given up by an operator', kind: 'operator' };
  }

  #named({ number, hash }: BlockRef): BlockRef | null {
    const { chain } = this.#host;
    const named = this.#block;
    if (named === null || this.#host.nowMs() - this.#saidAtMs >= wordForMs) return null;
    const isCovered = chain.at(named.number)?.hash === named.hash && chain.at(number)?.hash === hash;
    return isCovered && number >= named.number ? named : null;
  }
}

/** Why a block that is not proved dead stays whatever an operator says; null when it may be given up on one's word. */
export function whyKept(block: BlockRef, chain: ChainView, views: readonly NodeView[]): string | null {
  const name = `block ${block.number} (${block.hash})`;
  const stays = `${name} stays`;
  if (chain.at(block.number)?.hash !== block.hash) return `${name} is not committed here`;
  const heard = views.filter(({ ageMs }) => ageMs !== null && ageMs <= heardForMs);
  for (const view of heard) {
    const isSafe = view.safeNumber !== null && view.safeNumber >= block.number;
    const hasOtherSafe = wordsOf(view, chain).some(
      ({ number, kinds }) => number <= block.number && kinds.includes('l1'),
    );
    if (isSafe && !hasOtherSafe) return `${stays}: the safe chain of ${view.id} reaches it, at ${view.safeNumber}`;
    const held = heldBy(view, block, chain);
    if (held !== null) return `${stays}: ${held}; hand leadership to ${view.id}`;
  }
  if (areNative(views)) return null;
  if (chain.head()?.hash === block.hash) return null;
  const others = views.filter(({ implementation }) => implementation !== 'conductor').map(({ id }) => id);
  return `${stays}: ${others.join(', ')} may be op-conductor, beside which only the newest block can be replaced`;
}

/** How a node shows that it could go on from the block, or from one above it; null where it does not. */
function heldBy(view: NodeView, block: BlockRef, chain: ChainView): string | null {
  // What it has against a block above says nothing of those on which it stands.
  const words = wordsOf(view, chain);
  if (words.some((one) => one.number <= block.number && isAgainst(one))) return null;
  const isAbove = (one: BlockRef): boolean => one.number >= block.number;
  if (words.some((one) => isAbove(one) && (one.kinds.includes('valid') || one.kinds.includes('holds'))))
    return `the client of ${view.id} has it`;
  const head = view.nodeHead;
  return head !== null && isAbove(head) && chain.at(head.number)?.hash === head.hash
    ? `the op-node of ${view.id} stands on it`
    : null;
}

function areNative(views: readonly NodeView[]): boolean {
  return views.every(({ implementation }) => implementation === 'conductor');
}
