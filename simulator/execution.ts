/**
 * A run under way: a formed world in which time passes piece by piece and events happen when somebody says so.
 * `run.ts` carries out whole runs with it; a page lets people act in it, and what they did is a run again. However
 * the time is cut into pieces, the same run has the same hash.
 */
import { StandstillError, type Scheduled } from './event-queue.ts';
import { kinds, type SimEvent } from './faults.ts';
import type { Judge } from './judge.ts';
import type { Configuration } from './configuration.ts';
import { RUN_VERSION, type Run } from './run-value.ts';
import { FormingError, World } from './world.ts';

/** An event that has happened; `end` while it has one still to come. */
interface Happened {
  event: SimEvent;
  readonly atMs: number;
  end: Scheduled | null;
}

export class Execution {
  readonly judge: Judge;
  readonly #configuration: Configuration;
  readonly #happened: Happened[] = [];
  readonly #ended: (event: SimEvent) => void;
  #world: World | null = null;
  /** When the last event happened, or the cluster was formed. */
  #fromMs = 0;
  #calmFromMs = 0;

  /**
   * Forms the cluster; that it cannot be formed is a violation of a law, as what fails later is. `ended` is told of
   * each event that lasted and is over.
   */
  constructor(configuration: Configuration, judge: Judge, ended: (event: SimEvent) => void = () => undefined) {
    this.#configuration = configuration;
    this.#ended = ended;
    this.judge = judge;
    this.#guard(() => {
      World.form(configuration, judge, (formed) => {
        this.#world = formed;
        judge.watch(formed);
      });
    });
    this.#fromMs = this.nowMs;
    this.#calmFromMs = this.nowMs;
  }

  /** The world, also while it forms; null if there is none. */
  get world(): World | null {
    return this.#world;
  }

  get nowMs(): number {
    return this.#world?.nowMs ?? 0;
  }

  /** When the last event happened, or the cluster was formed: what `advanceTo` counts from. */
  get fromMs(): number {
    return this.#fromMs;
  }

  /** When everything that has happened will be over. */
  get calmFromMs(): number {
    return this.#calmFromMs;
  }

  /** A law is broken: nothing happens any more. */
  get isOver(): boolean {
    return this.judge.violation !== null;
  }

  /** What has happened so far, as the run that brings a cluster here. */
  get run(): Run {
    return {
      version: RUN_VERSION,
      configuration: this.#configuration,
      events: this.#happened.map(({ event }) => event),
    };
  }

  /** Numbers (in `run.events`) of the events that are not over. */
  get underWay(): readonly number[] {
    return [...this.#happened.keys()].filter((at) => this.#happened[at]!.end !== null);
  }

  /** Lets time pass until so long after `fromMs`; does nothing when that has passed. */
  advanceTo(afterMs: number): void {
    const world = this.#world;
    const untilMs = this.#fromMs + afterMs;
    if (world === null || this.isOver || untilMs < world.nowMs) return;
    this.#guard(() => {
      while (!this.isOver && world.queue.step(untilMs));
    });
  }

  /** Lets time pass until the event is due, and has it happen. */
  apply(event: SimEvent): void {
    this.advanceTo(event.afterMs);
    const world = this.#world;
    if (world === null || this.isOver) return;
    this.#fromMs = world.nowMs;
    this.#calmFromMs = Math.max(this.#calmFromMs, world.nowMs + event.forMs);
    this.judge.happened(event);
    this.#guard(() => {
      const happened: Happened = { event, atMs: world.nowMs, end: null };
      this.#happened.push(happened);
      const undo = kinds[event.kind].act(world, event);
      if (typeof undo !== 'function') return;
      happened.end = world.queue.after(event.forMs, () => {
        happened.end = null;
        undo();
        this.#ended(happened.event);
      });
    });
  }

  /**
   * Ends an event that is under way (its number in `run.events`) at the next full millisecond of its own, as if it
   * had been meant to last so long. Only for kinds that make nothing of how long they last but their end.
   */
  endEarly(at: number): void {
    const happened = this.#happened[at];
    const world = this.#world;
    if (world === null || happened === undefined || happened.end === null) return;
    const forMs = Math.floor(world.nowMs - happened.atMs) + 1;
    if (forMs >= happened.event.forMs) return;
    happened.event = { ...happened.event, forMs };
    world.queue.move(happened.end, happened.atMs + forMs);
    this.#calmFromMs = this.#happened.reduce((calm, one) => Math.max(calm, one.atMs + one.event.forMs), this.#fromMs);
  }

  /** Tells the oracles that look back. */
  finish(): void {
    if (this.#world === null || this.isOver) return;
    this.judge.finish({ world: this.#world, run: this.run, calmFromMs: this.#calmFromMs });
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (error instanceof FormingError) this.judge.broken('chainGoesOn', error.message);
      else if (error instanceof StandstillError) this.judge.broken('boundedResources', error.message);
      else throw error;
    }
  }
}
