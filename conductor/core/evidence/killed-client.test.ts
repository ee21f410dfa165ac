/**
 * A client that is killed: what its server says afterwards proves nothing, also where op-node told of no head while it died
 * (rules 6 and 30).
 */
import { describe, expect, test } from 'vitest';
import { block, type Block } from '../control/testing/world.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { buildBlock } from '../payload/build-block.ts';
import { l1Deposit } from '../payload/testing/l1-deposit.ts';
import { ObservedNode } from './testing/observed-node.ts';
import { NodeObserver } from './observer.ts';
import { proofAgainst, type VoterWord } from './proof.ts';

const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });
const zero = `0x${'0'.repeat(64)}`;
const origin = (n: bigint): string => `0x${(n >= 4n ? 'b' : 'a').repeat(64)}`; // block 4 begins an epoch

/** op-node and op-geth apart: op-node may be in a reset (all heads zero) while its client dies and comes back lower. */
class Pair {
  now = 0;
  tip = block(5n);
  node: Block | null = block(5n); // null: heads are zero, it is being reset
  client: Block | null = block(5n); // null: connection refused
  /** Highest block by hash; a killed path-scheme client keeps blocks without their states. */
  known = 5n;
  asked: string[] = [];
  readonly #queue: (() => void)[] = [];
  readonly observer = new NodeObserver(1000, {
    chain: {
      head: () => this.tip,
      at: (n) => (n >= 1n && n <= this.tip.number ? { ...block(n), sizeBytes: 1 } : null),
      holdsFrom: (n) => n >= 1n && n <= this.tip.number,
      envelope: (n) => ({
        ...template,
        executionPayload: { ...template.executionPayload, blockNumber: n, transactions: [l1Deposit(1n, origin(n))] },
      }),
      envelopeJson: (n) => `{"number":"${n}"}`,
    },
    hasEngine: false,
    hasL1: false,
    nowMs: () => this.now,
    call: (r, then) => {
      this.asked.push(r.method);
      this.#queue.push(() => then(this.#answer(r)));
    },
    read: () => undefined,
    transfer: () => undefined,
    ask: () => undefined,
    mayPost: () => true,
    leftByLeader: () => null,
    isFirstFollower: () => true,
    isLeftByPeer: () => false,
    mayAct: () => true,
    changed: () => undefined,
    stuck: () => undefined,
    forgot: () => undefined,
  });
  kinds({ hash }: Block): readonly string[] {
    return this.observer.word.observations.find((one) => one.hash === hash)?.kinds ?? [];
  }
  run(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      this.observer.review();
      this.observer.tick();
      for (let s = this.#queue.shift(); s !== undefined; s = this.#queue.shift()) s();
      if (this.now >= end) return;
      this.now += 5;
    }
  }
  #answer({ method, params, target }: NodeRequest): CallResult {
    const ok = (value: unknown): CallResult => ({ kind: 'result', value });
    const h = (b: Block) => ({ number: `0x${b.number.toString(16)}`, hash: b.hash, parentHash: b.parentHash });
    const [first] = JSON.parse(params) as [string];
    if (method === 'optimism_syncStatus')
      return ok({
        unsafe_l2:
          this.node === null ? { number: 0, hash: zero } : { number: Number(this.node.number), hash: this.node.hash },
        safe_l2: this.node === null ? { number: 0, hash: zero } : { number: 1, hash: block(1n).hash },
      });
    if (method === 'optimism_outputAtBlock') return ok({ blockRef: { l1origin: { hash: origin(BigInt(first)) } } });
    if (method === 'admin_postUnsafePayload') return ok(null);
    if (target === 'node' && method.startsWith('admin')) return ok(null);
    if (this.client === null) return { kind: 'failed', reason: 'refused', message: 'gone' };
    if (method === 'eth_getBlockByNumber') {
      if (first === 'latest') return ok(h(this.client));
      return ok(BigInt(first) <= this.client.number ? h(block(BigInt(first))) : null);
    }
    if (method === 'eth_getBlockByHash') {
      const n = BigInt(first) & 0xffffffffn;
      return ok(block(n).hash === first && n <= this.known ? h(block(n)) : null);
    }
    if (method === 'eth_syncing') return ok(false);
    if (method === 'debug_getBadBlocks') return ok([]);
    return { kind: 'error', code: -32601, message: method };
  }
}

describe('a client that dies while op-node is being reset', () => {
  test('control: with op-node telling its head, it has left nothing', () => {
    const pair = new Pair();
    pair.run(1000);
    pair.client = null;
    pair.run(3000);
    pair.client = pair.node = block(3n);
    pair.run(1500);
    expect(pair.kinds(block(4n))).not.toContain('left');
  });
  test('it has left nothing: it was killed, and came back below', () => {
    const pair = new Pair();
    pair.run(1000);
    pair.node = null; // L1 went away in the middle of a reset: no heads
    pair.run(2000);
    pair.client = null;
    pair.run(3000);
    pair.client = block(3n); // its blocks 4 and 5 are there by hash, their states are not
    pair.run(1000);
    pair.node = block(3n);
    pair.run(1500);
    expect(pair.kinds(block(4n))).not.toContain('left');
  });
  test('nor has one that was on its way to the tip', () => {
    const pair = new Pair();
    pair.tip = block(9n);
    pair.run(1000);
    pair.node = null;
    pair.run(2000);
    pair.client = null;
    pair.run(3000);
    pair.client = block(3n);
    pair.run(1000);
    pair.node = block(3n);
    pair.run(1500);
    expect(pair.kinds(block(4n))).not.toContain('left');
  });
  test('control: nor is a block not taken by one that was killed', () => {
    const pair = new Pair();
    pair.tip = block(6n);
    pair.run(300);
    pair.client = null;
    pair.run(3000);
    pair.client = block(5n);
    pair.run(6000);
    expect(pair.kinds(block(6n))).toEqual([]);
  });
  test('nor is a block not taken by one that was killed unseen', () => {
    const pair = new Pair();
    pair.tip = block(6n);
    pair.node = null;
    pair.run(300);
    pair.client = null;
    pair.run(3000);
    pair.client = block(5n);
    pair.run(500);
    pair.node = block(5n);
    pair.run(6000);
    expect(pair.kinds(block(6n))).toEqual([]);
  });
});

describe('killed clients with damaged states, back above their genesis, where the third voter is gone', () => {
  const word = (id: string, node: ObservedNode): VoterWord => ({
    id,
    isNative: true,
    isHeard: true,
    ...node.observer.word,
  });
  const killed = (): ObservedNode => {
    const node = new ObservedNode();
    node.run(500);
    node.isUp = false;
    node.run(2000);
    node.tip = block(6n); // committed by the leader meanwhile, and held by the leader's client
    node.isUp = true;
    node.refused.add(block(6n).hash); // "missing trie node": op-geth's newPayload says INVALID, reportBlock lists it
    node.run(4000);
    return node;
  };
  const chain = {
    head: () => block(6n),
    at: (n: bigint) => (n >= 1n && n <= 6n ? { ...block(n), sizeBytes: 1 } : null),
    envelope: () => null,
    envelopeJson: () => null,
  };
  const gone: VoterWord = { id: 'a', isNative: true, isHeard: false, safeNumber: null, observations: [] };
  test('two of three: the published block of the dead leader stays', () => {
    const ground = { chain, voters: [gone, word('b', killed()), word('c', killed())], members: 'native' as const };
    expect(proofAgainst(block(6n), ground).kind).toBe('unproved');
  });
  test('beside two op-conductors, one client alone', () => {
    const go = (id: string): VoterWord => ({ ...gone, id, isNative: false });
    const ground = { chain, voters: [word('a', killed()), go('b'), go('c')], members: 'mixed' as const };
    expect(proofAgainst(block(6n), ground).kind).toBe('unproved');
  });
});
