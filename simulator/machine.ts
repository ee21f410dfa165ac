/**
 * One machine of the world: the process that hosts a shipping Conductor over the simulated disk, network,
 * clock and rollup node, with the duties a real host has (events.ts): send, write, then answer; one timer;
 * events wait while a write is under way or the process is frozen.
 */
import { Conductor } from '#conductor/conductor';
import type { ConductorOptions } from '#conductor/conductor-options';
import type { ConductorEvent, ConductorReady, StartedCall } from '#conductor/events';
import type { Outcome } from '#conductor/rpc/message';
import type { MethodName } from '#conductor/rpc/methods';
import type { ParamValue } from '#conductor/rpc/params';
import type { RaftResult } from '#conductor/raft/events';
import { Disk } from './disk.ts';
import type { EventQueue } from './event-queue.ts';
import type { MachineClock } from './machine-clock.ts';
import type { Network } from './network.ts';
import type { RollupNode } from './rollup-node.ts';
import type { Stream } from './streams.ts';
import type { Witness } from './witness.ts';

/** Time a durable write takes, milliseconds. */
const WRITE_MS = { min: 0.1, max: 0.6 };
/** How long a failed process may still say its last words, and an ended one needs to be gone. */
const LAST_WORDS_MS = 200;
/** How long until a supervisor starts a process that ended by itself. */
const RESTART_MS = 1000;
/** Between a bit's rot and the scrub that finds it, at most. */
const SCRUB_MS = 10_000;

export interface MachineHost {
  readonly queue: EventQueue;
  readonly network: Network;
  readonly random: Stream;
  readonly witness: Witness;
  /** Settings of a process that starts now. */
  options(machine: Machine): ConductorOptions;
  perform(machine: Machine, call: StartedCall): void;
}

export class Machine {
  readonly index: number;
  readonly id: string;
  readonly address: string;
  readonly disk = new Disk();
  readonly clock: MachineClock;
  readonly node: RollupNode;
  readonly #host: MachineHost;
  conductor: Conductor | null = null;
  life = 0;
  /** Freezes under way; nothing is handled while there is one. */
  #frozen = 0;
  /** A write is under way until then. */
  #isWriting = false;
  #inbox: ConductorEvent[] = [];
  #answers = new Map<number, (outcome: Outcome) => void>();
  #results = new Map<number, (result: RaftResult) => void>();
  #nextId = 1;
  #timerAtMs = Infinity;
  /** Kept down by faults, each counted; and whether a supervisor should start it otherwise. */
  #heldDown = 0;
  #ambush: { readonly where: 'event' | 'write'; count: number; readonly untilMs: number } | null = null;

  constructor(index: number, clock: MachineClock, node: RollupNode, host: MachineHost) {
    this.index = index;
    this.id = `s${index}`;
    this.address = `s${index}:50050`;
    this.clock = clock;
    this.node = node;
    this.#host = host;
  }

  get isUp(): boolean {
    return this.conductor !== null;
  }

  /** Up and turning. */
  get isRunning(): boolean {
    return this.conductor !== null && this.#frozen === 0;
  }

  /** The world's time. */
  get worldMs(): number {
    return this.#host.queue.nowMs;
  }

  /** Its own monotonic time. */
  get nowMs(): number {
    return this.clock.monotonicMs(this.#host.queue.nowMs);
  }

  /** Starts the process, unless it runs or is held down. */
  start(): void {
    if (this.conductor !== null || this.#heldDown > 0) return;
    this.life++;
    try {
      this.conductor = this.#open();
    } catch (error) {
      // A store that cannot be trusted: the supervisor tries again, an operator would replace it.
      this.#host.witness.threw(this, error);
      this.#host.queue.after(RESTART_MS, () => this.start());
      return;
    }
    this.#host.witness.started(this);
    this.push({ kind: 'tick' });
  }

  /** kill −9, or with `isSilent` a power cut: no connection is closed. A write under way is durable or lost. */
  crash(isSilent = false): void {
    if (this.conductor === null) return;
    this.#host.network.ended({ server: this.index, life: this.life }, isSilent);
    this.conductor = null;
    this.#isWriting = false;
    this.#inbox = [];
    this.#timerAtMs = Infinity;
    this.#results.clear();
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const answer of answers) answer({ kind: 'error', code: -32000, message: 'connection reset' });
    this.#host.witness.ended(this);
  }

  /** A fault keeps it down; with `by` −1 it is over, and the supervisor starts it. */
  hold(by: 1 | -1): void {
    this.#heldDown += by;
    if (by < 0) this.start();
  }

  /** A fault freezes it; with `by` −1 it is over, and what has come in is handled. */
  freeze(by: 1 | -1): void {
    this.#frozen += by;
    this.#goOn();
  }

  /**
   * kill −9 after so many more events, or in the middle of a write after so many more of them, if that happens
   * within a while. One ambush at a time.
   */
  ambush(where: 'event' | 'write', count: number, withinMs: number): void {
    this.#ambush = { where, count, untilMs: this.worldMs + withinMs };
  }

  /** SIGTERM. */
  drain(): void {
    this.push({ kind: 'drain', reason: 'SIGTERM' });
  }

  /** Makes an RPC call of this conductor; never answered when the process is frozen. */
  call(method: MethodName, values: readonly ParamValue[], answer: (outcome: Outcome) => void): void {
    if (this.conductor === null) return answer({ kind: 'error', code: -32000, message: 'connection refused' });
    const answerId = this.#nextId++;
    this.#answers.set(answerId, answer);
    this.push({ kind: 'rpc', answerId, method, values, from: 'simulator' });
  }

  /** A linearizable read of the log; `done` is never called when the process dies or is frozen. */
  read(done: (result: RaftResult) => void): void {
    if (this.conductor === null) return;
    const requestId = this.#nextId++;
    this.#results.set(requestId, done);
    this.push({ kind: 'read', requestId });
  }

  /** A client appends an entry without a payload, if this conductor leads; nobody waits for it. */
  append(): void {
    this.push({ kind: 'barrier', requestId: this.#nextId++ });
  }

  /** An entry that is not in memory any more rots; a scrub finds it later. */
  rot(index: number): void {
    if (!this.disk.rot(index)) return;
    const { life } = this;
    this.#host.queue.after(this.#host.random.between(0, SCRUB_MS), () => {
      if (this.life === life) this.#scrub();
    });
  }

  #open(): Conductor {
    const { random, witness, queue } = this.#host;
    const nothing = (): void => undefined;
    return new Conductor(
      this.#host.options(this),
      {
        store: this.disk,
        random,
        wallClock: { unixMs: () => this.clock.unixMs(queue.nowMs) },
        metrics: {
          count: (name, _labels, by = 1) => witness.counted(this, name, by),
          gauge: nothing,
          observe: nothing,
        },
        logger: { log: (level, message, fields) => witness.said(this, level, message, fields) },
      },
      this.nowMs,
    );
  }

  /** Feeds an event, now or when the process can take it. */
  push(event: ConductorEvent): void {
    if (this.conductor === null) return;
    if (this.#frozen > 0 || this.#isWriting) {
      this.#inbox.push(event);
      return;
    }
    this.#handle(this.conductor, event);
  }

  #handle(conductor: Conductor, event: ConductorEvent): void {
    if (this.#isAmbushed('event')) return this.#endAndRestart();
    this.#host.witness.handled(this, event);
    this.#guard(() => {
      conductor.handle(event, this.nowMs);
      this.#drainReady(conductor);
    });
  }

  #drainReady(conductor: Conductor): void {
    const { network } = this.#host;
    const end = { server: this.index, life: this.life };
    for (let ready = conductor.ready(); ready !== null; ready = conductor.ready()) {
      for (const message of ready.sendFirst) network.send(end, message);
      if (ready.write !== null) return this.#write(conductor, ready, ready.write);
      this.#deliver(ready);
      if (this.conductor !== conductor) return;
    }
    this.#host.witness.observed(this, conductor.status());
    this.#arm(conductor);
  }

  /** The process does nothing else until its write is durable. */
  #write(conductor: Conductor, ready: ConductorReady, batch: NonNullable<ConductorReady['write']>): void {
    const { queue, random } = this.#host;
    const { life } = this;
    this.#isWriting = true;
    const { generation } = this.disk;
    const latencyMs = random.between(WRITE_MS.min, WRITE_MS.max) + this.disk.extraLatencyMs;
    // A crash in between may find the transaction durable already.
    const durableAtMs = random.next() * latencyMs;
    let isDurable = false;
    const commit = (): void => {
      if (isDurable || this.disk.failures > 0 || this.disk.generation !== generation) return;
      isDurable = true;
      this.disk.write(batch);
      this.#host.witness.written(this, batch);
    };
    if (this.#isAmbushed('write'))
      queue.after(random.next() * latencyMs, () => {
        if (this.life === life) this.#endAndRestart();
      });
    queue.after(durableAtMs, () => {
      if (this.life === life && this.conductor === conductor) commit();
    });
    queue.after(latencyMs, () => {
      if (this.conductor !== conductor) return;
      this.#isWriting = false;
      this.#guard(() => {
        commit();
        if (isDurable) {
          conductor.persisted(this.nowMs);
          this.#deliver(ready);
        } else this.#storeFailed(conductor);
        if (this.conductor === conductor) this.#drainReady(conductor);
      });
      this.#goOn();
    });
  }

  /** Last words, then the process ends and its supervisor starts it again. */
  #storeFailed(conductor: Conductor): void {
    conductor.writeFailed('the disk failed');
    const { life } = this;
    this.#host.queue.after(LAST_WORDS_MS, () => {
      if (this.life === life) this.#endAndRestart();
    });
  }

  /** Whether this is the event or write that was waited for. */
  #isAmbushed(where: 'event' | 'write'): boolean {
    const ambush = this.#ambush;
    if (ambush === null || ambush.where !== where || --ambush.count > 0) return false;
    this.#ambush = null;
    return this.worldMs <= ambush.untilMs;
  }

  #endAndRestart(): void {
    this.crash();
    this.#host.queue.after(RESTART_MS, () => this.start());
  }

  #deliver(ready: ConductorReady): void {
    const { network } = this.#host;
    const end = { server: this.index, life: this.life };
    for (const message of ready.send) network.send(end, message);
    for (const { inboundId, response } of ready.replies) network.reply(end, inboundId, response);
    for (const peerId of ready.forget) network.forget(end, peerId);
    for (const result of ready.results) {
      const done = this.#results.get(result.requestId);
      this.#results.delete(result.requestId);
      done?.(result);
    }
    for (const call of ready.calls) this.#host.perform(this, call);
    for (const { answerId, outcome } of ready.answers) {
      const answer = this.#answers.get(answerId);
      this.#answers.delete(answerId);
      answer?.(outcome);
    }
    if (ready.exit !== null) this.#endAndRestart();
  }

  /** Handles what has come in meanwhile. */
  #goOn(): void {
    while (this.conductor !== null && this.#frozen === 0 && !this.#isWriting) {
      const event = this.#inbox.shift();
      if (event === undefined) return this.#arm(this.conductor);
      this.#handle(this.conductor, event);
    }
  }

  /** One timer at the conductor's deadline; an early one is harmless. */
  #arm(conductor: Conductor): void {
    const { queue } = this.#host;
    const deadlineMs = conductor.nextDeadlineMs();
    if (deadlineMs === Infinity) return;
    const atMs = Math.max(queue.nowMs, this.clock.worldMs(deadlineMs));
    if (this.#timerAtMs <= atMs && this.#timerAtMs > queue.nowMs) return;
    this.#timerAtMs = atMs;
    const { life } = this;
    queue.at(atMs, () => {
      if (this.life !== life || this.conductor === null || this.#timerAtMs !== atMs) return;
      this.#timerAtMs = Infinity;
      if (this.#frozen > 0 || this.#isWriting) return;
      // The clock may have changed its pace since.
      if (this.clock.worldMs(this.conductor.nextDeadlineMs()) > queue.nowMs + 1e-6) this.#arm(this.conductor);
      else this.#handleTick(this.conductor);
    });
  }

  #handleTick(conductor: Conductor): void {
    this.#host.witness.handled(this, { kind: 'tick' });
    this.#guard(() => {
      conductor.handle({ kind: 'tick' }, Math.max(this.nowMs, conductor.nextDeadlineMs()));
      this.#drainReady(conductor);
    });
  }

  #scrub(): void {
    const index = this.disk.findRot();
    if (index === null || this.conductor === null) return;
    this.conductor.entryDamaged(index);
    this.push({ kind: 'tick' });
  }

  /** Whatever the core throws ends the process, as in production; a broken invariant is for the oracles. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#host.witness.threw(this, error);
      this.#endAndRestart();
    }
  }
}
