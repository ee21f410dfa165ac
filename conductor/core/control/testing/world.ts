/**
 * A node, an execution client and a payload chain in memory for tests of the control loop. Time is a
 * number the test moves; requests are answered when the test says so, as a real node would.
 */
import type { Refusal } from '../../evidence/evidence.ts';
import type { Proof } from '../../evidence/proof.ts';
import type { BlockRef, CallResult, NodeRequest } from '../../node/calls.ts';
import type { Ending } from '../../node/procedure.ts';
import type { ChainView } from '../../node/chain-view.ts';
import type { ControlHost, ControlOptions } from '../control-host.ts';
import { ControlLoop } from '../loop.ts';
import type { Peer } from '../target.ts';

export interface Block {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
}

/** The block of a height on a named branch; branches share all below `forkAt`. */
export function block(number: bigint, branch = 0, forkAt = 1_000_000n): Block {
  const name = (height: bigint): string => {
    if (height < 0n) return `0x${'0'.repeat(64)}`;
    const tag = height >= forkAt ? branch : 0;
    return `0x${((BigInt(tag) << 64n) + height).toString(16).padStart(64, '0')}`;
  };
  return { number, hash: name(number), parentHash: name(number - 1n) };
}

export class ControlWorld implements ControlHost {
  now = 1000;
  readonly asked: NodeRequest[] = [];
  readonly logs: string[] = [];
  /** The fields of each line of `logs`. */
  readonly fields: Readonly<Record<string, unknown>>[] = [];
  readonly counts: string[] = [];
  readonly transfers: { target: string | null; exclude: readonly string[] }[] = [];
  /** Committed payloads by number. */
  readonly committed = new Map<bigint, Block>();
  peerList: Peer[] = [];
  leaderTerm: number | null = null;
  /** What is proved of the blocks from `provedFrom` on. */
  proof: Proof | null = null;
  provedFrom = 4n;
  /** What the own node has against any block. */
  ownRefusal: Refusal | null = null;
  hasEngine = false;
  isSyncNeeded = false;
  /** Own node. */
  nodeHead = block(0n);
  /** The head of its client, where that stands above the node's. */
  clientHead: Block | null = null;
  nodeSafeHead = block(0n);
  isSequencing = false;
  isNodeUp = true;
  dropsFirstPosts = 0;
  stopFailures = 0;
  startErrors: string[] = [];
  readResult = true;
  transferResult = true;
  readonly blocksByHash = new Map<string, Block>();
  /** Requests of these methods are carried out and answered only when released. */
  readonly held = new Set<string>();
  readonly loop: ControlLoop;
  readonly #queue: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  constructor(options: Partial<ControlOptions> = {}) {
    this.loop = new ControlLoop(
      {
        selfId: 'a',
        unsafeIntervalMs: 3000,
        healthIntervalMs: 1000,
        blockTimeMs: 1000,
        isPaused: false,
        isActive: false,
        isRoundRobin: false,
        rollback: 'proof',
        trustedHash: null,
        mayRecover: false,
        ...options,
      },
      this,
    );
  }

  readonly metrics = {
    count: (name: string, labels: Readonly<Record<string, string>> = {}): void => {
      this.counts.push(`${name} ${Object.values(labels).join(' ')}`.trim());
    },
    gauge: (): void => undefined,
    observe: (): void => undefined,
  };
  readonly logger = {
    log: (level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      this.logs.push(`${level} ${message}`);
      this.fields.push(fields);
    },
  };

  nowMs(): number {
    return this.now;
  }
  random(): number {
    return 0.5;
  }
  peers(): readonly Peer[] {
    return this.peerList;
  }
  proofAgainst({ number, hash }: BlockRef): Proof {
    const isProved = this.proof !== null && number >= this.provedFrom;
    return isProved ? this.proof! : { kind: 'unproved', why: `block ${number} (${hash}) stays` };
  }
  isLeft({ number }: BlockRef): boolean {
    return this.proof !== null && number >= this.provedFrom;
  }
  refusal(): Refusal | null {
    return this.ownRefusal;
  }

  needsSync(): boolean {
    return this.isSyncNeeded;
  }
  isLeaderOf(term: number): boolean {
    return this.leaderTerm === term;
  }

  readonly chain: ChainView = {
    head: () => [...this.committed.values()].at(-1) ?? null,
    at: (number) => {
      const held = this.committed.get(number);
      return held === undefined ? null : { ...held, sizeBytes: 1000 };
    },
    envelope: () => null,
    envelopeJson: (number) => (this.committed.has(number) ? `{"number":"${number}"}` : null),
  };

  /** Payloads of the log that are not committed, by number. */
  readonly pending = new Map<bigint, Block>();
  readonly endOfLog: ChainView = {
    head: () => [...this.pending.values()].at(-1) ?? this.chain.head(),
    at: (number) => {
      const held = this.pending.get(number);
      return held === undefined ? this.chain.at(number) : { ...held, sizeBytes: 1000 };
    },
    envelope: () => null,
    envelopeJson: (number) => (this.pending.has(number) ? `{"number":"${number}"}` : this.chain.envelopeJson(number)),
  };

  call(request: NodeRequest, then: (result: CallResult) => void): void {
    this.asked.push(request);
    const answer = this.#ended(() => then(this.#answer(request)));
    (this.held.has(request.method) ? this.#waiting : this.#queue).push(answer);
  }
  read(then: (ending: Ending) => void): void {
    this.#queue.push(this.#ended(() => then({ isDone: this.readResult, message: 'no quorum' })));
  }
  /** Only the drain asks, which this world has none of. */
  ask(): void {
    throw new Error('the control loop asks nobody');
  }

  transfer(target: string | null, exclude: readonly string[], then: (ending: Ending) => void): void {
    this.transfers.push({ target, exclude });
    this.#queue.push(this.#ended(() => then({ isDone: this.transferResult, message: 'nobody took over' })));
  }

  /** As the conductor does it: the loop looks again when anything has ended. */
  #ended(then: () => void): () => void {
    return () => {
      then();
      this.loop.reconcile();
    };
  }

  commitThrough(last: bigint): void {
    for (let number = 1n; number <= last; number += 1n)
      if (!this.committed.has(number)) this.committed.set(number, block(number));
  }

  lead(term: number): void {
    this.leaderTerm = term;
    this.loop.leadershipChanged(true, term);
  }
  follow(term: number): void {
    this.leaderTerm = null;
    this.loop.leadershipChanged(false, term);
  }

  /** Answers all that is asked, then lets time pass in steps of 5 ms, until `ms` are over. */
  run(ms = 0): void {
    const end = this.now + ms;
    for (;;) {
      for (let step = this.#queue.shift(); step !== undefined; step = this.#queue.shift()) step();
      if (this.now >= end) return;
      this.now += 5;
      this.loop.tick();
    }
  }

  /** Lets the requests held back go on, and holds no more. */
  release(): void {
    this.held.clear();
    this.#queue.push(...this.#waiting);
    this.#waiting = [];
    this.run();
  }

  /** Methods asked since the last call of this. */
  takeAsked(): string[] {
    return this.asked.splice(0).map((request) => request.method);
  }

  #answer(request: NodeRequest): CallResult {
    if (!this.isNodeUp) return { kind: 'failed', reason: 'refused', message: 'connection refused' };
    const [first] = JSON.parse(request.params) as [unknown];
    switch (request.method) {
      case 'optimism_syncStatus':
        return { kind: 'result', value: { unsafe_l2: syncHead(this.nodeHead), safe_l2: syncHead(this.nodeSafeHead) } };
      case 'eth_getBlockByNumber':
        return { kind: 'result', value: this.#blockAt(first as string) };
      case 'eth_getBlockByHash': {
        const found = this.blocksByHash.get(first as string);
        return { kind: 'result', value: found === undefined ? null : header(found) };
      }
      case 'admin_postUnsafePayload':
        this.#insert(BigInt((first as { number: string }).number));
        return { kind: 'result', value: null };
      case 'admin_startSequencer':
        return this.#start(first as string);
      case 'admin_stopSequencer':
        return this.#stop();
      case 'admin_sequencerActive':
        return { kind: 'result', value: this.isSequencing };
      default:
        return { kind: 'error', code: -32601, message: `the method ${request.method} does not exist` };
    }
  }

  /** On the chain of the node: its head, that one's parent, and below it what all branches share. */
  #blockAt(name: string): unknown {
    const nodeHead = this.clientHead ?? this.nodeHead;
    if (name === 'latest') return header(nodeHead);
    const number = BigInt(name);
    if (number > nodeHead.number) return null;
    if (number === nodeHead.number) return header(nodeHead);
    return header(number === nodeHead.number - 1n ? { ...block(number), hash: nodeHead.parentHash } : block(number));
  }

  #insert(number: bigint): void {
    if (this.dropsFirstPosts > 0) {
      this.dropsFirstPosts -= 1;
      return;
    }
    const payload = block(number);
    if (payload.parentHash === this.nodeHead.hash) this.nodeHead = payload;
  }

  #start(hash: string): CallResult {
    const error = this.startErrors.shift() ?? (this.isSequencing ? 'sequencer already running' : null);
    if (error !== null) return { kind: 'error', code: -32000, message: error };
    if (hash !== this.nodeHead.hash) return { kind: 'error', code: -32000, message: 'block hash does not match' };
    this.isSequencing = true;
    return { kind: 'result', value: null };
  }

  #stop(): CallResult {
    if (this.stopFailures > 0) {
      this.stopFailures -= 1;
      return { kind: 'failed', reason: 'timeout', message: 'no answer' };
    }
    if (!this.isSequencing) return { kind: 'error', code: -32000, message: 'sequencer not running' };
    this.isSequencing = false;
    return { kind: 'result', value: this.nodeHead.hash };
  }
}

function header(one: Block): Record<string, string> {
  return { number: `0x${one.number.toString(16)}`, hash: one.hash, parentHash: one.parentHash };
}

function syncHead({ number, hash }: Block): { readonly number: number; readonly hash: string } {
  return { number: Number(number), hash };
}
