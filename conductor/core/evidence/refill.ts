/**
 * Refilling a client that has lost its head: it executes what it lacks by its engine API, which moves no head, while op-node
 * stays on the tip. With the next block op-node makes all of it the client's chain in one step. Given to op-node, each block
 * would become the head by itself, which costs op-geth many times what it takes to execute it, because it indexes every head
 * (core/filtermaps).
 */
import { blockByNumber, type BlockRef } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { newPayload, readPayloadStatus, stateOf, syncing } from '../node/engine-calls.ts';
import { askAgainMs, soon, type LookHost } from './look-host.ts';
import type { Refill } from './memory.ts';

/** A client that has not executed a block by then is not waited for, milliseconds. */
const executeTimeoutMs = 2000;
/** A client that has all of it becomes level with the next block. Where that does not come, op-node is made to look; milliseconds. */
const nextWithinMs = 10_000;

/** Whether nothing else is to be done about a client that is below its op-node: it is being refilled, or was. */
export function isInRefill({ memory, nowMs }: Pick<LookHost, 'memory' | 'nowMs'>, node: BlockRef): boolean {
  const known = memory.refillTo(node);
  if (known === null) return false;
  const forMs = nowMs() - known.atMs;
  switch (known.state) {
    case 'underWay':
      return true;
    case 'done':
      return forMs < nextWithinMs;
    case 'withheld':
      return forMs < askAgainMs;
    case 'failed':
      return false;
  }
}

/**
 * Whether a client on the committed block `client` can be brought to the tip so, on which its op-node stands. One that has what
 * follows its head on its chain has lost the states of it, and would call it VALID unexecuted (forget.ts).
 */
export function* canBeRefilled(host: LookHost, client: BlockRef, node: BlockRef): Steps<boolean> {
  const { chain, hasEngine, memory, mayPost } = host;
  const { state = 'withheld' } = memory.refillTo(node) ?? {};
  if (!hasEngine || !mayPost() || state !== 'withheld') return false;
  // A reset that it has not carried out yet will take it to where its client is.
  if (memory.mayHaveResets || memory.looksFrom === node.hash) return false;
  const next = chain.at(client.number + 1n);
  if (chain.head()?.hash !== node.hash || next?.parentHash !== client.hash || !chain.holdsFrom(next.number))
    return false;
  const held = yield* call(soon(blockByNumber(next.number)));
  return held.kind === 'result' && held.value === null;
}

/** Has it execute all that is between, as long as it does and its head is where it was. */
export function* refill({ chain, memory, nowMs }: LookHost, client: BlockRef, node: BlockRef): Steps<void> {
  const is = (state: Refill['state']): void => memory.refilled(client, { to: node.hash, state, atMs: nowMs() });
  is('underWay');
  for (let number = client.number + 1n; number <= node.number; number += 1n) {
    const envelope = chain.envelope(number);
    if (envelope === null || memory.lost?.hash !== client.hash) return is('failed');
    const status = readPayloadStatus(yield* call(newPayload(envelope, executeTimeoutMs)));
    if (status.kind === 'valid') {
      memory.withheld = null;
      continue;
    }
    const isWithheld = status.kind === 'none' && (status.reason === 'syncing' || status.reason === 'accepted');
    if (!isWithheld || number > client.number + 1n) return is('failed');
    const isSyncing = memory.syncs(yield* call(soon(syncing)), nowMs());
    memory.withheld = { tipHash: memory.withheld?.tipHash ?? node.hash, atMs: nowMs(), isSyncing };
    return is('withheld');
  }
  // Blocks that it had by hash it calls VALID whatever became of their states.
  const state = yield* call(soon(stateOf(node.hash)));
  is(state.kind === 'result' ? 'done' : 'failed');
}
