/**
 * op-node's sequencing loop: it has its client build on the head, seals when the block is due, commits to the
 * conductor, gossips, and only then executes what it has published. A job that was not committed is kept and sealed
 * again every second for ever; one whose block turns out to be invalid is dropped, and one block time later another
 * one is built on the same parent. "Active" says nothing about whether it builds.
 */
import type { Block } from './blocks.ts';
import type { PayloadStatus } from './execution-client.ts';
import { takeOne } from './node-troubles.ts';
import type { RollupNode } from './rollup-node.ts';
import type { CommitAnswer, RollupNodeHost } from './rollup-node-host.ts';
import type { Job } from './spoiled-seals.ts';

/** A block is sealed this long before its time. */
const SEAL_LEAD_MS = 50;
/** A job that was not committed is offered again after this long; so is what its client did not answer about. */
const RETRY_MS = 1000;
/** A reset comes so soon after a block was offered, at most. */
const RESET_AFTER_MAX_MS = 20;
/** A sequencer whose client says SYNCING of the head does nothing for so long. */
const PARKED_MS = 30_000;

export class Sequencing {
  readonly #node: RollupNode;
  readonly #host: RollupNodeHost;
  isActive = false;
  /** Leaves out the pool's transactions and takes the next L1 origin (admin_setRecoverMode). */
  isRecovering = false;
  /** --sequencer.max-safe-lag: it pauses when its head is so many blocks ahead of the safe one; 0 for no limit. */
  maxSafeLag = 0;
  #isStalledByLag = false;
  #job: Job | null = null;
  #isCommitting = false;
  /** Jobs of an earlier life or leadership are not gone on with. */
  #epoch = 0;
  #wakeAtMs = Infinity;
  /** Not before: its client did not know the head, or refused the last block. */
  #parkedUntilMs = -Infinity;
  #dueFromMs = -Infinity;
  /** Published, and its client has not said yet what it is worth. */
  #unexecuted: Block | null = null;
  #stopWaits: ((head: Block) => void)[] = [];

  constructor(node: RollupNode, host: RollupNodeHost) {
    this.#node = node;
    this.#host = host;
  }

  /** An error text as op-node's, or null when it sequences now. */
  start(hash: string): string | null {
    const { head, faults } = this.#node;
    if (faults.unprovisioned > 0) return 'sequencer is not provisioned';
    if (this.isActive) return 'sequencer already running';
    if (hash !== head.hash) return `block hash does not match: head ${head.hash}:${head.number}, received ${hash}`;
    this.isActive = true;
    this.#epoch++;
    this.#job = null;
    // What keeps it from building is looked at when a block was inserted, not here (sequencer.go, forceStart).
    this.#isStalledByLag = false;
    this.#parkedUntilMs = -Infinity;
    this.#dueFromMs = -Infinity;
    // What a late block was told belongs to the time before.
    this.#isCommitting = false;
    this.wakeIn(0);
    return null;
  }

  /** Calls back with the head once the commit under way has ended; an error text when it cannot stop. */
  stop(done: (head: Block) => void): string | null {
    if (!this.isActive) return 'sequencer not running';
    if (takeOne(this.#node.faults, 'failingStops')) return 'stop failed';
    this.#stopWaits.push(done);
    if (!this.#isCommitting && !this.#node.isStuck) this.#finishStop();
    return null;
  }

  /** The process is gone: whatever it was about to do, too. */
  halt(): void {
    this.isActive = false;
    this.isRecovering = false;
    this.#epoch++;
    this.#job = null;
    this.#isCommitting = false;
    this.#unexecuted = null;
    this.#stopWaits = [];
  }

  /** Something that kept it from working is over. */
  wake(): void {
    this.wakeIn(0);
    if (this.#stopWaits.length > 0 && !this.#isCommitting && !this.#node.isStuck) this.#finishStop();
  }

  /** The head has moved: the next block can be begun. */
  headMoved(): void {
    this.#lookAtLag();
    if (this.isActive) this.wakeIn(0);
  }

  /** The pipeline was reset: the job is gone, and what follows is planned anew, a block time later (sequencer.go). */
  reset(): void {
    this.#job = null;
    this.#unexecuted = null;
    this.#parkedUntilMs = -Infinity;
    this.#dueFromMs = this.#host.queue.nowMs + this.#host.blockMs;
    this.#lookAtLag();
    if (this.isActive) this.wakeIn(0);
  }

  /** op-node does so with each forkchoice update; one that is stalled goes on when the safe head has come nearer. */
  #lookAtLag(): void {
    const node = this.#node;
    const isBounded = this.isActive && this.maxSafeLag > 0;
    this.#isStalledByLag = isBounded && node.safe.number + this.maxSafeLag <= node.head.number;
  }

  wakeIn(delayMs: number): void {
    const { queue } = this.#host;
    const atMs = queue.nowMs + delayMs;
    if (this.#wakeAtMs <= atMs && this.#wakeAtMs >= queue.nowMs) return;
    this.#wakeAtMs = atMs;
    queue.at(atMs, () => {
      if (this.#wakeAtMs !== atMs) return;
      this.#wakeAtMs = Infinity;
      this.#advance();
    });
  }

  #finishStop(): void {
    const epoch = ++this.#epoch;
    this.isActive = false;
    const job = this.#job;
    this.#job = null;
    // What is published and not executed is a payload like others from now on.
    if (this.#unexecuted !== null) this.#node.receive(this.#unexecuted);
    this.#unexecuted = null;
    for (const done of this.#stopWaits.splice(0)) done(this.#node.head);
    // A timer that was armed before the stop: one more block is sealed and offered.
    if (!takeOne(this.#node.faults, 'lateBlocks')) return;
    const late = job ?? this.#node.origins.planOn(this.#node.head, this.isRecovering);
    if (late === null) return;
    const offer = (): void => {
      if (this.#node.isUp && epoch === this.#epoch) this.#offer(late, epoch);
    };
    this.#host.queue.after(20, () => this.#node.work.do(offer));
  }

  /** Builds and seals what is due. */
  #advance(): void {
    const node = this.#node;
    if (!this.isActive || !node.isUp || this.#isCommitting) return;
    const waitMs = this.#waitMs();
    if (waitMs > 0) return this.wakeIn(waitMs);
    if (this.#unexecuted !== null) return this.#execute(this.#unexecuted);
    const { head } = node;
    if (this.#job === null || this.#job.parent !== head || this.#job.block.branch !== node.origins.branchOn(head))
      this.#job = node.origins.planOn(head, this.isRecovering);
    if (this.#job === null) return this.wakeIn(RETRY_MS);
    const sealInMs = this.#job.block.timestamp * 1000 - SEAL_LEAD_MS - this.#host.unixMs();
    if (sealInMs > 0) {
      // Its client was told of the job, which is a forkchoice update: one that is sealed at once is ahead of that.
      this.#lookAtLag();
      return this.wakeIn(sealInMs);
    }
    this.#offer(this.#job, this.#epoch);
  }

  /** How long it cannot go on for; 0 when it can. */
  #waitMs(): number {
    const { nowMs } = this.#host.queue;
    const { client, head, isStuck } = this.#node;
    if (isStuck || this.#host.isL1Standing() || client.faults.frozen > 0) return RETRY_MS;
    if (this.#isStalledByLag) this.#lookAtLag();
    if (this.#isStalledByLag) return RETRY_MS;
    // What was published and not executed is tried again whatever else there is.
    if (this.#unexecuted === null && !client.hasStateOf(head) && this.#parkedUntilMs === -Infinity)
      this.#parkedUntilMs = nowMs + PARKED_MS;
    const untilMs = Math.max(this.#parkedUntilMs, this.#dueFromMs);
    if (untilMs > nowMs) return untilMs - nowMs;
    this.#parkedUntilMs = -Infinity;
    return this.#unexecuted === null && !client.hasStateOf(head) ? RETRY_MS : 0;
  }

  #offer(job: Job, epoch: number): void {
    const { queue, random } = this.#host;
    const block = this.#host.seal(job);
    // A reset: what becomes of this block is not heard any more, and another one is sealed.
    const isLost = takeOne(this.#node.faults, 'lostAnswers');
    this.#isCommitting = true;
    let isOver = false;
    const finish = (told: CommitAnswer): void => {
      if (isOver) return;
      isOver = true;
      this.#node.work.do(() => goOn(told));
    };
    const goOn = (told: CommitAnswer): void => {
      if (epoch !== this.#epoch) return;
      this.#isCommitting = false;
      const isPublished = told === 'committed' && !isLost;
      if (isPublished) this.#publish(block);
      else if (isLost) this.#job = null;
      if (this.#stopWaits.length > 0 && !this.#node.isStuck) this.#finishStop();
      else if (this.isActive) this.wakeIn(isPublished ? 0 : isLost ? random.between(0, RETRY_MS) : RETRY_MS);
    };
    this.#host.commit(block, finish);
    if (isLost) queue.after(random.between(0, RESET_AFTER_MAX_MS), () => finish('failed'));
  }

  /** Gossips a committed block, and only then executes it. */
  #publish(block: Block): void {
    this.#job = null;
    this.#host.blocks.publish(block, this.#host.queue.nowMs);
    this.#host.published(block);
    if (block.parentHash === this.#node.head.hash) this.#execute(block);
  }

  #execute(block: Block): void {
    const epoch = this.#epoch;
    this.#unexecuted = block;
    this.#node.insert(block, (status) => {
      if (epoch !== this.#epoch || this.#unexecuted !== block) return;
      if (status === null || isOpen(status)) return this.isActive ? this.wakeIn(RETRY_MS) : undefined;
      this.#unexecuted = null;
      if (status === 'VALID') return;
      // handleInvalid: another job on the same parent, one block time later.
      this.#dueFromMs = this.#host.queue.nowMs + this.#host.blockMs;
      if (this.isActive) this.wakeIn(this.#host.blockMs);
    });
  }
}

/** It is no verdict, and op-node asks again. */
function isOpen(status: PayloadStatus): boolean {
  return status === 'SYNCING' || status === 'ACCEPTED';
}
