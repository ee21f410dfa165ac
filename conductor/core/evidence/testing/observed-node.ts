/**
 * A node and its client as the observer meets them, in memory: a chain per branch, blocks the client has, what it
 * refuses, and a driver loop that may be busy. Requests are answered at once; time is a number the test moves.
 */
import type { CallResult, NodeRequest } from '../../node/calls.ts';
import { block, type Block } from '../../control/testing/world.ts';
import { buildBlock } from '../../payload/build-block.ts';
import { l1Deposit } from '../../payload/testing/l1-deposit.ts';
import { NodeObserver } from '../observer.ts';
import { header, plain } from './answers.ts';
import type { ObservationKind } from '../observation.ts';

/** A first look has ended by then, milliseconds. */
const SEEN_MS = 200;
/** A head as op-node tells it while it has none. */
const UNSET = { number: 0, hash: `0x${'0'.repeat(64)}` };
const template = buildBlock({ parent: null, timestamp: 0, transactions: [] });

export class ObservedNode {
  now = 0;
  tip = block(5n);
  head: Block = block(5n);
  safe: Block = block(1n);
  /** The node's chain from this height on is that of another branch. */
  forkAt = 1_000n;
  /** The log is that of another branch, which is not the node's, from this height on. */
  logForkAt = 1_000n;
  /** Where op-node finds its head when it is made to look, if it is not at its client's. */
  headOnceReset: Block | null = null;
  /** Blocks that the log has held and given up. */
  readonly givenUp = new Set<string>();
  /** Blocks the client has; all of the node's chain are. */
  readonly held = new Set<string>();
  /** Blocks of the node's chain that the client has lost. */
  readonly lost = new Set<string>();
  readonly refused = new Set<string>();
  isUp = true;
  /** op-node is being reset, and tells of no head. */
  isResetting = false;
  /** op-node answers nothing, its client does. */
  isNodeSilent = false;
  /** Its client alone has ended. */
  isClientGone = false;
  /** How requests fail while it is not. */
  failsAs: 'refused' | 'timeout' = 'refused';
  /** Answers nothing, and refuses no connection. */
  isHanging = false;
  isSyncing = false;
  /** It has the state of its head, and tells of a balance there. */
  hasStateOfHead = false;
  /** It has got further each time that it is asked. */
  isGettingAhead = true;
  #synced = 0;
  isDriverBusy = false;
  takesPosts = false;
  /** It takes no payload that it is given: it has just been restarted. */
  refusesPosts = false;
  /** Of every payload. */
  sizeBytes = 1;
  servesDebug = true;
  mayPost = true;
  /** An operator has paused or overridden this conductor. */
  isPaused = false;
  /** It is paused when this method is answered next; '' for none. */
  pausesWith = '';
  /** The block that the leader says its node has left. */
  leftByLeader: Block | null = null;
  isFirstFollower = true;
  isLeftByPeer = false;
  /** Height that the log ends at, where not all of it is known to be committed. */
  logEnd: bigint | null = null;
  /** The client's head, where it is not the node's. */
  clientHead: Block | null = null;
  readonly asked: string[] = [];
  changes = 0;
  /** What its engine API says of any block. */
  verdict = 'VALID';
  /** How that fails instead. */
  engineFailsAs: 'timeout' | 'unauthorized' | null = null;
  /** A client that asks others for a hash that it does not know, and waits for them. */
  asksForUnknownHashes = false;
  /** Its engine API answers once it has executed what it was given, which is when `executed` is called. */
  isExecuting = false;
  readonly #executing: (() => void)[] = [];
  stuck = 0;
  /** It was said to be so because nothing is done about it. */
  isLeftAlone = false;
  /** This server leads. */
  leads = false;
  /** Its sequencer builds. */
  builds = false;
  /** How often it was said that op-node takes nothing, its driver loop not turning. */
  heldUp = 0;
  /** What was said of that last. */
  refusesNext = false;
  /** Hash of the L1 block that each committed block comes from; where none is named their deposits say nothing. */
  readonly origins = new Map<bigint, string>();
  /** The same of the node's own blocks where they are others, as it tells them itself. */
  readonly ownOrigins = new Map<bigint, string>();
  /** What L1 has at the height of all these origins, which is 1; null while it does not answer. */
  l1: string | null = null;
  /** L1 has a block on that. */
  isL1BuiltOn = true;
  /** Its block at this height does not follow the one below, as where two differ behind one address; null for none. */
  l1JoinBroken: bigint | null = null;
  /** What L1 has at height 0. */
  l1Genesis = `0x${'00'.repeat(31)}01`;
  /** The newest L1 block that the node knows. */
  headL1 = { number: 2, hash: `0x${'00'.repeat(31)}02` };
  /** The newest final L1 block that the node knows. */
  finalizedL1: unknown = { number: 0, hash: this.l1Genesis };
  readonly observer: NodeObserver;
  readonly #queue: (() => void)[] = [];

  constructor(
    blockTimeMs = 1000,
    options: { readonly hasEngine?: boolean; readonly hasL1?: boolean; readonly isNew?: boolean } = {},
  ) {
    if (options.isNew !== true) this.now = -SEEN_MS;
    this.observer = new NodeObserver(blockTimeMs, {
      chain: {
        head: () => this.tip,
        at: (number) =>
          number >= 1n && number <= this.tip.number
            ? { ...block(number, 2, this.logForkAt), sizeBytes: this.sizeBytes }
            : null,
        holdsFrom: (number) => number >= 1n && number <= this.tip.number,
        hasGivenUp: ({ hash }) => this.givenUp.has(hash),
        envelope: (blockNumber) => ({
          ...template,
          executionPayload: { ...template.executionPayload, blockNumber, transactions: this.#opened(blockNumber) },
        }),
        envelopeJson: (number) => `{"number":"${number}"}`,
      },
      hasEngine: options.hasEngine ?? false,
      hasL1: options.hasL1 ?? false,
      logEnd: () => this.logEnd ?? this.tip.number,
      nowMs: () => this.now,
      call: (request, then) => this.#call(request, then),
      read: () => undefined,
      transfer: () => undefined,
      ask: () => undefined,
      mayPost: () => this.mayPost,
      leftByLeader: () => this.leftByLeader,
      leads: () => this.leads,
      builds: () => this.builds,
      isFirstFollower: () => this.isFirstFollower,
      isLeftByPeer: () => this.isLeftByPeer,
      mayAct: () => this.mayPost && !this.isPaused,
      changed: () => void this.changes++,
      heldUp: () => void this.heldUp++,
      stuck: (_head, _tip, { refusesNext, isLeftAlone }) => {
        this.stuck++;
        this.isLeftAlone = isLeftAlone;
        this.refusesNext = refusesNext;
      },
      refilling: () => undefined,
      forgot: () => undefined,
    });
    if (options.isNew === true) return;
    // It was seen on the tip: what it shows later is not of an earlier life.
    this.run(SEEN_MS);
    this.asked.length = 0;
    this.changes = 0;
  }

  /** What is said of a block now. */
  kinds({ hash }: Block): readonly ObservationKind[] {
    return this.observer.word.observations.find((one) => one.hash === hash)?.kinds ?? [];
  }

  run(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      this.observer.review();
      this.observer.tick();
      for (let step = this.#queue.shift(); step !== undefined; step = this.#queue.shift()) step();
      if (this.now >= end) return;
      this.now += 5;
    }
  }

  /** Its client has executed what it was given, and stands on `head`. */
  executed(head: Block): void {
    this.isExecuting = false;
    this.clientHead = head;
    this.#queue.push(...this.#executing.splice(0));
  }

  #opened(number: bigint): Uint8Array[] {
    const origin = this.origins.get(number);
    return origin === undefined ? [] : [l1Deposit(1n, origin)];
  }

  #call(request: NodeRequest, then: (result: CallResult) => void): void {
    this.asked.push(request.target === 'l1' ? `${request.method} l1` : request.method);
    if (this.isHanging) return;
    const waits = this.isExecuting && request.target === 'engine';
    (waits ? this.#executing : this.#queue).push(() => then(this.#answer(request)));
  }

  #answer({ target, method, params }: NodeRequest): CallResult {
    if (method === this.pausesWith) this.isPaused = true;
    if (target === 'l1') return this.#answerOfL1(BigInt((JSON.parse(params) as [string])[0]));
    if (!this.isUp) return { kind: 'failed', reason: this.failsAs, message: 'no answer' };
    if (this.isClientGone && /^(eth|debug|engine)_/.test(method))
      return { kind: 'failed', reason: 'refused', message: 'no answer' };
    if (this.isNodeSilent && /^(optimism|admin)_/.test(method))
      return { kind: 'failed', reason: 'timeout', message: 'no answer' };
    const result = (value: unknown): CallResult => ({ kind: 'result', value });
    const [first] = JSON.parse(params) as [string];
    switch (method) {
      case 'optimism_syncStatus':
        return result({
          unsafe_l2: this.isResetting ? UNSET : plain(this.head),
          safe_l2: this.isResetting ? UNSET : plain(this.safe),
          head_l1: this.headL1,
          finalized_l1: this.finalizedL1,
        });
      case 'eth_getBlockByNumber':
        return result(first === 'latest' ? header(this.clientHead ?? this.head) : this.#at(BigInt(first)));
      case 'eth_getBlockByHash': {
        const isHeld = this.held.has(first) || (this.#isOnChain(first) && !this.lost.has(first));
        if (!isHeld && this.asksForUnknownHashes) return { kind: 'failed', reason: 'timeout', message: 'no answer' };
        return result(isHeld ? header(this.#named(first)) : null);
      }
      case 'eth_getBalance':
        if (!this.hasStateOfHead) return { kind: 'error', code: -32000, message: 'missing trie node' };
        return result('0x0');
      case 'eth_syncing':
        return result(this.isSyncing ? this.#progress() : false);
      case 'debug_getBadBlocks':
        if (!this.servesDebug) return { kind: 'error', code: -32601, message: 'no such method' };
        return result([...this.refused].map((hash) => ({ hash, rlp: '0x' })));
      case 'optimism_outputAtBlock':
        return this.isDriverBusy
          ? { kind: 'failed', reason: 'timeout', message: 'no answer' }
          : result({ blockRef: { l1origin: { hash: this.ownOrigins.get(BigInt(first)) ?? null } } });
      case 'admin_resetDerivationPipeline':
        if (this.isDriverBusy) return { kind: 'failed', reason: 'timeout', message: 'no answer' };
        this.head = this.headOnceReset ?? this.clientHead ?? this.head;
        this.clientHead = null;
        return result(null);
      case 'engine_newPayloadV4':
      case 'engine_newPayloadV3':
        if (this.engineFailsAs !== null) return { kind: 'failed', reason: this.engineFailsAs, message: 'no answer' };
        return result({ status: this.verdict });
      case 'admin_postUnsafePayload':
        if (this.refusesPosts) return { kind: 'failed', reason: 'refused', message: 'connection refused' };
        if (this.takesPosts) this.head = block(BigInt((first as unknown as { number: string }).number));
        return result(null);
      default:
        return { kind: 'error', code: -32601, message: method };
    }
  }

  /** As op-geth tells it: what it has still to reach moves with the chain. */
  #progress(): Record<string, string> {
    if (this.isGettingAhead) this.#synced++;
    const quantity = (value: bigint): string => `0x${value.toString(16)}`;
    return {
      currentBlock: '0x1',
      highestBlock: quantity(this.tip.number),
      syncedAccounts: quantity(BigInt(this.#synced)),
    };
  }

  #answerOfL1(number: bigint): CallResult {
    if (this.l1 === null) return { kind: 'failed', reason: 'timeout', message: 'no answer' };
    if (number > 1n && !this.isL1BuiltOn) return { kind: 'result', value: null };
    const isJoined = number > 0n && number !== this.l1JoinBroken;
    const parentHash = isJoined ? this.#onL1(number - 1n) : `0x${'ff'.repeat(32)}`;
    return { kind: 'result', value: { number: `0x${number.toString(16)}`, hash: this.#onL1(number), parentHash } };
  }

  #onL1(number: bigint): string {
    return [this.l1Genesis, this.l1][Number(number)] ?? `0x${number.toString(16).padStart(64, '0')}`;
  }

  #at(number: bigint): unknown {
    return number > this.#top ? null : header(block(number, 1, this.forkAt));
  }

  #isOnChain(hash: string): boolean {
    const { number } = this.#named(hash);
    return number <= this.#top && block(number, 1, this.forkAt).hash === hash;
  }

  /** Height of the client's chain: op-geth keeps it where op-node goes back to a block below. */
  get #top(): bigint {
    const client = this.clientHead?.number ?? 0n;
    return client > this.head.number ? client : this.head.number;
  }

  #named(hash: string): Block {
    return block(BigInt(hash) & 0xffffffffn, Number(BigInt(hash) >> 64n) - 1, 0n);
  }
}
