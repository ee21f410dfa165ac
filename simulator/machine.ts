/**
 * One machine of the world: a clock, a disk, a rollup node, and the process that hosts a conductor
 * (conductor-process.ts), which faults kill, freeze and hold down and a supervisor starts again.
 */
import type { ConductorOptions } from '#conductor/core/conductor-options';
import type { ConductorEvent, StartedCall } from '#conductor/core/events';
import type { LogLevel } from '#conductor/core/ports';
import type { Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import type { RaftResult } from '#conductor/core/raft/events';
import { ConductorProcess, type Hosted, type Shown } from './conductor-process.ts';
import { Disk, type DiskImage } from './disk.ts';
import type { EventQueue } from './event-queue.ts';
import type { MachineClock } from './machine-clock.ts';
import type { Network } from './network.ts';
import type { RollupNode } from './rollup-node.ts';
import type { Stream } from './streams.ts';
import type { Call, RunObserver } from './observer.ts';

/** How long until a supervisor starts a process that ended by itself. */
const RESTART_MS = 1000;
/** Between a bit's rot and the scrub that finds it, at most. */
const SCRUB_MS = 10_000;
/** From the start of a process to its scrub, and between two of them. */
const SCRUB_AGAIN_MS = 5000;

export interface MachineHost {
  readonly queue: EventQueue;
  readonly network: Network;
  readonly random: Stream;
  readonly observer: RunObserver;
  /** What came in meanwhile is handled in one turn, at most so much of it. */
  readonly eventsPerTurn: number;
  /** A conductor writes a line of its log. */
  said(machine: Machine, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Settings of a process that starts now. */
  options(machine: Machine): ConductorOptions;
  execute(machine: Machine, call: StartedCall): void;
}

export class Machine {
  readonly index: number;
  readonly id: string;
  /** Where its processes listen from their start on, and are reached once members know it. */
  address: string;
  readonly disk = new Disk();
  readonly clock: MachineClock;
  readonly node: RollupNode;
  /** Its processes are op-conductors, in place of ours. */
  readonly isOpConductor: boolean;
  /** Its timers come so much later, milliseconds: it is busy with other work. */
  timersLateMs = 0;
  /** Its conductor is started with --paused. */
  isStartedPaused = false;
  readonly #host: MachineHost;
  /** Counts the processes there have been. */
  life = 0;
  #process: ConductorProcess | null = null;
  /** Freezes under way; nothing is handled while there is one. */
  #frozen = 0;
  /** Short stalls under way; nothing is handled either, and it counts as running. */
  #standing = 0;
  #nextId = 1;
  /** Faults that keep it down. */
  #heldDown = 0;
  #ambush: { readonly where: 'event' | 'write'; count: number; readonly untilMs: number } | null = null;

  constructor(
    { index, clock, node, isOpConductor }: Pick<Machine, 'index' | 'clock' | 'node' | 'isOpConductor'>,
    host: MachineHost,
  ) {
    this.index = index;
    this.id = `s${index}`;
    this.address = `s${index}:50050`;
    this.clock = clock;
    this.node = node;
    this.isOpConductor = isOpConductor;
    this.#host = host;
  }

  /** The one that runs; null while none does. */
  get conductor(): Hosted | null {
    return this.#process?.conductor ?? null;
  }

  /** What its conductor shows to whoever asks or scrapes it now; null where nobody would be answered at once. */
  shows(): Shown | null {
    return this.#process?.shows() ?? null;
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  /** Up and turning. */
  get isRunning(): boolean {
    return this.#process !== null && this.#frozen === 0;
  }

  /** Nothing is handled now. */
  get isFrozen(): boolean {
    return this.#frozen + this.#standing > 0;
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
    if (this.#process !== null || this.#heldDown > 0) return;
    this.life++;
    try {
      this.#process = new ConductorProcess(this, this.#host);
    } catch (error) {
      // A store that cannot be trusted: the supervisor tries again, an operator would replace it.
      this.#host.observer.threw(this, error);
      this.#host.queue.after(RESTART_MS, () => this.start());
      return;
    }
    this.#host.observer.started(this);
    this.push({ kind: 'tick' });
    if (this.disk.findRot() !== null) this.#scrubIn(SCRUB_AGAIN_MS);
  }

  /** kill −9, or with `isSilent` a power cut: no connection is closed. A write under way is durable or lost. */
  crash(isSilent = false): void {
    const ended = this.#process;
    if (ended === null) return;
    this.#host.network.ended({ server: this.index, life: this.life }, isSilent);
    this.#process = null;
    ended.end();
    this.#host.observer.ended(this);
  }

  /** It is killed, held down, and its disk is empty, or as it was when an image of it was taken. */
  loseDisk(image: DiskImage | null = null, isSilent = false): void {
    this.hold(1);
    this.crash(isSilent);
    if (image === null) this.disk.wipe();
    else this.disk.putBack(image);
    this.#host.observer.wiped(this);
  }

  /** A fault keeps it down; with `by` −1 it is over, and the supervisor starts it. */
  hold(by: 1 | -1): void {
    this.#heldDown += by;
    if (by < 0) this.start();
  }

  /** A fault freezes it; with `by` −1 it is over, and what has come in is handled. */
  freeze(by: 1 | -1): void {
    this.#frozen += by;
    this.#process?.goOn();
  }

  /** As `freeze`, for a moment. */
  stand(by: 1 | -1): void {
    this.#standing += by;
    this.#process?.goOn();
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
    if (this.#process === null) return answer({ kind: 'error', code: -32000, message: 'connection refused' });
    const answered = this.#calling(method, values, answer);
    this.#process?.call({ kind: 'rpc', answerId: this.#nextId++, method, values, from: 'simulator' }, answered);
  }

  /** A linearizable read of the log; `done` is never called when the process dies or is frozen. */
  read(done: (result: RaftResult) => void): void {
    if (this.#process === null) return;
    const answered = this.#calling('read', [], () => undefined);
    this.#process.read({ kind: 'read', requestId: this.#nextId++ }, (result) => {
      answered({ kind: 'result', json: JSON.stringify(result.kind) });
      done(result);
    });
  }

  /** A client appends an entry without a payload, if this conductor leads; nobody waits for it. */
  append(): void {
    this.push({ kind: 'barrier', requestId: this.#nextId++ });
  }

  /** An entry that is not in memory any more rots; a scrub finds it later. op-conductor has no checksums, and no scrub. */
  rot(index: number): void {
    if (this.isOpConductor || !this.disk.rot(index)) return;
    this.#scrubIn(this.#host.random.between(0, SCRUB_MS));
  }

  /** Feeds an event, now or when the process can take it; lost while there is none. */
  push(event: ConductorEvent): void {
    this.#process?.push(event);
  }

  /** Whether this is the event or write that was waited for. */
  isAmbushed(where: 'event' | 'write'): boolean {
    const ambush = this.#ambush;
    if (ambush === null || ambush.where !== where || --ambush.count > 0) return false;
    this.#ambush = null;
    return this.worldMs <= ambush.untilMs;
  }

  /** The process ends by itself; its supervisor starts it again. */
  endAndRestart(): void {
    this.crash();
    this.#host.queue.after(RESTART_MS, () => this.start());
  }

  /** Tells the observer of a call, and of its answer before that goes to whoever waits for it. */
  #calling(
    method: Call['method'],
    values: readonly ParamValue[],
    answer: (outcome: Outcome) => void,
  ): (outcome: Outcome) => void {
    const { observer } = this.#host;
    const call: Call = { method, values, sinceMs: this.worldMs };
    observer.called(this, call);
    return (outcome) => {
      observer.answered(this, call, outcome);
      answer(outcome);
    };
  }

  /** Each life of the process has a scrub of its own. */
  #scrubIn(ms: number): void {
    const { life } = this;
    this.#host.queue.after(ms, () => {
      if (this.life === life) this.#scrub();
    });
  }

  #scrub(): void {
    const index = this.disk.findRot();
    if (index === null || this.conductor === null) return;
    this.conductor.entryDamaged(index);
    this.#host.observer.scrubbed(this, index);
    this.push({ kind: 'tick' });
    // It goes on behind what it found.
    this.#scrubIn(SCRUB_AGAIN_MS);
  }
}
