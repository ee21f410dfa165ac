/**
 * An op-node with its execution client for tests of the core, in virtual time: it answers a request when asked to, from
 * fields that a test reads and sets. What a block is beyond its place in the chain is the test world's. A node that
 * builds blocks, derives and forgets is the simulator's.
 */
import { wellAnswers } from '../../health/checks.ts';
import type { CallResult, CallTarget, NodeRequest } from '../calls.ts';

const clientTargets: ReadonlySet<CallTarget> = new Set(['execution', 'executionPeers', 'engine']);
const GENESIS_HASH = `0x${'00'.repeat(31)}01`;

export interface Block {
  readonly number: bigint;
  readonly hash: string;
  readonly parentHash: string;
}

/** What the world around it knows. */
export interface NodeWorld {
  /** The time of day, milliseconds. */
  unixMs(): number;
  /** The block of a payload that was posted; null when it cannot be read. */
  posted(payload: unknown): Block | null;
  /** The block of a lower number on the chain of `head`; null when nobody knows. */
  below(head: Block, number: bigint): Block | null;
}

export class VirtualNode {
  isUp = true;
  /** Whether anybody listens at the port of its client. */
  isClientUp = true;
  isSequencing = false;
  /** op-node's recover mode. */
  isRecovering = false;
  /** Peers that it says it has. */
  peerCount = 3;
  head: Block | null = null;
  /** The head of its client, where that is another. */
  clientHead: Block | null = null;
  /** The highest block of its safe chain; null for its head. */
  safeHead: Block | null = null;
  /** How old it says its head is, seconds. */
  headAgeSeconds = 0;
  /** So many payloads that are posted next are dropped. */
  postsDropped = 0;
  /** Why the next starts fail. */
  startErrors: string[] = [];
  /** Starts are taken whatever hash they name, as by kona-node. */
  ignoresHash = false;
  /** So many stops are not answered. */
  stopFailures = 0;
  /** It has just started, syncs by its client, and was told of no block yet. */
  hasNoHead = false;
  /** Hashes that its client refuses. */
  readonly invalid = new Set<string>();
  /** Its client executes what it is given; one that does not would have to sync first. */
  canExecute = true;
  /** The newest L1 block that it knows, and when that was made, Unix seconds; null where it does not say. */
  l1: { readonly number: number; readonly timestamp: number; readonly hash?: string } | null = null;
  /** What its client can be asked for by hash. */
  readonly blocks = new Map<string, Block>();
  readonly #world: NodeWorld;

  constructor(world: NodeWorld) {
    this.#world = world;
  }

  /** Carries out a request; what is asked of a peer or of the engine API is answered also while op-node is down. */
  answer({ target, method, params }: NodeRequest): CallResult {
    const [first] = JSON.parse(params) as [unknown];
    if (target === 'peer') return result(null);
    if (!this.isClientUp && clientTargets.has(target)) return connectionRefused();
    if (target === 'engine') return this.#execute(first as { readonly blockHash: string });
    if (!this.isUp) return connectionRefused();
    switch (method) {
      case 'optimism_syncStatus':
        return result(this.#syncStatus());
      case 'opp2p_peerStats':
        return result({ connected: this.peerCount });
      case 'admin_sequencerActive':
        return result(this.isSequencing);
      case 'admin_startSequencer':
        return this.#start(first as string);
      case 'admin_stopSequencer':
        return this.#stop();
      case 'admin_postUnsafePayload':
        this.hasNoHead = false;
        this.#insert(first);
        return result(null);
      case 'admin_setRecoverMode':
        this.isRecovering = first === true;
        return result(null);
      case 'eth_getBlockByNumber':
        return result(headerOf(typeof first === 'string' ? this.#blockAt(first) : null));
      case 'eth_getBlockByHash':
        return result(headerOf(this.blocks.get(first as string) ?? null));
      case 'eth_syncing':
        return result(false);
      case 'optimism_outputAtBlock':
        return result({});
      case 'miner_setMaxDASize':
        return result(true);
      default: {
        const well = wellAnswers(target)[method];
        return well === undefined
          ? refused(`the method ${method} does not exist/is not available`, -32_601)
          : result(well);
      }
    }
  }

  #execute({ blockHash }: { readonly blockHash: string }): CallResult {
    if (!this.canExecute) return result({ status: 'SYNCING', latestValidHash: null, validationError: null });
    const isInvalid = this.invalid.has(blockHash);
    return result({
      status: isInvalid ? 'INVALID' : 'VALID',
      latestValidHash: null,
      validationError: isInvalid ? 'invalid merkle root' : null,
    });
  }

  #syncStatus(): object {
    const timestamp = Math.floor(this.#world.unixMs() / 1000) - this.headAgeSeconds;
    return {
      ...(this.l1 === null ? {} : { head_l1: this.l1 }),
      unsafe_l2: { ...syncHeadOf(this.head), timestamp },
      safe_l2: { ...syncHeadOf(this.safeHead ?? this.head), timestamp: 0 },
    };
  }

  #start(hash: string): CallResult {
    const error = this.startErrors.shift() ?? (this.isSequencing ? 'sequencer already running' : null);
    if (error !== null) return refused(error);
    if (this.hasNoHead) return refused(`no prestate, cannot determine if sequencer start at ${hash} is safe`);
    if (hash !== this.head?.hash && !this.ignoresHash) return refused('block hash does not match');
    this.isSequencing = true;
    return result(null);
  }

  #stop(): CallResult {
    if (this.stopFailures > 0) {
      this.stopFailures -= 1;
      return { kind: 'failed', reason: 'timeout', message: 'no answer' };
    }
    if (!this.isSequencing) return refused('sequencer not running');
    this.isSequencing = false;
    return result(this.head?.hash ?? null);
  }

  #insert(payload: unknown): void {
    if (this.postsDropped > 0) {
      this.postsDropped -= 1;
      return;
    }
    const block = this.#world.posted(payload);
    if (block !== null && block.parentHash === this.head?.hash) this.head = block;
  }

  /** On the chain of its client. */
  #blockAt(name: string): Block | null {
    const head = this.clientHead ?? this.head;
    if (name === 'latest' || head === null) return head;
    const number = BigInt(name);
    if (number > head.number) return null;
    return number === head.number ? head : this.#world.below(head, number);
  }
}

function result(value: unknown): CallResult {
  return { kind: 'result', value };
}

function connectionRefused(): CallResult {
  return { kind: 'failed', reason: 'refused', message: 'connection refused' };
}

function refused(message: string, code = -32_000): CallResult {
  return { kind: 'error', code, message };
}

function headerOf(block: Block | null): Record<string, string> | null {
  if (block === null) return null;
  return { number: `0x${block.number.toString(16)}`, hash: block.hash, parentHash: block.parentHash };
}

function syncHeadOf(head: Block | null): { readonly number: number; readonly hash: string } {
  return { number: Number(head?.number ?? 0n), hash: head?.hash ?? GENESIS_HASH };
}
