/** Runs a procedure in virtual time against whatever is given, and keeps what it told. */
import type { ClusterView } from '../cluster-view.ts';
import { runProcedure, type Outcome, type PlanState, type RunOptions } from '../procedure.ts';
import type { Procedure } from '../step.ts';

export interface Told {
  readonly outcome: Outcome;
  /** Of each step, when it was planned. */
  readonly states: readonly PlanState[];
  /** "state: title" of each step event but waiting, in order. */
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
  let states: readonly PlanState[] = [];
  let nowMs = 0;
  let questions = 0;
  let looks = 0;
  const outcome = await runProcedure(procedure, {
    observe: () => {
      looks += 1;
      return observe();
    },
    reporter: {
      plan: (_, planned) => void (states = planned),
      step: ({ title }, state) => {
        if (state !== 'waiting') events.push(`${state}: ${title}`);
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
  return { outcome, states, events, questions };
}
