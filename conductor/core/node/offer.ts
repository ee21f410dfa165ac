/**
 * Gives the node committed payloads that follow its client's head. The node answers `admin_postUnsafePayload` before it
 * has decided anything; and what its client does not take is worse than useless: told of a head that it cannot execute,
 * a client that lost its state begins a sync by which it loses the rest of it (op-geth, sync mode "snap-sync
 * incomplete"). So where the engine API is configured the client is asked first, and nothing is posted that it neither
 * has nor executes (rule 30).
 */
import { blockByHash, blockByNumber, postPayload, readHeader, type BlockHeader, type BlockRef } from './calls.ts';
import type { ChainView } from './chain-view.ts';
import { call, type Steps } from './effects.ts';
import { newPayload, readPayloadStatus } from './engine-calls.ts';
import { insertLarge, isLarge } from './large-block.ts';

/** Most payloads on their way at once. */
const inFlightMax = 64;
/** Most bytes that a node is given at once where it is not brought to the tip in one go. */
export const givenBytesMax = 8 * 1024 * 1024;
/** Blocks about which a client is asked at once whether it has them. */
const askedAtOnce = 8;
/** A client that has not said by then whether it has a block, or executed it, is not waited for; milliseconds. */
const answerTimeoutMs = 500;
const executeTimeoutMs = 2000;

export interface OfferHost {
  readonly chain: ChainView;
  /** The client may be asked by the engine API. */
  readonly hasEngine: boolean;
  /**
   * Blocks are given also that the client has on its chain by number, above its head: false where it is made to forget
   * them (evidence/forget.ts), which a node that is still at work on them would spoil. False by default.
   */
  readonly takesNumbered?: boolean;
  /** That is happening: what the client still has is about to go, and nothing is given. */
  isForgetting?(): boolean;
  /** Whether a block that op-node cannot be given may be made the head of its client, and op-node be reset to follow. True by default. */
  mayInsert?(): boolean;
}

/** `head`: number of the client's head. `from`: the first to be given; what is between was given before. */
export interface OfferRange {
  readonly head: bigint;
  readonly from: bigint;
  /** Most bytes on their way at once, or one payload. */
  readonly bytesMax: number;
}

/**
 * Why the client takes nothing of what follows its head, though it answers: it wants to sync, without the state to
 * execute, or without having been told by whom. Only a restart of the client ends that, or its own sync.
 */
type Withheld = BlockRef;

export interface Offered {
  readonly count: number;
  /** The last number given; null for none. */
  readonly last: bigint | null;
  /** The node has accepted each of them, for whatever that means. */
  readonly areAccepted: boolean;
  /** The block after the client's head, which its engine API called INVALID. */
  readonly isInvalid: boolean;
  /** The first that is not given because the client would only sync to it; null where nothing is held back for that. */
  readonly withheld: Withheld | null;
  /** The client has what follows its head by number, and would not go there: it is to forget that first. */
  readonly isNumbered: boolean;
  /** Number of the next block, where that is larger than op-node takes and there is no engine API to bring it another way. */
  readonly tooLarge: bigint | null;
}

const nothing: Offered = {
  ...{ count: 0, last: null, areAccepted: false },
  ...{ isInvalid: false, withheld: null, isNumbered: false, tooLarge: null },
};

/**
 * Gives what is due, ascending, one after the other: an op-node that syncs by its client inserts each before it answers, and drops
 * what is not above the head it has come to (op-node, sync_deriver.go: OnUnsafeL2Payload).
 */
export function* offer(host: OfferHost, range: OfferRange): Steps<Offered> {
  const due = upToLarge(host, range);
  if (due.length === 0) return nothing;
  const { numbers, ...why } = host.hasEngine ? yield* takeable(host, range.head, due) : { ...free, numbers: due };
  if (host.isForgetting?.() === true) return { ...nothing, isNumbered: true };
  const given: { count: number; last: bigint | null; areAccepted: boolean } = {
    count: 0,
    last: null,
    areAccepted: false,
  };
  for (const number of numbers) {
    const block = host.chain.at(number);
    const mayBeLarge = block !== null && isLarge(block);
    const became = mayBeLarge ? yield* giveLarge(host, block, range.head) : yield* givePosted(host, number);
    // The node's own head is given again only to have it go on.
    if (became === 'isThere' || (became === 'isKept' && number <= range.head)) continue;
    if (became === 'isTooLarge') return { ...nothing, ...why, tooLarge: number };
    if (became === 'isKept') break;
    given.count += 1;
    given.last = number;
    given.areAccepted = became === 'isAccepted';
    if (mayBeLarge || !given.areAccepted) break;
  }
  return { ...nothing, ...why, ...given };
}

/** What became of one block. 'isKept': it was not given. */
type Became = 'isAccepted' | 'isRefused' | 'isKept' | 'isThere' | 'isTooLarge';

function* givePosted(host: OfferHost, number: bigint): Steps<Became> {
  const json = host.isForgetting?.() === true ? null : host.chain.envelopeJson(number);
  if (json === null) return 'isKept';
  const answer = yield* call(postPayload(json));
  return answer.kind === 'result' ? 'isAccepted' : 'isRefused';
}

function* giveLarge(host: OfferHost, block: BlockHeader, head: bigint): Steps<Became> {
  if (!host.hasEngine) return block.number <= head ? 'isThere' : 'isTooLarge';
  return yield* insertLarge(host.chain, block, () => mayInsert(host));
}

function mayInsert(host: OfferHost): boolean {
  return host.mayInsert?.() !== false;
}

/** What is due, up to a large block above the head, and that alone: op-node has to get to it first, and from it on. */
function upToLarge(host: OfferHost, range: OfferRange): bigint[] {
  const due = numbersDue(host.chain, range);
  const isLargeAt = (number: bigint): boolean => {
    const block = host.chain.at(number);
    return number > range.head && block !== null && isLarge(block);
  };
  const at = due.findIndex(isLargeAt);
  if (at === -1) return due;
  if (due[at] !== range.head + 1n) return due.slice(0, at);
  return host.hasEngine && !mayInsert(host) ? [] : due.slice(0, at + 1);
}

/** What the log holds of the range, within the bounds; what was given before and is not inserted yet is in flight too. */
function numbersDue(chain: ChainView, { head, from, bytesMax }: OfferRange): bigint[] {
  const due: bigint[] = [];
  let bytes = 0;
  for (let number = head + 1n; number < from; number += 1n) bytes += chain.at(number)?.sizeBytes ?? 0;
  for (let number = from; number <= head + BigInt(inFlightMax); number += 1n) {
    const payload = chain.at(number);
    if (payload === null && number <= head) continue; // The node's own head need not be held.
    if (payload === null) break;
    if (bytes > 0 && bytes + payload.sizeBytes > bytesMax) break;
    bytes += payload.sizeBytes;
    due.push(number);
  }
  return due;
}

interface Takeable extends Pick<Offered, 'withheld' | 'isInvalid' | 'isNumbered'> {
  readonly numbers: readonly bigint[];
}

const free = { withheld: null, isInvalid: false, isNumbered: false } as const;

/**
 * Those that the client has already, without a gap above its head; where it has none of them, those it executes now. A
 * verdict that is no verdict (an error, no answer, INVALID) holds nothing back: the node shows what it does with it.
 */
function* takeable({ chain, takesNumbered = false }: OfferHost, head: bigint, due: readonly bigint[]): Steps<Takeable> {
  const last = due.at(-1) ?? head;
  const above: bigint[] = [];
  for (let number = head + 1n; number <= last; number += 1n) above.push(number);
  const upTo = (number: bigint): Takeable => ({ ...free, numbers: due.filter((one) => one <= number) });
  // What was given before, up to `first`, the client had then: it is not asked about that again, as this is asked often.
  const first = due[0] ?? last;
  const isNext = first <= head + 1n;
  const unasked = above.filter((number) => number >= first);
  const isHeld = (yield* heldOf(chain, unasked.slice(0, 1))) > 0;
  if (isHeld && isNext && !takesNumbered && (yield* isNumbered(chain, head + 1n)))
    return { ...upTo(head), isNumbered: true };
  if (isHeld) return upTo((unasked[0] ?? head) + BigInt(yield* heldOf(chain, unasked.slice(1))));
  // The client executes on from what it was given, while its node still moves through that.
  for (const number of isNext ? above : unasked) {
    const envelope = chain.envelope(number);
    if (envelope === null) break;
    const status = readPayloadStatus(yield* call(newPayload(envelope, executeTimeoutMs)));
    if (status.kind === 'valid') continue;
    const isSyncing = status.kind === 'none' && status.reason === 'syncing';
    if (!isSyncing) return { ...upTo(number), isInvalid: status.kind === 'invalid' && number === head + 1n };
    if (!isNext) return upTo(number - 1n);
    return { ...upTo(number - 1n), withheld: { number, hash: chain.at(number)?.hash ?? '' } };
  }
  return upTo(last);
}

/** The client has the committed block of a height above its head on its chain: a forkchoice update to it moves nothing. */
function* isNumbered(chain: ChainView, number: bigint): Steps<boolean> {
  const answer = yield* call({ ...blockByNumber(number), timeoutMs: answerTimeoutMs });
  return answer.kind === 'result' && readHeader(answer.value)?.hash === chain.at(number)?.hash;
}

/** How many of these blocks, from the first on, the client has; it is asked a few at a time, for it often has none but the first. */
function* heldOf(chain: ChainView, numbers: readonly bigint[]): Steps<number> {
  for (let from = 0; from < numbers.length; from += askedAtOnce) {
    const requests = numbers.slice(from, from + askedAtOnce).map((number) => {
      const { hash } = chain.at(number) ?? { hash: '' };
      return { ...blockByHash(hash), timeoutMs: answerTimeoutMs };
    });
    const answers = yield { kind: 'calls', requests };
    const results = answers.kind === 'calls' ? answers.results : [];
    const firstMissing = results.findIndex((result) => result.kind !== 'result' || readHeader(result.value) === null);
    if (firstMissing >= 0) return from + firstMissing;
  }
  return numbers.length;
}
