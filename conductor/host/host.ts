/**
 * Hosts a Conductor in this process: pumps its events, carries out its calls, brings its answers to the
 * RPC server, and knows when it is over.
 */
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { Invocation } from '#conductor/adapters/http/calls';
import type { ProcessLogger } from '#conductor/adapters/logging/logging';
import { Pump, type Pumped, type TidyStore } from './pump.ts';
import type { Conductor } from '#conductor/core/conductor';
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import type { ConductorEvent, ConductorReady, OwnEvent } from '#conductor/core/events';
import type { Metrics, Transport } from '#conductor/core/ports';
import type { Outcome } from '#conductor/core/rpc/message';
import { reportFailure } from './application-failed.ts';
import type { RunTraces } from './traces/run-traces.ts';

/** How long a failed node may still tell a peer to take over before the process ends. */
const shutdownGraceMs = 200;
/** Longest orderly end; then the process ends all the same, with code 1. */
export const drainDeadlineMs = 20_000;

/** What is hosted of a Conductor. */
export type HostedConductor = Pumped<OwnEvent, ConductorReady> & Pick<Conductor, 'answerNow'>;

export interface ConductorHostOptions {
  readonly conductor: HostedConductor;
  readonly store: TidyStore;
  readonly transport: Transport;
  readonly logger: ProcessLogger;
  readonly metrics: Metrics;
  /** Runs a request to the node; never rejects. */
  execute(request: NodeRequest): Promise<CallResult>;
  /** Absent: nothing is traced. */
  readonly traces?: RunTraces | undefined;
}

export class ConductorHost {
  readonly #options: ConductorHostOptions;
  readonly #pump: Pump<OwnEvent, ConductorReady>;
  readonly #answers = new Map<number, (outcome: Outcome) => void>();
  readonly #finish: (code: number) => void;
  #nextAnswerId = 1;
  /** Resolves with the exit code: 0 after an orderly end, 1 when the store failed or the end took too long. */
  readonly finished: Promise<number>;

  constructor(options: ConductorHostOptions) {
    this.#options = options;
    const { promise, resolve } = Promise.withResolvers<number>();
    this.finished = promise;
    this.#finish = resolve;
    const core = timed(options.conductor, options.metrics);
    this.#pump = new Pump<OwnEvent, ConductorReady>({
      core: options.traces?.core(core) ?? core,
      store: options.store,
      transport: options.transport,
      onReady: (ready) => this.#carryOut(ready),
      onStoreFailed: (error) => {
        reportFailure(options.logger, error);
        setTimeout(() => this.#finish(1), shutdownGraceMs);
      },
      onFatal: (error) => {
        reportFailure(options.logger, error);
        this.#finish(1);
      },
      onDamage: (error) => options.logger.log('error', error.message),
    });
  }

  push(event: ConductorEvent): void {
    this.#pump.push(event);
  }

  /** The outcome of a call: at once where it only reads, else a promise that never rejects. */
  invoke(invocation: Invocation): Outcome | Promise<Outcome> {
    const now = this.#options.conductor.answerNow(invocation.method, monotonicMs());
    if (now !== null) return now;
    const answerId = this.#nextAnswerId++;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#answers.set(answerId, resolve);
    const { method, values, from, as } = invocation;
    this.#options.traces?.called(answerId, invocation);
    this.#pump.push({ kind: 'rpc', answerId, method, values, from, as });
    return promise;
  }

  /** Begins the orderly end. */
  drain(reason: string): void {
    this.#pump.push({ kind: 'drain', reason });
    setTimeout(() => {
      this.#options.logger.crit('the orderly end took too long', { limitMs: drainDeadlineMs });
      this.#finish(1);
    }, drainDeadlineMs).unref();
  }

  /** Stops pumping; calls that still wait are answered with an error. */
  end(): void {
    this.#pump.end();
    for (const resolve of this.#answers.values()) {
      resolve({ kind: 'error', code: -32000, message: 'this conductor has ended' });
    }
    this.#answers.clear();
  }

  #carryOut(ready: ConductorReady): void {
    for (const request of ready.calls) {
      void this.#options
        .execute(request)
        .then((result) => this.#pump.push({ kind: 'callResult', callId: request.callId, result }));
    }
    for (const { answerId, outcome } of ready.answers) {
      this.#options.traces?.answered(answerId, outcome);
      this.#answers.get(answerId)?.(outcome);
      this.#answers.delete(answerId);
    }
    if (ready.exit !== null) this.#finish(ready.exit.code);
  }
}

/** The conductor, with the time of each pass of its control loop observed: ticks and answers of the node. */
function timed(conductor: HostedConductor, metrics: Metrics): Pumped<OwnEvent, ConductorReady> {
  return {
    handle: (event, nowMs) => {
      const began = performance.now();
      conductor.handle(event, nowMs);
      const isPass = event.kind === 'tick' || event.kind === 'callResult';
      if (isPass) metrics.observe('loop_execution_time', (performance.now() - began) / 1000);
    },
    ready: () => conductor.ready(),
    persisted: (nowMs) => conductor.persisted(nowMs),
    writeFailed: (message) => conductor.writeFailed(message),
    nextDeadlineMs: () => conductor.nextDeadlineMs(),
    entryDamaged: (index) => conductor.entryDamaged(index),
  };
}
