/**
 * An op-node and its op-geth after `kill -9`, as far as the observer meets them. The client has the blocks through
 * `known`, but the state of `stateAt` alone. One that finds itself at its genesis with blocks above syncs by snapshot
 * until it is restarted: a block that it lacks is SYNCING, and a forkchoice update to one wipes what state it has (read
 * in op-geth v1.101702.3: eth/catalyst/api.go, eth/downloader/syncmode.go, and op-node v1.19.6: rollup/driver/driver.go,
 * checkForGapInUnsafeQueue; seen on real nodes).
 */
import { block, type Block } from '../../control/testing/world.ts';
import type { CallResult, NodeRequest } from '../../node/calls.ts';
import { NodeObserver } from '../observer.ts';
import { envelopeOf, header, plain } from './answers.ts';
import type { RestartedAt } from './restarted-at.ts';

export class RestartedClient {
  now = 1000;
  /** How often something else was to be told to the peers. */
  changes = 0;
  tip: Block;
  /** op-node's unsafe head. */
  nodeHead: Block;
  clientHead: Block;
  known: bigint;
  /** The last block of which it has the state; it executes what follows that. */
  stateTo: bigint;
  canonicalTo: bigint;
  syncsBySnapshot: boolean;
  /** Its conductor is. */
  isPaused = false;
  /** It is paused when the client is asked for the block of this number (0x); '' for none. */
  pausesWithBlock = '';
  /** Another client has the chain, and serves it. */
  hasPeer = false;
  /** The newest block comes to op-node by gossip. */
  hearsGossip = false;
  isWiped = false;
  /** It has executed what is on its chain just when it is asked for that and whether it syncs. */
  isDoneWhenAsked = false;
  /** Nobody listens on its port. */
  isGone = false;
  /** But on that of its engine API. */
  isEngineThere = false;
  /** How a question to its engine API fails while it is gone. */
  engineFailsAs: 'refused' | 'unreachable' | 'timeout' = 'refused';
  /** op-node takes orders to look where the chain ends, and has not come to it. */
  looksLate = false;
  #isToLook = false;
  /** op-node's driver loop does not turn: an order waits for it, and is forgotten when its caller has gone. */
  isBusy = false;
  readonly stuckAtMs: number[] = [];
  /** Each time, whether restarts were said to be in vain. */
  readonly wasRestarted: boolean[] = [];
  /** The last alarm asks for blocks to be dropped by hand. */
  mustForget = false;
  readonly #servesDebug: boolean;
  readonly #setHead: RestartedAt['setHead'];
  readonly #forkAt: bigint;
  #saysItSyncs: RestartedAt['saysItSyncs'];
  /** It syncs to a block that nobody has. */
  syncsInVain = false;
  /** Its own sequencer builds. */
  builds = false;
  /** Called once, when its client is asked for its head after it has executed the tip; null once it was. */
  beforeHeadIsSet: (() => void) | null = null;
  /** Called when it is given a block by its engine API. */
  given: (number: bigint) => void = () => undefined;
  /** From this block on its engine API answers nothing. */
  silentFrom = 1_000_000n;
  /** From this block on its engine API answers with an error. */
  failsFrom = 1_000_000n;
  /** A forkchoice update is VALID, and moves nothing. */
  staysOnHead = false;
  /** Takes nothing before it has synced: its engine API says SYNCING. */
  isSyncing = false;
  readonly asked: string[] = [];
  readonly observer: NodeObserver;
  /** Since when op-node's head is that, or its derivation as it is. */
  #stillSinceMs = 1000;
  readonly #queue: (() => void)[] = [];
  readonly #unanswered: ((result: CallResult) => void)[] = [];

  constructor({ tip, known, stateAt, areCanonical = false, hasEngine = true, ...rest }: RestartedAt) {
    const { servesDebug = true, logLacks = 0n, forkAt = 1_000_000n } = rest;
    this.#servesDebug = servesDebug;
    this.#setHead = rest.setHead;
    this.#forkAt = forkAt;
    this.#saysItSyncs = rest.saysItSyncs;
    this.tip = block(tip);
    this.nodeHead = this.tip;
    this.clientHead = block(stateAt);
    this.known = known;
    this.stateTo = stateAt;
    this.canonicalTo = areCanonical ? known : stateAt;
    this.syncsBySnapshot = stateAt === 0n;
    this.observer = new NodeObserver(1000, {
      hasEngine,
      hasL1: false,
      chain: {
        head: () => this.tip,
        at: (number) =>
          number >= 1n && number !== logLacks && number <= this.tip.number
            ? { ...block(number), sizeBytes: 1000 }
            : null,
        holdsFrom: (number) => number <= this.tip.number && (logLacks < number || logLacks > this.tip.number),
        hasGivenUp: ({ number, hash }) => rest.isForkGivenUp === true && hash === block(number, 1, forkAt).hash,
        envelope: envelopeOf,
        envelopeJson: (number) => `{"number":"${number}"}`,
      },
      nowMs: () => this.now,
      call: (request, then) => {
        this.asked.push(request.method);
        if (this.#isSilentOn(request)) return void this.#unanswered.push(then);
        this.#queue.push(() => then(this.#answer(request)));
      },
      read: () => undefined,
      transfer: () => undefined,
      ask: () => undefined,
      logEnd: () => this.tip.number,
      mayPost: () => true,
      leftByLeader: () => null,
      leads: () => false,
      isFirstFollower: () => true,
      isLeftByPeer: () => false,
      mayAct: () => !this.isPaused,
      builds: () => this.builds,
      changed: () => void this.changes++,
      heldUp: () => undefined,
      stuck: (_head, _tip, { mustForget, wasRestarted }) => {
        this.stuckAtMs.push(this.now);
        this.mustForget = mustForget;
        this.wasRestarted.push(wasRestarted);
      },
      refilling: () => undefined,
      forgot: () => undefined,
    });
  }

  run(ms: number): void {
    const end = this.now + ms;
    while (this.now < end) {
      this.observer.review();
      this.observer.tick();
      for (let step = this.#queue.shift(); step !== undefined; step = this.#queue.shift()) step();
      if (this.hearsGossip && !this.isGone) this.#hear(this.tip.number);
      this.now += 5;
    }
  }

  /** What its engine API has not answered is not waited for any more. */
  hangUp(): void {
    for (const end of this.#unanswered.splice(0)) end({ kind: 'failed', reason: 'timeout', message: 'no answer' });
  }

  /** op-node comes to what it was told. */
  looks(): void {
    if (this.#isToLook) this.#moveNode(this.clientHead);
    this.looksLate = this.#isToLook = false;
  }

  /** Ended with a signal and started again: what state it has is on disk, its mode goes by it. */
  restart(): void {
    this.syncsBySnapshot = this.clientHead.number === 0n && this.known > 0n;
  }

  #isSilentOn({ method, params }: NodeRequest): boolean {
    if (!method.startsWith('engine_newPayload')) return false;
    const [payload] = JSON.parse(params) as [{ blockNumber: string }];
    return BigInt(payload.blockNumber) >= this.silentFrom;
  }

  #answer({ method, params, target }: NodeRequest): CallResult {
    if (this.isGone && target !== 'node' && !(this.isEngineThere && target === 'engine'))
      return { kind: 'failed', reason: target === 'engine' ? this.engineFailsAs : 'refused', message: 'gone' };
    const result = (value: unknown): CallResult => ({ kind: 'result', value });
    const [first] = JSON.parse(params) as [unknown];
    switch (method) {
      case 'optimism_syncStatus':
        return result({ unsafe_l2: plain(this.nodeHead), safe_l2: plain(block(0n)) });
      case 'eth_getBlockByNumber':
        if (first === 'latest' && this.stateTo >= this.tip.number && this.beforeHeadIsSet !== null) {
          this.beforeHeadIsSet();
          this.beforeHeadIsSet = null;
        }
        if (first === 'latest') return result(header(this.clientHead));
        if (first === this.pausesWithBlock) this.isPaused = true;
        if (this.isDoneWhenAsked && this.asked.at(-2) === 'eth_syncing') this.#goTo(this.known);
        return result(this.#byNumber(BigInt(first as string)));
      case 'debug_setHead':
        if (!this.#servesDebug) break;
        if (this.#setHead === 'only words') return result(null);
        this.known = BigInt(first as string);
        this.#goTo(this.known);
        if (this.#setHead === 'lost answer') return { kind: 'failed', reason: 'timeout', message: 'no answer' };
        return result(null);
      case 'eth_getBlockByHash': {
        const number = BigInt(first as string) & 0xffffffffn;
        return result(number <= this.known ? header(block(number)) : null);
      }
      case 'engine_forkchoiceUpdatedV3': {
        const number = BigInt((first as { headBlockHash: string }).headBlockHash) & 0xffffffffn;
        const isThere = number <= this.known && !this.isWiped;
        if (isThere && number > this.canonicalTo && !this.staysOnHead) this.#goTo(number);
        return result({ payloadStatus: { status: isThere ? 'VALID' : 'SYNCING' }, payloadId: null });
      }
      case 'eth_syncing':
        return result(this.#progress());
      case 'debug_getBadBlocks':
        return result([]);
      case 'admin_resetDerivationPipeline':
        if (this.isBusy) return { kind: 'failed', reason: 'timeout', message: 'no answer' };
        // Of a client that is gone it learns when that is back.
        if (this.looksLate) this.#isToLook = true;
        else this.#moveNode(this.clientHead);
        return result(null);
      case 'admin_postUnsafePayload':
        this.#insert(BigInt((first as { number: string }).number));
        return result(null);
      default:
        if (method.startsWith('engine_newPayload')) {
          const number = BigInt((first as { blockNumber: string }).blockNumber);
          this.given(number);
          if (number >= this.failsFrom) break;
          return result({ status: this.#newPayload(number) });
        }
    }
    return { kind: 'error', code: -32601, message: method };
  }

  /** As op-reth tells it. */
  #progress(): unknown {
    if (this.syncsInVain) return { currentBlock: '0x1', highestBlock: '0xff' };
    if (this.#saysItSyncs === undefined) return false;
    const current = `0x${this.clientHead.number.toString(16)}`;
    const { stageAt } = this.#saysItSyncs === 'level' ? { stageAt: this.clientHead.number } : this.#saysItSyncs;
    const stages = ['Headers', 'Execution', 'Finish'].map((name) => ({
      name,
      block: name === 'Headers' ? `0x${stageAt.toString(16)}` : current,
    }));
    return { startingBlock: '0x0', currentBlock: current, highestBlock: current, stages };
  }

  #byNumber(number: bigint): unknown {
    return number > this.canonicalTo ? null : header(block(number, 1, this.#forkAt));
  }

  #newPayload(number: bigint): 'VALID' | 'SYNCING' | 'ACCEPTED' {
    // It keeps the states of 128 blocks, and takes nothing once it has lost that of its head.
    if (this.isSyncing || this.stateTo - this.clientHead.number > 128n) return 'SYNCING';
    if (number <= this.known) return 'VALID';
    if (number > this.known + 1n || this.syncsBySnapshot || this.isWiped) return 'SYNCING';
    if (this.stateTo < this.known) return 'ACCEPTED';
    this.known = this.stateTo = number;
    return 'VALID';
  }

  /** op-node takes the block that follows its head: newPayload, and a forkchoice update whatever that said. */
  #insert(number: bigint): void {
    if (number !== this.nodeHead.number + 1n) return;
    const status = this.#newPayload(number);
    if (status === 'VALID') {
      this.#moveNode(block(number));
      if (number > this.canonicalTo && !this.isWiped) this.#goTo(number);
      return;
    }
    this.#wantHead(number, status === 'ACCEPTED');
  }

  /** A block that came by gossip: op-node takes the next one at once, and fills a gap two block times after it last moved. */
  #hear(number: bigint): void {
    if (number === this.nodeHead.number + 1n) return this.#insert(number);
    if (number <= this.nodeHead.number || this.now - this.#stillSinceMs < 2000) return;
    this.#stillSinceMs = this.now;
    this.#wantHead(number, false);
  }

  /** It is told of a head that it has not got. */
  #wantHead(number: bigint, hasBlocksBelow: boolean): void {
    if (this.syncsBySnapshot && !this.hasPeer) this.isWiped = true;
    else if (this.hasPeer || hasBlocksBelow) this.#syncTo(number);
  }

  #moveNode(to: Block): void {
    this.nodeHead = to;
    this.#stillSinceMs = this.now;
  }

  #syncTo(number: bigint): void {
    this.known = number;
    this.syncsBySnapshot = false;
    this.#moveNode(block(number));
    this.#goTo(number);
  }

  #goTo(number: bigint): void {
    this.#saysItSyncs = undefined;
    this.clientHead = block(number);
    this.stateTo = this.canonicalTo = number;
  }
}
