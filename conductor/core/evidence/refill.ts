/**
 * Refilling a client that has lost its head (rule 30): it executes what it lacks by its engine API, and that is made its head in
 * steps, up to the tip, on which op-node stands all the while. Given to op-node, each block would become the head by itself,
 * which costs op-geth many times what it takes to execute it, because it indexes every head (core/filtermaps).
 */
import { blockByNumber, isHead, latestBlock, syncHeadOf, syncStatus, type BlockRef } from '../node/calls.ts';
import { cancelled, call, type Steps } from '../node/effects.ts';
import {
  forkchoiceUpdated,
  newPayload,
  readForkchoice,
  readPayloadStatus,
  verdictTimeoutMs,
} from '../node/engine-calls.ts';
import { askAgainMs, soon, withholds, type LookHost } from './look-host.ts';
import type { Refill } from './memory.ts';

/**
 * Blocks that are executed above the client's head before that follows. op-geth keeps the states of 128 blocks (path scheme):
 * with more it has lost that of its head, and takes nothing before it is started again (eth/downloader/syncmode.go). What is
 * left of whole steps is the first one: op-geth indexes a step while it executes the next, and the last once it is on the tip.
 */
const stepBlocks = 120n;

/** Whether nothing else is to be done about a client that is below its op-node. */
export function isInRefill({ memory, nowMs }: Pick<LookHost, 'memory' | 'nowMs'>, node: BlockRef): boolean {
  const known = memory.refillTo(node);
  return known?.state === 'underWay' || (known?.state === 'withheld' && nowMs() - known.atMs < askAgainMs);
}

/**
 * Whether a client on the committed block `client` can be brought to the tip so, on which its op-node stands. One that has what
 * follows its head on its chain has lost the states of it, and would call it VALID unexecuted (forget.ts).
 */
export function* canBeRefilled(host: LookHost, client: BlockRef, node: BlockRef): Steps<boolean> {
  const { builds, chain, hasEngine, memory, mayPost } = host;
  if (!hasEngine || !mayPost() || builds() || memory.refillTo(node)?.state === 'failed') return false;
  // A reset that it has not carried out yet will take it to where its client is.
  if (memory.mayHaveResets || memory.looksFrom === node.hash) return false;
  const next = chain.at(client.number + 1n);
  if (!isOnTip(host, node) || next?.parentHash !== client.hash || !chain.holdsFrom(next.number)) return false;
  const held = yield* call(soon(blockByNumber(next.number)));
  return held.kind === 'result' && held.value === null;
}

/** Whether op-node is on the tip, or just below one that stands: what was committed when its client was killed it has not inserted. */
export function isOnTip({ blockTimeMs, chain, tipAgeMs }: LookHost, { number, hash }: BlockRef): boolean {
  const tip = chain.head();
  if (tip === null || tip.hash === hash) return tip !== null;
  return number + 1n === tip.number && chain.at(number)?.hash === hash && tipAgeMs() >= blockTimeMs;
}

/** Has it execute all that is between, as long as it does, nothing else happens to it, and nobody has paused this conductor. */
export function* refill(host: LookHost, client: BlockRef, node: BlockRef): Steps<void> {
  const { builds, chain, mayAct, memory, nowMs } = host;
  const is = (state: Refill['state'] | null): void => {
    memory.refill = state === null ? null : { to: node.hash, state, atMs: nowMs() };
  };
  is('underWay');
  host.refilling(client, node);
  let head = client;
  for (let number = client.number + 1n; number <= node.number; number += 1n) {
    if (builds() || !mayAct()) return is(null);
    const envelope = chain.envelope(number);
    if (envelope === null) return is('failed');
    const status = readPayloadStatus(yield* call(newPayload(envelope, verdictTimeoutMs)));
    // It was gone meanwhile, and is another process.
    if (memory.refillTo(node)?.state !== 'underWay') return;
    if (status.kind !== 'valid') {
      const isWithheld = status.kind === 'none' && status.reason === 'syncing';
      if (!isWithheld || number > client.number + 1n) return is('failed');
      yield* withholds(host, node.hash);
      return is('withheld');
    }
    memory.withheld = null;
    if ((node.number - number) % stepBlocks !== 0n) continue;
    const next = chain.at(number);
    const isMade = next !== null && (yield* isMadeHead(host, head, next, node));
    if (memory.refillTo(node)?.state !== 'underWay') return;
    if (!isMade) return is(builds() || !mayAct() ? null : 'failed');
    head = next;
  }
  is(null);
}

/** Makes a block its head that it has just executed, where neither it nor its op-node has moved, and nobody has paused this conductor. */
function* isMadeHead(host: LookHost, from: BlockRef, to: BlockRef, node: BlockRef): Steps<boolean> {
  const { builds, chain, mayAct, memory } = host;
  const answers = yield { kind: 'calls', requests: [latestBlock, syncStatus].map(soon) };
  const [latest = cancelled, status = cancelled] = answers.kind === 'calls' ? answers.results : [];
  const isThere = isHead(latest, from.hash) && syncHeadOf(status, 'unsafe_l2')?.hash === node.hash;
  const isOurs = chain.at(to.number)?.hash === to.hash && memory.refillTo(node)?.state === 'underWay';
  if (!isThere || !isOurs || builds() || !mayAct()) return false;
  if (readForkchoice(yield* call(forkchoiceUpdated(to.hash))).kind !== 'valid') return false;
  // op-geth calls a head VALID, and stays where it is, if that is on its chain by number.
  return !isHead(yield* call(soon(latestBlock)), from.hash);
}
