/** Runs a procedure in virtual time against whatever is given, and keeps what it told. */
import type { ClusterView } from '../cluster-view.ts';
import { runProcedure, type Outcome, type Planned, type PlanState, type RunOptions } from '../procedure.ts';
import type { Procedure } from '../step.ts';

export interface Told {
  readonly outcome: Outcome;
  /** Of each step, when it was planned. */
  readonly states: readonly PlanState[];
  readonly refusals: readonly (string | null)[];
  readonly waitsFor: readonly string[];
  /** "state: title" of each step event but waiting and undoing, in order. */
  readonly events: readonly string[];
  /** Times somebody was asked. */
  readonly questions: number;
}

type Overrides = Partial<Pick<RunOptions, 'isDryRun' | 'timeoutMs' | 'ignoresQuorum' | 'nowMs' | 'sleep'>> & {
  /** What is answered; yes unless told otherwise. */
  readonly isConfirmed?: boolean;
  /** Looks after which somebody interrupts, once per number. */
  readonly interruptedAtLooks?: readonly number[];
};

/** Time passes only in sleeps. */
export async function runInMemory(
  procedure: Procedure,
  observe: () => Promise<ClusterView>,
  overrides: Overrides = {},
): Promise<Told> {
  const { isConfirmed = true, interruptedAtLooks = [], ...options } = overrides;
  const events: string[] = [];
  let plan: readonly Planned[] = [];
  let nowMs = 0;
  let questions = 0;
  let looks = 0;
  const outcome = await runProcedure(procedure, {
    observe: () => {
      looks += 1;
      return observe();
    },
    reporter: {
      plan: (_, planned) => void (plan = planned),
      step: ({ title }, state) => {
        if (state !== 'waiting' && state !== 'undoing') events.push(`${state}: ${title}`);
      },
    },
    confirm: () => {
      questions += 1;
      return Promise.resolve(isConfirmed);
    },
    interrupts: {
      get count() {
        return interruptedAtLooks.filter((at) => looks >= at).length;
      },
    },
    isDryRun: false,
    timeoutMs: null,
    ignoresQuorum: false,
    nowMs: () => nowMs,
    sleep: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    ...options,
  });
  const states = plan.map(({ state }) => state);
  const refusals = plan.map(({ refusal }) => refusal);
  return { outcome, states, refusals, waitsFor: plan.map((one) => one.waitsFor), events, questions };
}
