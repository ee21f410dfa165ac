/**
 * Runs one procedure (effects.ts) over a host that carries out effects and says what came of each.
 * Results of effects that were given up are ignored.
 */
import { assert } from '../assert.ts';
import type { CallResult, NodeRequest } from './calls.ts';
import type { Effect, EffectResult, Steps } from './effects.ts';

/** How a command to the log ended; `message` says why it was not done. */
export interface Ending {
  readonly isDone: boolean;
  readonly message: string;
  /** Of a transfer: the server that took leadership, or did not; undefined where it was offered to nobody. */
  readonly server?: string | undefined;
}

/** Carries out effects; each `then` is called once, later. */
export interface ProcedureHost {
  nowMs(): number;
  /** Starts a request. */
  call(request: NodeRequest, then: (result: CallResult) => void): void;
  /** Starts a linearizable read. */
  read(then: (ending: Ending) => void): void;
  /** Asks all peers how they stand. */
  ask(then: () => void): void;
  /** Starts a leadership transfer. */
  transfer(target: string | null, exclude: readonly string[], then: (ending: Ending) => void): void;
}

/** Methods that change what the sequencer does. */
const orders: ReadonlySet<string> = new Set(['admin_startSequencer', 'admin_stopSequencer']);

/** What the running effect waits for. */
type Pending =
  | { readonly kind: 'result'; readonly isOrder: boolean }
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
    return this.#pending?.kind === 'result' && this.#pending.isOrder;
  }

  /** When `tick` wants to be called; Infinity while waiting for something else. */
  deadlineMs(): number {
    return this.#pending?.kind === 'wait' ? this.#pending.untilMs : Infinity;
  }

  tick(): void {
    if (this.#pending?.kind === 'wait' && this.#host.nowMs() >= this.#pending.untilMs) this.#resume({ kind: 'wait' });
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
    if (effect.kind === 'wait') {
      this.#pending = { kind: 'wait', untilMs: this.#host.nowMs() + effect.ms };
      return;
    }
    const isOrder = effect.kind === 'calls' && effect.requests.some((one) => orders.has(one.method));
    const pending: Pending = { kind: 'result', isOrder };
    this.#pending = pending;
    this.#carryOut(effect, (result) => {
      if (this.#pending === pending) this.#resume(result);
    });
  }

  #carryOut(effect: Exclude<Effect, { kind: 'wait' }>, then: (result: EffectResult) => void): void {
    const host = this.#host;
    switch (effect.kind) {
      case 'calls':
        return this.#callAll(effect.requests, (results) => then({ kind: 'calls', results }));
      case 'read':
        return host.read(({ isDone, message }) => then({ kind: 'read', isConfirmed: isDone, message }));
      case 'transfer':
        return host.transfer(effect.target, effect.exclude, (ending) => then({ kind: 'transfer', ...ending }));
      case 'ask':
        return host.ask(() => then({ kind: 'ask' }));
    }
  }

  /** `then` is called when all are answered, with the answers in the order of the requests. */
  #callAll(requests: readonly NodeRequest[], then: (results: readonly CallResult[]) => void): void {
    assert(requests.length > 0, 'a calls effect has at least one request');
    const results: CallResult[] = [];
    let open = requests.length;
    for (const [at, request] of requests.entries()) {
      this.#host.call(request, (result) => {
        results[at] = result;
        open -= 1;
        if (open === 0) then(results);
      });
    }
  }
}
