/**
 * A node, an execution client and a payload chain in memory for tests of the control loop. Time is a
 * number the test moves; requests are answered when the test says so, as a real node would.
 */
import type { Refusal } from '../../evidence/evidence.ts';
import type { Proof } from '../../evidence/proof.ts';
import type { BlockRef, CallResult, NodeRequest } from '../../node/calls.ts';
import type { Ending } from '../../node/procedure.ts';
import type { ChainView } from '../../node/chain-view.ts';
import { VirtualNode, type Block } from '../../node/testing/virtual-node.ts';
import { CONTROL_DEFAULTS, type ControlHost, type ControlOptions } from '../control-host.ts';
import { ControlLoop } from '../loop.ts';
import { permitted, type RollbackPolicy } from '../../evidence/permitted.ts';
import type { StartTrouble } from '../start-failures.ts';
import type { Peer } from '../target.ts';

export type { Block };

/** The block of a height on a named branch; branches share all below `forkAt`. */
export function block(number: bigint, branch = 0, forkAt = 1_000_000n): Block {
  const name = (height: bigint): string => {
    if (height < 0n) return `0x${'0'.repeat(64)}`;
    const tag = height >= forkAt ? branch : 0;
    return `0x${((BigInt(tag + 1) << 64n) + height).toString(16).padStart(64, '0')}`;
  };
  return { number, hash: name(number), parentHash: name(number - 1n) };
}

export class ControlWorld implements ControlHost {
  readonly #rollback: RollbackPolicy;
  now = 1000;
  readonly asked: NodeRequest[] = [];
  readonly logs: string[] = [];
  /** The fields of each line of `logs`. */
  readonly fields: Readonly<Record<string, unknown>>[] = [];
  /** How long a look at the own node takes, milliseconds, and what it then shows to have against any block. */
  lookMs = 0;
  seen: Refusal | null = null;
  nodeHasLeft = false;
  #lookBeganAtMs = -Infinity;
  readonly counts: string[] = [];
  /** What the counters of `counts` add up to. */
  readonly totals = new Map<string, number>();
  readonly transfers: { target: string | null; exclude: readonly string[] }[] = [];
  /** Committed payloads by number. */
  readonly committed = new Map<bigint, Block>();
  peerList: Peer[] = [];
  leaderTerm: number | null = null;
  /** What is proved of the blocks from `provedFrom` on. */
  proof: Proof | null = null;
  provedFrom = 4n;
  /** The node of a voter has left the blocks from here on. */
  leftFrom = 1_000_000n;
  /** What the own node has against any block. */
  ownRefusal: Refusal | null = null;
  /** Hash of what the own client calls invalid. */
  refusedByClient = '';
  isRefillUnderWay = false;
  hasEngine = false;
  isSyncNeeded = false;
  isNodeHeldUp = false;
  isPayloadUnderWay = false;
  /** The blocks of its chain by number; null where it is on another branch only with its head and that one's parent. */
  nodeChain: ((number: bigint) => Block) | null = null;
  readonly node = new VirtualNode({
    unixMs: () => this.now,
    posted: (payload) => block(BigInt((payload as { readonly number: string }).number)),
    below: (head, number) =>
      this.nodeChain?.(number) ??
      (number === head.number - 1n ? { ...block(number), hash: head.parentHash } : block(number)),
  });
  readResult = true;
  transferResult = true;
  /** Requests of these methods are carried out and answered only when released; 'read': the confirmation of leadership. */
  readonly held = new Set<string>();
  readonly loop: ControlLoop;
  readonly #queue: (() => void)[] = [];
  #waiting: (() => void)[] = [];

  constructor({
    rollback = 'proof',
    ...options
  }: Partial<ControlOptions> & { readonly rollback?: RollbackPolicy } = {}) {
    this.#rollback = rollback;
    this.node.head = this.node.safeHead = block(0n);
    this.loop = new ControlLoop(
      {
        ...CONTROL_DEFAULTS,
        selfId: 'a',
        unsafeIntervalMs: 3000,
        healthIntervalMs: 1000,
        blockTimeMs: 1000,
        isActive: false,
        mayRecover: false,
        ...options,
      },
      this,
    );
  }

  readonly metrics = {
    count: (name: string, labels: Readonly<Record<string, string>> = {}, by = 1): void => {
      const key = `${name} ${Object.values(labels).join(' ')}`.trim();
      this.counts.push(key);
      this.totals.set(key, (this.totals.get(key) ?? 0) + by);
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

  get nodeHead(): Block {
    return this.node.head!;
  }

  set nodeHead(head: Block) {
    this.node.head = head;
  }

  get isSequencing(): boolean {
    return this.node.isSequencing;
  }

  set isSequencing(isSequencing: boolean) {
    this.node.isSequencing = isSequencing;
  }

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
    return isProved
      ? permitted({ number, hash }, this.proof!, this.#rollback)
      : { kind: 'unproved', why: `block ${number} (${hash}) stays` };
  }
  isLeft({ number }: BlockRef): boolean {
    return (this.proof !== null && number >= this.provedFrom) || number >= this.leftFrom;
  }
  refusal(): Refusal | null {
    return this.ownRefusal;
  }

  hasLeft(): boolean {
    return this.nodeHasLeft;
  }

  lookNow(): void {
    this.#lookBeganAtMs = this.now;
  }

  lookedAtMs(): number {
    if (this.now - this.#lookBeganAtMs < this.lookMs) return -Infinity;
    this.ownRefusal ??= this.seen;
    return this.#lookBeganAtMs;
  }

  isRefilling(): boolean {
    return this.isRefillUnderWay;
  }

  clientRefuses({ hash }: BlockRef): boolean {
    return this.refusedByClient === hash;
  }

  startTroubleChanged(): void {
    this.told.push(this.loop.startTrouble);
  }

  isForgetting(): boolean {
    return false;
  }

  isHeldUp(): boolean {
    return this.isNodeHeldUp;
  }

  isCommitting(): boolean {
    return this.isPayloadUnderWay;
  }

  needsSync(): boolean {
    return this.isSyncNeeded;
  }
  isLeaderOf(term: number): boolean {
    return this.leaderTerm === term;
  }

  /** What peers were to be told of earlier starts. */
  readonly told: StartTrouble[] = [];
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
    const answer = this.#ended(() => then(this.node.answer(request)));
    (this.held.has(request.method) ? this.#waiting : this.#queue).push(answer);
  }
  read(then: (ending: Ending) => void): void {
    const answer = this.#ended(() => then({ isDone: this.readResult, message: 'no quorum' }));
    (this.held.has('read') ? this.#waiting : this.#queue).push(answer);
  }
  /** Only the drain asks, which this world has none of. */
  ask(): void {
    throw new Error('the control loop asks nobody');
  }

  transfer(target: string | null, exclude: readonly string[], then: (ending: Ending) => void): void {
    this.transfers.push({ target, exclude });
    const server = target ?? this.peerList.find(({ id }) => !exclude.includes(id))?.id;
    this.#queue.push(this.#ended(() => then({ isDone: this.transferResult, message: 'nobody took over', server })));
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
}
