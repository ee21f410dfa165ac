/**
 * One life of the process that hosts a shipping Conductor, with the duties a real host has (events.ts): send,
 * write, then answer; one timer; events wait while a write is under way or the process is frozen. Nothing of it
 * outlives the process but what is on the disk.
 */
import { Conductor } from '#conductor/core/conductor';
import type { ConductorOptions, ConductorPorts } from '#conductor/core/conductor-options';
import { Driver, type WriteFailure } from '#conductor/core/drive';
import type { ConductorEvent, ConductorReady } from '#conductor/core/events';
import type { WriteBatch } from '#conductor/core/ports';
import { noListener } from '#conductor/core/published-event';
import type { RaftResult } from '#conductor/core/raft/events';
import type { Outcome } from '#conductor/core/rpc/message';
import { methodTable, type MethodName } from '#conductor/core/rpc/methods';
import type { Machine, MachineHost } from './machine.ts';
import { OpConductor } from './op-conductor/op-conductor.ts';

/** Time a durable write takes, milliseconds. */
const WRITE_MS = { min: 0.1, max: 0.6 };
/** How long a failed process may still send what it has to say. */
const SHUTDOWN_GRACE_MS = 200;

/** What a process hosts: the conductor that ships, or an op-conductor, in the part that both have. */
export type Hosted = Pick<
  Conductor,
  | 'handle'
  | 'answerNow'
  | 'ready'
  | 'persisted'
  | 'writeFailed'
  | 'entryDamaged'
  | 'nextDeadlineMs'
  | 'position'
  | 'status'
  | 'readiness'
  | 'publishGauges'
> & {
  /** Why a flashblock is not handed on; an op-conductor is not asked. */
  readonly flashblocksWithheld?: Conductor['flashblocksWithheld'];
  /** The committed payload to build on; null while none is held. */
  committedHead(): { readonly number: bigint; readonly hash: string } | null;
};

/** Methods that are answered at once, from a conductor's own state. */
const reads: readonly MethodName[] = methodTable.flatMap(({ name, answering }) =>
  answering.kind === 'read' ? [name] : [],
);

/** What a conductor tells whoever asks it, or scrapes it, at one moment. */
export interface Shown {
  /** The answer of each method that only reads, parsed. */
  readonly answers: ReadonlyMap<MethodName, unknown>;
  /** Gauges without labels. */
  readonly gauges: ReadonlyMap<string, number>;
  /** '' for ready. */
  readonly readiness: string;
}

export class ConductorProcess {
  readonly conductor: Hosted;
  readonly #driver: Driver<ConductorReady>;
  readonly #machine: Machine;
  readonly #host: MachineHost;
  /** Of the machine, for the network. */
  readonly #endpoint: { readonly server: number; readonly life: number };
  #isOver = false;
  #isTurning = false;
  #inbox: ConductorEvent[] = [];
  readonly #answers = new Map<number, (outcome: Outcome) => void>();
  readonly #results = new Map<number, (result: RaftResult) => void>();
  #timerAtMs = Infinity;
  /** What is being scraped; null while nothing is. */
  #gauges: Map<string, number> | null = null;

  /** Opens the store; throws StoreError when it cannot be trusted. */
  constructor(machine: Machine, host: MachineHost) {
    this.#machine = machine;
    this.#host = host;
    this.#endpoint = { server: machine.index, life: machine.life };
    const { random, observer, queue } = host;
    const ports: ConductorPorts = {
      store: machine.disk,
      random,
      wallClock: {
        unixMs: () => machine.clock.unixMs(queue.nowMs),
        aheadMs: () => machine.clock.unixMs(queue.nowMs) - machine.clock.monotonicMs(queue.nowMs),
      },
      metrics: {
        count: (name: string, _labels?: object, by = 1) => observer.counted(machine, name, by),
        gauge: (name: string, value: number, labels?: object) => {
          if (labels === undefined) this.#gauges?.set(name, value);
        },
        observe: (name: string, value: number) => observer.measured(machine, name, value),
      },
      logger: { log: (level, message, fields) => host.said(machine, level, message, fields) },
      events: noListener,
    };
    this.conductor = hostedBy(machine, host.options(machine), ports);
    const { network } = host;
    this.#driver = new Driver({
      core: this.conductor,
      writer: { write: (batch, ended) => this.#write(batch, ended) },
      transport: {
        send: (message) => {
          observer.sent(machine, message);
          const { request, peerId, channel } = message;
          if (request.kind === 'timeoutNow')
            observer.handsOver(machine, peerId, channel === 'heartbeat', request.peerStatus !== undefined);
          network.send(this.#endpoint, message);
        },
        reply: (inboundId, response) => network.reply(this.#endpoint, inboundId, response),
        forget: (peerId) => network.forget(this.#endpoint, peerId),
      },
      nowMs: () => machine.nowMs,
      deliver: (ready) => this.#deliver(ready),
      writeFailed: () => queue.after(SHUTDOWN_GRACE_MS, () => this.#endAndRestart()),
    });
  }

  /** It is gone at once: callers lose their connections. A write under way is durable or lost. */
  end(): void {
    this.#isOver = true;
    this.#driver.stop();
    this.#results.clear();
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const answer of answers) answer({ kind: 'error', code: -32000, message: 'connection reset' });
  }

  /** Feeds an event, now or when the process can take it. */
  push(event: ConductorEvent): void {
    this.#inbox.push(event);
    this.goOn();
  }

  /** As `push`, of a call; `answer` is called once, unless the process stays frozen. */
  call(event: Extract<ConductorEvent, { kind: 'rpc' }>, answer: (outcome: Outcome) => void): void {
    this.#answers.set(event.answerId, answer);
    this.push(event);
  }

  /** As `push`, of a read of the log; `done` is not called when the process dies or stays frozen. */
  read(event: Extract<ConductorEvent, { kind: 'read' }>, done: (result: RaftResult) => void): void {
    this.#results.set(event.requestId, done);
    this.push(event);
  }

  /** What it shows now, which changes nothing; null where an answer takes an event, as any of an op-conductor does. */
  shows(): Shown | null {
    const answers = new Map<MethodName, unknown>();
    for (const method of reads) {
      const outcome = this.conductor.answerNow(method, this.#machine.nowMs);
      if (outcome?.kind !== 'result') return null;
      answers.set(method, JSON.parse(outcome.json));
    }
    const gauges = new Map<string, number>();
    this.#gauges = gauges;
    this.conductor.publishGauges();
    this.#gauges = null;
    return { answers, gauges, readiness: this.conductor.readiness() };
  }

  /** Turns of its event loop while it can: what has come in meanwhile, and then what follows from it. */
  goOn(): void {
    while (this.#canTurn && this.#inbox.length > 0) this.#turn();
    if (this.#canTurn) this.#arm();
  }

  get #canTurn(): boolean {
    return !this.#isOver && !this.#isTurning && !this.#machine.isFrozen && !this.#driver.isWriting;
  }

  #turn(): void {
    this.#inTurn(() => {
      for (const event of this.#inbox.splice(0, this.#host.eventsPerTurn)) {
        if (this.#machine.isAmbushed('event')) return this.#machine.endAndRestart();
        this.#host.observer.handled(this.#machine, event);
        this.conductor.handle(event, this.#machine.nowMs);
      }
      this.#drainReady();
    });
  }

  #drainReady(): void {
    this.#driver.drain();
    if (this.#isOver || this.#driver.isWriting) return;
    this.#host.observer.observed(this.#machine, this.conductor.position());
    this.#arm();
  }

  /** The process does nothing else until its write is durable. */
  #write(batch: WriteBatch, ended: (failure: WriteFailure | null) => void): void {
    const { queue, random, observer } = this.#host;
    const { disk } = this.#machine;
    const { generation } = disk;
    const latencyMs = random.between(WRITE_MS.min, WRITE_MS.max) + disk.takeDelayMs();
    // A crash in between may find the transaction durable already.
    const durableAtMs = random.next() * latencyMs;
    let isDurable = false;
    const commit = (): void => {
      if (isDurable || disk.failures > 0 || disk.generation !== generation) return;
      isDurable = true;
      disk.write(batch);
      observer.written(this.#machine, batch);
    };
    if (this.#machine.isAmbushed('write')) queue.after(random.next() * latencyMs, () => this.#endAndRestart());
    queue.after(durableAtMs, () => {
      if (!this.#isOver) commit();
    });
    queue.after(latencyMs, () => {
      if (this.#isOver) return;
      this.#inTurn(() => {
        commit();
        ended(isDurable ? null : { error: new Error('the disk failed') });
        if (!this.#isOver) this.#drainReady();
      });
      this.goOn();
    });
  }

  #endAndRestart(): void {
    if (this.#machine.life === this.#endpoint.life) this.#machine.endAndRestart();
  }

  #deliver(ready: ConductorReady): void {
    for (const result of ready.results) {
      const done = this.#results.get(result.requestId);
      this.#results.delete(result.requestId);
      done?.(result);
    }
    for (const call of ready.calls) this.#host.execute(this.#machine, call);
    for (const { answerId, outcome } of ready.answers) {
      const answer = this.#answers.get(answerId);
      this.#answers.delete(answerId);
      if (answer === undefined) this.#host.observer.threw(this.#machine, new Error('a call is answered again'));
      else answer(outcome);
    }
    if (ready.exit === null) return;
    this.#host.observer.exited(this.#machine, ready.exit.message);
    this.#machine.endAndRestart();
  }

  /** One timer at the conductor's deadline; an early one is harmless. */
  #arm(): void {
    const { queue } = this.#host;
    const { clock } = this.#machine;
    const deadlineMs = this.conductor.nextDeadlineMs();
    if (deadlineMs === Infinity) return;
    const atMs = Math.max(queue.nowMs, clock.worldMs(deadlineMs)) + this.#machine.timersLateMs;
    if (this.#timerAtMs <= atMs && this.#timerAtMs > queue.nowMs) return;
    this.#timerAtMs = atMs;
    queue.at(atMs, () => {
      if (this.#isOver || this.#timerAtMs !== atMs) return;
      this.#timerAtMs = Infinity;
      if (this.#machine.isFrozen || this.#driver.isWriting) return;
      // The clock may have changed its pace since.
      const dueMs = this.conductor.nextDeadlineMs();
      if (clock.worldMs(dueMs) > queue.nowMs + 1e-6) this.#arm();
      else this.#handleTick(dueMs);
    });
  }

  #handleTick(dueMs: number): void {
    this.#host.observer.handled(this.#machine, { kind: 'tick' });
    this.#inTurn(() => {
      this.conductor.handle({ kind: 'tick' }, Math.max(this.#machine.nowMs, dueMs));
      this.#drainReady();
    });
    this.goOn();
  }

  /** What comes in during a turn waits for the next one. Whatever the core throws ends the process, as in production; a broken invariant is for the oracles. */
  #inTurn(action: () => void): void {
    this.#isTurning = true;
    try {
      action();
    } catch (error) {
      this.#host.observer.threw(this.#machine, error);
      this.#machine.endAndRestart();
    }
    this.#isTurning = false;
  }
}

function hostedBy({ isOpConductor, nowMs }: Machine, options: ConductorOptions, ports: ConductorPorts): Hosted {
  return isOpConductor ? new OpConductor(options, ports, nowMs) : new Conductor(options, ports, nowMs);
}
