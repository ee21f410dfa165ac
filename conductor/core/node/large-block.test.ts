import { expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import { envelopeText } from '../payload/envelope-text.ts';
import { buildBlock } from '../payload/build-block.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { postPayload, type CallResult, type NodeRequest } from './calls.ts';
import { isLarge } from './large-block.ts';
import { offer, type Offered } from './offer.ts';

const MIB = 1024 * 1024;
const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });
const tip = 8n;

/** An op-node and its client at these heights; the log has blocks up to 8, and those of `large` are of 3 MiB. */
class Servers {
  verdict = 'VALID';
  hasEngine = true;
  mayInsert = true;
  resets = 0;
  executed = 0;
  onExecute = (): void => undefined;
  /** op-node acts on a reset only with its next step of derivation. */
  staysWhenReset = false;
  /** Of the client's chain above height 5: 0 is the committed one. */
  clientBranch = 0;
  readonly posted: bigint[] = [];
  readonly large = new Set<bigint>();

  node: bigint;
  client: bigint;

  constructor(node: bigint, client: bigint) {
    this.node = node;
    this.client = client;
  }

  /** One time of giving what follows op-node's head. */
  give(): Offered {
    const host = {
      hasEngine: this.hasEngine,
      mayInsert: () => this.mayInsert,
      takesNumbered: this.client > this.node,
      chain: {
        head: () => block(tip),
        at: (number: bigint) =>
          number >= 1n && number <= tip
            ? { ...block(number), sizeBytes: this.large.has(number) ? 3 * MIB : 100 }
            : null,
        envelope: (blockNumber: bigint) => ({
          ...template,
          executionPayload: { ...template.executionPayload, blockNumber },
        }),
        envelopeJson: (number: bigint) => `{"number":"${number}"}`,
      },
    };
    const steps = offer(host, { head: this.node, from: this.node + 1n, bytesMax: 64 * MIB });
    for (let state = steps.next(); ;) {
      if (state.done === true) return state.value;
      const effect = state.value;
      if (effect.kind !== 'calls') throw new Error(effect.kind);
      state = steps.next({ kind: 'calls', results: effect.requests.map((request) => this.#answer(request)) });
    }
  }

  #answer({ method, params }: NodeRequest): CallResult {
    const [first] = JSON.parse(params) as [unknown];
    const result = (value: unknown): CallResult => ({ kind: 'result', value });
    const header = (number: bigint, branch = 0): CallResult => {
      const { hash, parentHash } = block(number, branch, 5n);
      return result({ number: `0x${number.toString(16)}`, hash, parentHash });
    };
    switch (method) {
      case 'optimism_syncStatus':
        return result({ unsafe_l2: { number: Number(this.node), hash: block(this.node).hash } });
      case 'eth_getBlockByNumber': {
        const number = first === 'latest' ? this.client : BigInt(first as string);
        return number > this.client ? result(null) : header(number, this.clientBranch);
      }
      case 'eth_getBlockByHash': {
        const number = BigInt(first as string) % (1n << 32n);
        const isHeld = number <= this.client && this.clientBranch === 0;
        return isHeld ? header(number) : result(null);
      }
      case 'engine_forkchoiceUpdatedV3':
        this.client = BigInt((first as { headBlockHash: string }).headBlockHash) % (1n << 32n);
        this.clientBranch = 0;
        return result({ payloadStatus: { status: 'VALID' } });
      case 'admin_resetDerivationPipeline':
        this.resets += 1;
        if (!this.staysWhenReset) this.node = this.client;
        return result(null);
      case 'admin_postUnsafePayload':
        this.posted.push(BigInt((first as { number: string }).number));
        this.node = this.client = this.posted.at(-1)!;
        return result(null);
      default:
        this.executed += 1;
        this.onExecute();
        return result({ status: this.verdict });
    }
  }
}

test('the largest block that is posted fits into a request that op-node reads, whatever its transactions are', () => {
  const filled = (count: number, length: number) => {
    const transactions = Array.from({ length: count }, () => new Uint8Array(length));
    const envelope = { ...template, executionPayload: { ...template.executionPayload, transactions } };
    return { envelope, sizeBytes: (encodeSsz(envelope) as Uint8Array).length };
  };
  for (const length of [20, 100, 100_000]) {
    const perTransaction = filled(2, length).sizeBytes - filled(1, length).sizeBytes;
    let count = Math.ceil((5 * MIB) / 2 / perTransaction);
    while (isLarge({ sizeBytes: filled(count, length).sizeBytes })) count -= Math.ceil(4096 / perTransaction);
    const { envelope } = filled(count, length);
    const { params } = postPayload(envelopeText(envelope));
    expect(params.length).toBeGreaterThan(4 * MIB);
    expect(params.length).toBeLessThan(5 * MIB - 200);
  }
});

test('the client executes a large block and stands on it, and op-node is shown the way; then the rest is posted', () => {
  const servers = new Servers(5n, 5n);
  servers.large.add(6n);
  expect(servers.give()).toMatchObject({ count: 1, last: 6n, areAccepted: true });
  expect(servers).toMatchObject({ client: 6n, node: 6n, posted: [], resets: 1 });
  expect(servers.give()).toMatchObject({ count: 2, last: 8n });
  expect(servers.posted).toEqual([7n, 8n]);
});

test('a client that has it already is not moved; op-node is shown the way until it is there', () => {
  const servers = new Servers(5n, 7n);
  servers.large.add(6n);
  servers.staysWhenReset = true;
  expect(servers.give()).toMatchObject({ count: 1, last: 6n });
  expect(servers).toMatchObject({ client: 7n, node: 5n, resets: 1 });
  servers.node = 6n;
  expect(servers.give()).toMatchObject({ last: 7n });
  expect(servers.resets).toBe(1);
});

test('a client beside it is moved where op-node is on its parent', () => {
  const servers = new Servers(5n, 7n);
  servers.large.add(6n);
  servers.clientBranch = 1;
  expect(servers.give()).toMatchObject({ count: 1, last: 6n });
  expect(servers).toMatchObject({ client: 6n, clientBranch: 0, node: 6n, posted: [], resets: 1 });
});

test('what is below it is posted first', () => {
  const servers = new Servers(4n, 4n);
  servers.large.add(6n);
  expect(servers.give()).toMatchObject({ count: 1, last: 5n });
  expect(servers).toMatchObject({ client: 5n, posted: [5n] });
});

test('nothing is done where the client does not execute it, or is elsewhere', () => {
  const syncing = new Servers(5n, 5n);
  syncing.large.add(6n);
  syncing.verdict = 'SYNCING';
  expect(syncing.give()).toMatchObject({ last: null, withheld: { number: 6n } });
  const behind = new Servers(6n, 3n);
  behind.large.add(7n);
  expect(behind.give()).toMatchObject({ last: null, count: 0 });
  for (const servers of [syncing, behind]) expect(servers).toMatchObject({ posted: [], resets: 0 });
});

test('a paused conductor sends it to nobody, and one that is paused while the client executes it moves nothing', () => {
  const paused = new Servers(5n, 5n);
  paused.large.add(6n);
  paused.mayInsert = false;
  expect(paused.give()).toMatchObject({ last: null, count: 0 });
  expect(paused.executed).toBe(0);
  const meanwhile = new Servers(5n, 5n);
  meanwhile.large.add(6n);
  meanwhile.onExecute = () => (meanwhile.mayInsert = false);
  expect(meanwhile.give()).toMatchObject({ last: null, count: 0 });
  const moved = new Servers(5n, 5n);
  moved.large.add(6n);
  moved.onExecute = () => (moved.client = 4n);
  expect(moved.give()).toMatchObject({ last: null, count: 0 });
  expect(moved.client).toBe(4n);
  for (const servers of [paused, meanwhile, moved]) expect(servers).toMatchObject({ node: 5n, posted: [], resets: 0 });
});

test('without an engine API it is named, and not posted', () => {
  const servers = new Servers(5n, 5n);
  servers.large.add(6n);
  servers.hasEngine = false;
  expect(servers.give()).toMatchObject({ last: null, tooLarge: 6n });
  expect(servers.posted).toEqual([]);
});
