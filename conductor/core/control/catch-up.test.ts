import { describe, expect, test } from 'vitest';
import type { BlockHeader, CallResult } from '../node/calls.ts';
import { catchUp, type CatchUpOutcome } from './catch-up.ts';
import type { EffectResult } from '../node/effects.ts';
import { block } from './testing/world.ts';

const MIB = 1024 * 1024;

/** A node that catch-up talks to: it takes nothing by itself, `take` makes it. */
class Node {
  now = 0;
  head: BlockHeader = block(1n);
  /** Numbers posted without a pause between them. */
  readonly posts: bigint[][] = [];
  outcome: CatchUpOutcome | null = null;
  isSilent = false;
  /** Milliseconds that a post takes. */
  postMs = 0;
  /** It takes what is posted. */
  takes = false;
  readonly #steps;
  #answer: EffectResult | null = null;
  #hasPaused = true;

  constructor(tip: bigint, sizeBytes: number, first = 1n) {
    this.#steps = catchUp({
      chain: {
        head: () => block(tip),
        at: (number) => (number < first || number > tip ? null : { ...block(number), sizeBytes }),
        envelope: () => null,
        envelopeJson: (number) => `{"number":"${number}"}`,
      },
      hasEngine: false,
      nowMs: () => this.now,
      refusal: () => null,
      posted: () => undefined,
    });
  }

  /** Lets `ms` pass; pauses are waited for, everything else is answered at once. */
  run(ms: number): void {
    const endMs = this.now + ms;
    while (this.outcome === null && this.now <= endMs) {
      const state = this.#answer === null ? this.#steps.next() : this.#steps.next(this.#answer);
      if (state.done === true) {
        this.outcome = state.value;
        return;
      }
      const effect = state.value;
      if (effect.kind === 'wait') {
        this.now += effect.ms;
        this.#hasPaused = true;
        this.#answer = { kind: 'wait' };
      } else if (effect.kind === 'calls') {
        const numbers = effect.requests
          .filter(({ method }) => method === 'admin_postUnsafePayload')
          .map(({ params }) => BigInt((JSON.parse(params) as [{ number: string }])[0].number));
        if (numbers.length > 0 && this.#hasPaused) this.posts.push([]);
        this.#hasPaused &&= numbers.length === 0;
        this.posts.at(-1)?.push(...numbers);
        this.now += numbers.length * this.postMs;
        if (this.takes && numbers.length > 0) this.head = block(numbers.at(-1)!);
        this.#answer = { kind: 'calls', results: effect.requests.map(() => this.#result()) };
      }
    }
  }

  #result(): CallResult {
    if (this.isSilent) return { kind: 'failed', reason: 'timeout', message: 'no answer' };
    const { number, hash, parentHash } = this.head;
    return { kind: 'result', value: { number: `0x${number.toString(16)}`, hash, parentHash } };
  }
}

describe('bringing a node up (rule 20)', () => {
  test('posts ascending from the node’s head + 1, at most 64 payloads beyond its head', () => {
    const node = new Node(300n, 1000);
    node.run(0);
    expect(node.posts).toEqual([Array.from({ length: 64 }, (_, at) => BigInt(at + 2))]);
    node.head = block(11n);
    node.run(40);
    expect(node.posts[1]).toEqual(Array.from({ length: 10 }, (_, at) => BigInt(at + 66)));
  });

  test('at most 64 MiB beyond its head', () => {
    const node = new Node(300n, 2 * MIB);
    node.run(0);
    expect(node.posts).toEqual([Array.from({ length: 32 }, (_, at) => BigInt(at + 2))]);
    node.head = block(2n);
    node.run(40);
    expect(node.posts.slice(1)).toEqual([[34n]]);
  });

  test('a block that op-node does not take by RPC is not posted, and that is said', () => {
    const node = new Node(5n, 3 * MIB);
    node.run(6000);
    expect(node.posts).toEqual([]);
    expect(node.outcome).toMatchObject({
      kind: 'stuck',
      message: expect.stringMatching(/^block 2 is larger than what op-node reads by RPC/) as string,
    });
  });

  test('without progress what was posted is posted again, and the payload at the node’s own head with it', () => {
    const node = new Node(5n, 1000);
    node.head = block(2n);
    node.run(200);
    expect(node.posts).toEqual([[3n, 4n, 5n]]);
    node.run(100);
    expect(node.posts.slice(1)).toEqual([[2n, 3n, 4n, 5n]]);
  });

  test('is given up five seconds after the last progress, and not before', () => {
    const node = new Node(5n, 1000);
    node.run(4900);
    node.head = block(2n);
    node.run(4900);
    expect(node.outcome).toBeNull();
    node.run(200);
    expect(node.outcome).toMatchObject({ kind: 'stuck', message: 'no progress', isRefused: false });
  });

  test('what takes long to give is looked at before the node is given up', () => {
    const node = new Node(60n, 1000);
    node.takes = true;
    node.postMs = 100;
    node.run(10_000);
    expect(node.outcome).toMatchObject({ kind: 'atTip', head: { number: 60n } });
  });

  test('a node that does not answer is given up too, and says so', () => {
    const node = new Node(5n, 1000);
    node.isSilent = true;
    node.run(6000);
    expect(node.outcome).toMatchObject({ kind: 'stuck', message: 'no answer', head: null });
  });

  test('a gap that the log does not cover is waited out: gossip may close it', () => {
    const node = new Node(9n, 1000, 6n);
    node.head = block(2n);
    node.run(1000);
    expect(node.outcome).toBeNull();
    node.head = block(5n);
    node.run(40);
    expect(node.posts.at(-1)).toEqual([6n, 7n, 8n, 9n]);
    node.head = block(9n);
    node.run(40);
    expect(node.outcome).toMatchObject({ kind: 'atTip', head: { number: 9n } });
  });

  test('and one that nothing closes needs another leader, which the message says', () => {
    const node = new Node(9n, 1000, 6n);
    node.head = block(2n);
    node.run(6000);
    expect(node.outcome).toMatchObject({
      kind: 'stuck',
      message: expect.stringContaining('let a server lead') as string,
    });
  });

  test('a node on another branch is recognised at its head, below it, and one above it', () => {
    for (const fork of [5n, 9n]) {
      const node = new Node(9n, 1000);
      node.head = block(fork, 1, fork);
      node.run(0);
      expect(node.outcome).toMatchObject({ kind: 'otherBranch', theirs: { number: fork } });
      expect(node.posts).toEqual([]);
    }
    const node = new Node(9n, 1000, 6n);
    node.head = block(5n, 1, 5n);
    node.run(0);
    expect(node.outcome).toMatchObject({ kind: 'otherBranch', ours: { number: 6n } });
  });
});
