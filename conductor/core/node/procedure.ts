/**
 * Runs one procedure (effects.ts) over a host that carries out effects and reports back by id.
 * Results of effects that were given up are recognised by their id and ignored.
 */
import { assert } from '../assert.ts';
import type { CallResult, NodeRequest } from './calls.ts';
import type { Effect, EffectResult, Steps } from './effects.ts';

/** Carries out effects; ids come back through `callDone`, `readDone` and `transferDone`. */
export interface ProcedureHost {
  nowMs(): number;
  /** Starts a request and returns its id. */
  call(request: NodeRequest): number;
  /** Starts a linearizable read and returns its id. */
  read(): number;
  /** Asks all peers how they stand and returns the question's id; its end comes back through `transferDone`. */
  ask(): number;
  /** Starts a leadership transfer and returns its id. */
  transfer(target: string | null, exclude: readonly string[]): number;
}

/** Methods that change what the sequencer does. */
const orders: ReadonlySet<string> = new Set(['admin_startSequencer', 'admin_stopSequencer']);

/** What the running effect waits for. */
type Pending =
  | { readonly kind: 'calls'; readonly results: Map<number, CallResult | null>; readonly isOrder: boolean }
  | { readonly kind: 'read' | 'transfer' | 'ask'; readonly id: number }
  | { readonly kind: 'wait'; readonly untilMs: number };

/** One running procedure. `onDone` is called once, unless it is cancelled. */
export class Procedure<Outcome> {
  readonly #steps: Steps<Outcome>;
  readonly #host: ProcedureHost;
  readonly #onDone: (outcome: Outcome) => void;
  #pending: Pending | null = null;
  #isFinished = false;

  constructor(steps: Steps<Outcome>, host: ProcedureHost, onDone: (outcome: Outcome) => void) {
    this.#steps = steps;
    this.#host = host;
    this.#onDone = onDone;
  }

  /** Runs to the first effect. */
  begin(): void {
    this.#advance(() => this.#steps.next());
  }

  /** Gives up; later results are ignored and onDone is not called. */
  cancel(): void {
    this.#isFinished = true;
    this.#pending = null;
  }

  /** A start or stop is under way at the node: its result is state and must be waited for. */
  get isOrdering(): boolean {
    return this.#pending?.kind === 'calls' && this.#pending.isOrder;
  }

  /** When `tick` wants to be called; Infinity while waiting for something else. */
  deadlineMs(): number {
    return this.#pending?.kind === 'wait' ? this.#pending.untilMs : Infinity;
  }

  tick(): void {
    if (this.#pending?.kind === 'wait' && this.#host.nowMs() >= this.#pending.untilMs) this.#resume({ kind: 'wait' });
  }

  callDone(id: number, result: CallResult): void {
    const pending = this.#pending;
    if (pending?.kind !== 'calls' || !pending.results.has(id)) return;
    pending.results.set(id, result);
    const results = [...pending.results.values()];
    if (results.every((one) => one !== null)) this.#resume({ kind: 'calls', results });
  }

  readDone(id: number, isConfirmed: boolean, message: string): void {
    if (this.#pending?.kind === 'read' && this.#pending.id === id) this.#resume({ kind: 'read', isConfirmed, message });
  }

  transferDone(id: number, isDone: boolean, message: string): void {
    const pending = this.#pending;
    if (pending?.kind === 'transfer' && pending.id === id) this.#resume({ kind: 'transfer', isDone, message });
    else if (pending?.kind === 'ask' && pending.id === id) this.#resume({ kind: 'ask' });
  }

  #resume(result: EffectResult): void {
    this.#pending = null;
    this.#advance(() => this.#steps.next(result));
  }

  #advance(step: () => IteratorResult<Effect, Outcome>): void {
    if (this.#isFinished) return;
    const state = step();
    if (state.done === true) {
      this.#isFinished = true;
      this.#onDone(state.value);
    } else {
      this.#execute(state.value);
    }
  }

  #execute(effect: Effect): void {
    switch (effect.kind) {
      case 'calls': {
        assert(effect.requests.length > 0, 'a calls effect has at least one request');
        const results = new Map(effect.requests.map((one) => [this.#host.call(one), null]));
        this.#pending = { kind: 'calls', results, isOrder: effect.requests.some((one) => orders.has(one.method)) };
        return;
      }
      case 'read':
        this.#pending = { kind: 'read', id: this.#host.read() };
        return;
      case 'transfer':
        this.#pending = { kind: 'transfer', id: this.#host.transfer(effect.target, effect.exclude) };
        return;
      case 'ask':
        this.#pending = { kind: 'ask', id: this.#host.ask() };
        return;
      case 'wait':
        this.#pending = { kind: 'wait', untilMs: this.#host.nowMs() + effect.ms };
    }
  }
}
