/**
 * An op-conductor v1.19.6 as its peers, its node and its callers see it: a raft server of Go's, the control loop, and the
 * methods of its RPC that a run calls. It takes the events of a Conductor and wants of its host what a Conductor wants.
 * Simpler than Go's: rollup-boost and the execution client are not asked how they are, and calls do not time out.
 */
import type { ConductorOptions, ConductorPorts } from '#conductor/core/conductor-options';
import type { ConductorEvent, ConductorReady, StartedCall } from '#conductor/core/events';
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import type { Effect, EffectResult, Steps } from '#conductor/core/node/effects';
import type { RaftResult } from '#conductor/core/raft/events';
import type { RaftPosition, RaftStatus } from '#conductor/core/raft/status';
import { EntryType } from '#conductor/core/raft/types';
import type { Outcome } from '#conductor/core/rpc/message';
import { propose } from './go-propose.ts';
import { GoRaft } from './go-raft.ts';
import { transfer } from './go-transfer.ts';
import { OpControl, type Health } from './op-control.ts';
import { healthOf } from './op-health.ts';
import { OpMethods } from './op-methods.ts';
import type { HeldPayload } from './payload-state.ts';

export class OpConductor {
  readonly #options: ConductorOptions;
  readonly #raft: GoRaft;
  readonly #control: OpControl;
  readonly #methods: OpMethods;
  readonly #unixMs: () => number;
  #nowMs: number;
  /** What the control loop takes next, one after the other, before it acts. */
  readonly #inbox: (() => void)[] = [];
  #isActing = false;
  #isChecking = false;
  #healthAtMs: number;
  #wasLeader = false;
  #timers: { readonly atMs: number; readonly goOn: () => void }[] = [];
  readonly #calls: StartedCall[] = [];
  readonly #answers: { answerId: number; outcome: Outcome }[] = [];
  readonly #results: RaftResult[] = [];
  readonly #called = new Map<number, (result: CallResult) => void>();
  #nextCallId = 1;
  #exit: ConductorReady['exit'] = null;

  constructor(options: ConductorOptions, { store, random, wallClock }: ConductorPorts, nowMs: number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#unixMs = () => wallClock.unixMs();
    this.#raft = new GoRaft(options.raft, store, random, nowMs);
    const host = { random: () => random.next(), head: () => this.committedHead() };
    this.#control = new OpControl(host, options.isPaused, options.isActive === true);
    // The node of a restarted conductor may not be as it should. A new one is bootstrapped first, and then paused.
    this.#control.isActionQueued = this.#raft.state.term > 0;
    this.#methods = new OpMethods({
      control: this.#control,
      raft: this.#raft.state,
      request: (request, done) => this.#request(request, done),
      queue: (event) => void this.#inbox.push(event),
    });
    this.#healthAtMs = nowMs + options.healthIntervalMs;
  }

  handle(event: ConductorEvent, nowMs: number): void {
    // What it holds in memory is not what its disk has: it answers nobody until its process ends.
    if (this.#raft.state.hasFailed) return;
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#raft.state.nowMs = this.#nowMs;
    this.#take(event);
    this.#raft.tick(this.#nowMs);
    this.#turn();
  }

  ready(): ConductorReady | null {
    const { write, send, replies, isEmpty } = this.#raft.ready();
    const calls = this.#calls.splice(0);
    const answers = this.#answers.splice(0);
    const results = this.#results.splice(0);
    const exit = this.#exit;
    this.#exit = null;
    if (isEmpty && calls.length + answers.length + results.length === 0 && exit === null) return null;
    return { sendFirst: [], write, send, replies, forget: [], results, notices: [], calls, answers, exit };
  }

  persisted(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    this.#raft.persisted(this.#nowMs);
    this.#turn();
  }

  writeFailed(): void {
    this.#raft.state.hasFailed = true;
  }

  /** Every answer takes an event. */
  answerNow(): null {
    return null;
  }

  /** A bolt file has no checksums: what has rotted is not noticed. */
  entryDamaged(): void {}

  nextDeadlineMs(): number {
    if (this.#raft.state.hasFailed) return Infinity;
    const timers = this.#timers.map(({ atMs }) => atMs);
    const healthAtMs = this.#isChecking ? Infinity : this.#healthAtMs;
    return Math.min(this.#raft.nextDeadlineMs(), healthAtMs, ...timers);
  }

  position(): RaftPosition {
    return this.#raft.position();
  }

  status(): RaftStatus {
    return this.#raft.status();
  }

  committedHead(): HeldPayload | null {
    return this.#raft.state.payloads.head;
  }

  /** It has no such answer. */
  readiness(): string {
    return '';
  }

  /** Its metrics are others. */
  publishGauges(): void {}

  #take(event: ConductorEvent): void {
    switch (event.kind) {
      case 'request':
      case 'response':
      case 'failed':
      case 'inboundClosed':
        return this.#raft.handle(event);
      case 'rpc':
        return this.#methods.call(event.method, event.values, (outcome) =>
          this.#answers.push({ answerId: event.answerId, outcome }),
        );
      case 'callResult':
        this.#called.get(event.callId)?.(event.result);
        this.#called.delete(event.callId);
        return;
      case 'read':
      case 'barrier':
        return this.#barrier((problem) => this.#results.push(resultOf(event.requestId, problem)));
      case 'bootstrap':
        if (this.#raft.bootstrap()) this.#control.isPaused = true;
        return;
      case 'drain':
        // It neither hands over nor stops its sequencer.
        this.#exit = { code: 0, message: '' };
    }
  }

  /** What is due, and then the loop, until it waits for something. */
  #turn(): void {
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { goOn } of due) goOn();
    if (!this.#isChecking && this.#nowMs >= this.#healthAtMs) this.#check();
    const isLeader = this.#raft.state.role === 'leader';
    if (isLeader !== this.#wasLeader) this.#inbox.push(() => this.#control.leaderIs(isLeader));
    this.#wasLeader = isLeader;
    while (!this.#isActing) {
      const next = this.#inbox.shift();
      if (next !== undefined) next();
      else if (this.#control.isActionQueued) this.#act();
      else break;
    }
    this.#raft.tick(this.#nowMs);
  }

  #act(): void {
    this.#isActing = true;
    this.#carryOut(this.#control.action(), () => {
      this.#isActing = false;
    });
  }

  /** The next check begins when the loop has taken the result of this one. */
  #check(): void {
    this.#isChecking = true;
    this.#healthAtMs = this.#nowMs + this.#options.healthIntervalMs;
    this.#carryOut(healthOf(this.#options.health, this.#unixMs), (health: Health) => {
      this.#inbox.push(() => {
        this.#isChecking = false;
        this.#control.healthIs(health);
      });
    });
  }

  #carryOut<Result>(steps: Steps<Result>, done: (result: Result) => void): void {
    const goOn = (...given: [] | [EffectResult]): void => {
      const { done: isDone, value } = steps.next(...(given as [EffectResult]));
      if (isDone === true) done(value);
      else this.#effect(value, goOn);
    };
    goOn();
  }

  #effect(effect: Effect, done: (result: EffectResult) => void): void {
    switch (effect.kind) {
      case 'calls':
        return this.#request(effect.requests[0]!, (result) => done({ kind: 'calls', results: [result] }));
      case 'read':
        return this.#barrier((message) => done({ kind: 'read', isConfirmed: message === '', message }));
      case 'transfer':
        return transfer(this.#raft.state, null, (message) =>
          done({ kind: 'transfer', isDone: message === '', message }),
        );
      case 'wait':
        this.#timers.push({ atMs: this.#nowMs + effect.ms, goOn: () => done({ kind: 'wait' }) });
        return;
      case 'ask':
        return done({ kind: 'ask' });
    }
  }

  #barrier(done: (problem: string) => void): void {
    propose(this.#raft.state, EntryType.barrier, null, done);
  }

  #request(request: NodeRequest, done: (result: CallResult) => void): void {
    const callId = this.#nextCallId++;
    this.#called.set(callId, done);
    this.#calls.push({ ...request, callId });
  }
}

function resultOf(requestId: number, problem: string): RaftResult {
  return problem === ''
    ? { kind: 'done', requestId, index: 0, term: 0, value: null }
    : { kind: 'refused', requestId, reason: 'not-leader', message: problem };
}
