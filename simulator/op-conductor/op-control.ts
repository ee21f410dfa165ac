/**
 * op-conductor's control loop: one event or one action at a time, and what leader, healthy and active come to. It knows no
 * evidence, no peers' status, and brings its node up by one block at most; an action that fails is tried again, for ever.
 */
import { latestBlock, postPayload, readHeader, startSequencer, stopSequencer } from '#conductor/core/node/calls';
import { call, wait, type Steps } from '#conductor/core/node/effects';
import { envelopeText } from '#conductor/core/payload/envelope-text';
import { decodeSsz } from '#conductor/core/payload/ssz';
import { SszError } from '#conductor/core/payload/ssz-check';
import type { HeldPayload } from './payload-state.ts';

/** After a failed action, at most. */
const RETRY_MAX_MS = 2000;

interface State {
  readonly isLeader: boolean;
  readonly isHealthy: boolean;
  readonly isActive: boolean;
}

/** What a health check came to. */
export type Health = 'healthy' | 'unhealthy' | 'connection down';

export interface OpControlHost {
  /** Uniform in [0, 1). */
  random(): number;
  /** The head of the own state machine. */
  head(): HeldPayload | null;
}

export class OpControl {
  isPaused: boolean;
  isLeader = false;
  isActive: boolean;
  isActionQueued = false;
  #health: Health = 'healthy';
  #before: State;
  readonly #host: OpControlHost;

  constructor(host: OpControlHost, isPaused: boolean, isActive: boolean) {
    this.#host = host;
    this.isPaused = isPaused;
    this.isActive = isActive;
    this.#before = this.#state;
  }

  get isHealthy(): boolean {
    return this.#health === 'healthy';
  }

  get #state(): State {
    const { isLeader, isHealthy, isActive } = this;
    return { isLeader, isHealthy, isActive };
  }

  leaderIs(isLeader: boolean): void {
    this.isLeader = isLeader;
    this.isActionQueued = true;
  }

  healthIs(health: Health): void {
    if (health !== 'healthy' || !this.isHealthy) this.isActionQueued = true;
    this.#health = health;
  }

  /** The node says whether it sequences; then the loop sees to it that this is as it should be. */
  resumed(isActive: boolean): void {
    this.isActive = isActive;
    this.isPaused = false;
    this.isActionQueued = true;
  }

  /** One action; the loop does nothing else meanwhile. */
  *action(): Steps<void> {
    this.isActionQueued = false;
    if (this.isPaused) return;
    const state = this.#state;
    const problem = yield* this.#deed(state);
    if (problem !== '') {
      yield* wait(this.#host.random() * RETRY_MAX_MS);
      this.isActionQueued = true;
      return;
    }
    this.#before = state;
  }

  *#deed({ isLeader, isHealthy, isActive }: State): Steps<string> {
    if (!isLeader) return isActive ? yield* this.#stop() : '';
    if (isHealthy) return isActive ? '' : yield* this.#start();
    const { isLeader: led, isHealthy: wasHealthy, isActive: wasActive } = this.#before;
    if (isActive) {
      // It was started though it was not healthy, and recovers by itself.
      if (led && !wasHealthy && !wasActive) return '';
      const stopped = yield* this.#stop();
      return stopped + (yield* this.#transfer());
    }
    const isJustElected = !led && !wasActive && this.#health !== 'connection down';
    return yield* isJustElected ? this.#start() : this.#transfer();
  }

  *#start(): Steps<string> {
    const read = yield { kind: 'read' };
    if (read.kind !== 'read' || !read.isConfirmed) return 'unable to retrieve the payload from consensus';
    const head = this.#host.head();
    if (head === null) return 'no unsafe head';
    const latest = yield* call(latestBlock);
    const node = latest.kind === 'result' ? readHeader(latest.value) : null;
    if (node === null) return 'failed to get the latest block from the node';
    if (node.hash !== head.hash) {
      if (head.number - node.number !== 1n) return 'unsafe head mismatch';
      const decoded = decodeSsz(head.ssz);
      if (decoded instanceof SszError) return decoded.message;
      const posted = yield* call(postPayload(envelopeText(decoded.envelope)));
      if (posted.kind !== 'result') return posted.message;
    }
    const started = yield* call(startSequencer(head.hash));
    if (started.kind !== 'result' && !started.message.includes('already running')) return started.message;
    this.isActive = true;
    return '';
  }

  *#stop(): Steps<string> {
    const stopped = yield* call(stopSequencer());
    if (stopped.kind !== 'result' && !stopped.message.includes('not running')) return stopped.message;
    this.isActive = false;
    return '';
  }

  *#transfer(): Steps<string> {
    const handed = yield { kind: 'transfer', target: null, exclude: [] };
    if (handed.kind !== 'transfer' || !handed.isDone) return 'failed to transfer leadership';
    this.isLeader = false;
    return '';
  }
}
