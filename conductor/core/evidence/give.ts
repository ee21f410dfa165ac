/** Giving the own node what is committed above its head (rule 20). */
import type { BlockRef } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { syncing } from '../node/engine-calls.ts';
import { isLarge } from '../node/large-block.ts';
import { givenBytesMax, offer } from '../node/offer.ts';
import { Procedure, type ProcedureHost } from '../node/procedure.ts';
import { askAgainMs, soon, syncsFrom, withholds, type LookHost } from './look-host.ts';

/** Larger blocks are given when the node has had half a block time to execute them as they came by gossip. */
const givenAtOnceBytesMax = 256 * 1024;
/** A node that took none of it is given it again after so long, then after twice that, and so on, milliseconds. */
const giveAgainMs = 5000;
const giveAgainMaxMs = 60_000;

/**
 * Gives beside the looks, one time after the other: a client that has lost much, and is slow, takes long, and what becomes
 * of this server is decided meanwhile.
 */
export class Giving {
  readonly #host: ProcedureHost;
  #running: Procedure<void> | null = null;

  constructor(host: ProcedureHost) {
    this.#host = host;
  }

  get isUnderWay(): boolean {
    return this.#running !== null;
  }

  /** Nothing, where something is under way. */
  begin(steps: () => Steps<void>): void {
    if (this.isUnderWay) return;
    this.#running = new Procedure<void>(steps(), this.#host, () => {
      this.#running = null;
    });
    this.#running.begin();
  }
}

/**
 * A node that stands below the tip, on `head`, is given what is committed above it, and again while it stays there: it may
 * have missed it, its client may be well again, and what it does with it is what others need to know.
 */
export function* give(host: LookHost, head: BlockRef): Steps<void> {
  const { chain, memory, mayPost, nowMs } = host;
  const tip = chain.head();
  if (tip === null || !mayPost() || !isDue(host, tip, head)) return;
  const from = firstDue(host, tip, head);
  const range = { head: head.number, from, bytesMax: givenBytesMax };
  const hasEngine = mustAskFirst(host, tip);
  const isBelowClient = memory.client !== null && memory.client.number > head.number;
  const takesNumbered = isBelowClient || memory.still?.forgetting === 'refused';
  const mayInsert = (): boolean => host.mayAct() && !host.builds();
  const offered = yield* offer({ chain, hasEngine, takesNumbered, mayInsert }, range);
  const { last, areAccepted, isInvalid, withheld } = offered;
  const refused = isInvalid ? chain.at(head.number + 1n) : null;
  if (refused !== null && memory.refused?.hash !== refused.hash)
    memory.refused = { hash: refused.hash, askedAtMs: nowMs(), isConfirmed: false };
  // Of what follows a head that it does not have, it says so whatever state it is in.
  const lacksHead = memory.client !== null && memory.client.number < head.number;
  if (withheld !== null && last === null && !lacksHead) {
    yield* withholds(host, tip.hash);
  } else if (hasEngine && last !== null) {
    memory.withheld = null;
  } else if (memory.withheld !== null) {
    memory.withheld = { ...memory.withheld, isSyncing: memory.syncs(yield* call(soon(syncing)), nowMs()) };
  }
  if (last !== null && areAccepted) {
    const before = memory.given;
    const isSame = before !== null && before.hash === tip.hash && before.on === head.hash;
    const again = isSame ? { sinceMs: before.sinceMs, times: before.times + 1 } : { sinceMs: nowMs(), times: 1 };
    const all = { hash: tip.hash, on: head.hash, atMs: nowMs(), ...again };
    const isAll = before === null || from === head.number + 1n;
    memory.given = { ...(isAll ? all : before), last: { number: last, hash: chain.at(last)?.hash ?? '' } };
  }
}

/** What a node was given that moves through it, it still has, for a while; the tip alone is given on each head. */
function firstDue({ chain, memory: { given }, nowMs }: LookHost, tip: BlockRef, head: BlockRef): bigint {
  const next = head.number + 1n;
  if (given === null || next === tip.number || given.on === head.hash) return next;
  if (nowMs() - given.atMs >= giveAgainMs) return next;
  const { number, hash } = given.last;
  return number >= next && chain.at(number)?.hash === hash ? number + 1n : next;
}

/**
 * A client that wants to sync may do so once the chain goes on without it, which shows that others have what it lacks;
 * on a short chain it would only lose what it has.
 */
function mustAskFirst({ hasEngine, memory: { withheld } }: LookHost, tip: BlockRef): boolean {
  const canSync = withheld !== null && withheld.tipHash !== tip.hash && tip.number >= syncsFrom;
  return hasEngine && !canSync;
}

function isDue({ chain, memory, blockTimeMs, nowMs, tipAgeMs }: LookHost, tip: BlockRef, head: BlockRef): boolean {
  const { given, withheld } = memory;
  if (withheld !== null && nowMs() - withheld.atMs < askAgainMs) return false;
  const isSameHead = given?.on === head.hash;
  const next = head.number + 1n;
  if (isSameHead && (given.hash === tip.hash || next < tip.number)) {
    const waitMs = given.hash === tip.hash ? giveAgainMs * 2 ** (given.times - 1) : giveAgainMs;
    return nowMs() - given.atMs >= Math.min(waitMs, giveAgainMaxMs);
  }
  const block = chain.at(next);
  // Gossip brings it first, and one that its client is just executing is not shown to op-node by a reset.
  if (block !== null && isLarge(block))
    return memory.lacking?.hash === block.hash && nowMs() - memory.lacking.sinceMs >= giveAgainMs;
  if (block === null || block.sizeBytes <= givenAtOnceBytesMax || next < tip.number) return true;
  return tipAgeMs() >= blockTimeMs / 2;
}
