/**
 * Where a run is watched for its traces: around the core, around what it publishes, and at calls and answers. A run without
 * traces has none of this between its parts; one with them goes on as if it had none when a trace cannot be made.
 */
import { monotonicMs } from '#conductor/adapters/clock/clock';
import type { Invocation } from '#conductor/adapters/http/calls';
import type { TraceSink } from '#conductor/adapters/tracing/finished-trace';
import type { ConductorReady, OwnEvent } from '#conductor/core/events';
import type { EventSink } from '#conductor/core/published-event';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Pumped } from '../pump.ts';
import { CommitTraces, committingMethod } from './commit-traces.ts';
import { FailoverTraces } from './failover-traces.ts';

type Core = Pumped<OwnEvent, ConductorReady>;

export class RunTraces {
  readonly #commits: CommitTraces;
  readonly #failovers: FailoverTraces;
  readonly #failed: (thrown: unknown) => void;
  #isOver = false;

  /** `failed` is called once, with what was thrown; nothing is traced any more then. */
  constructor(serverId: string, sink: TraceSink, failed: (thrown: unknown) => void) {
    this.#failed = failed;
    const later = (ms: number, then: () => void): void => void setTimeout(() => this.#watch(then), ms).unref();
    this.#commits = new CommitTraces({ serverId, sink, nowMs: monotonicMs, later });
    this.#failovers = new FailoverTraces({ serverId, sink, nowMs: monotonicMs });
  }

  /** The sink as given, with what it is told watched. */
  events(events: EventSink): EventSink {
    return {
      publish: (event) => {
        events.publish(event);
        this.#watch(() => this.#commits.published(event));
        this.#watch(() => this.#failovers.published(event));
      },
    };
  }

  /** The core as given, with what goes in and comes out watched. */
  core(core: Core): Core {
    return {
      handle: (event, nowMs) => {
        const beganMs = monotonicMs();
        core.handle(event, nowMs);
        this.#watch(() => this.#commits.handled(event, beganMs, monotonicMs()));
      },
      ready: () => {
        const ready = core.ready();
        if (ready !== null) this.#watch(() => this.#commits.wanted(ready));
        return ready;
      },
      persisted: (nowMs) => {
        this.#watch(() => this.#commits.written());
        core.persisted(nowMs);
      },
      writeFailed: (message) => core.writeFailed(message),
      nextDeadlineMs: () => core.nextDeadlineMs(),
      entryDamaged: (index) => core.entryDamaged(index),
    };
  }

  /** A call goes to the core next, under this id. */
  called(answerId: number, { method, values, arrival }: Invocation): void {
    if (method === committingMethod && arrival !== undefined)
      this.#watch(() => this.#commits.called(answerId, values, arrival));
  }

  answered(answerId: number, outcome: Outcome): void {
    this.#watch(() => this.#commits.answered(answerId, outcome));
  }

  /** Tells what is not over. */
  end(): void {
    this.#watch(() => this.#failovers.end());
  }

  /** A trace is never worth a commit: what fails here ends the traces and nothing else. */
  #watch(what: () => void): void {
    if (this.#isOver) return;
    try {
      what();
    } catch (thrown) {
      this.#isOver = true;
      this.#failed(thrown);
    }
  }
}
