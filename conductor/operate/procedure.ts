/**
 * Runs a procedure: looks before each step, skips what is done, refuses what must not be done (the quorum is checked
 * before every step), performs, waits with a deadline, and undoes a step that failed. It never throws for what a
 * cluster does: every end is an outcome in words.
 */
import { messageOf } from '#conductor/core/errors';
import type { ClusterView } from './cluster-view.ts';
import { quorumRefusal } from './quorum.ts';
import { isUnanswered } from './rpc-endpoint.ts';
import { StepStoppedError, type Procedure, type Step, type StepLimits } from './step.ts';

/** Milliseconds between two looks at a step in progress. */
const LOOK_EVERY_MS = 200;
/** After a first change, an election or a silent server may take this long to pass before a step is refused. */
const DISRUPTION_MS_MAX = 10_000;

/** In the journal, a step that was performed and whose settling was not waited for to the end; 'done' after it. */
const PERFORMED = 'performed';
/** In the journal, a step that no view shows and whose end is not known: it is performed again. */
export const BEGUN = 'begun';

export type StepState = 'skipped' | 'started' | 'waiting' | 'done' | 'failed' | 'undoing' | 'undone' | 'not undone';

/** What a plan says of a step; 'performed' is not performed again, but waited for. */
export type PlanState = 'done' | 'performed' | 'open';

/** One step of a plan. */
export interface Planned {
  readonly step: Step;
  readonly state: PlanState;
  /** Why it would be refused, as far as that can be seen before the steps above it are done; null when it would not. */
  readonly refusal: string | null;
  /** What an open wait would wait for now, in a few words; '' for all else. */
  readonly waitsFor: string;
}

/** What is told while it runs. */
export interface ProcedureReporter {
  /** Once, before anything. */
  plan(procedure: Procedure, planned: readonly Planned[]): void;
  /** `text` is what is waited for, why it failed, or ''. */
  step(step: Step, state: StepState, text: string): void;
}

/** How a person stops it: once finishes the step in progress, twice undoes it. */
export interface Interrupts {
  readonly count: number;
}

export interface RunOptions {
  observe(): Promise<ClusterView>;
  readonly reporter: ProcedureReporter;
  /** Asks before the first step that stops sequencing; false to stop here. */
  confirm(procedure: Procedure, step: Step): Promise<boolean>;
  readonly interrupts: Interrupts;
  readonly isDryRun: boolean;
  /** Instead of the deadline of each step, milliseconds; null for theirs. */
  readonly timeoutMs: number | null;
  /** Goes on without a quorum, where the operator says so. */
  readonly ignoresQuorum: boolean;
  /** Monotonic milliseconds, and a pause. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

export type OutcomeKind = 'done' | 'planned' | 'failed' | 'refused' | 'declined' | 'deadline' | 'interrupted';

/** How it ended. */
export interface Outcome {
  readonly kind: OutcomeKind;
  /** Why, as a sentence; '' when done. */
  readonly reason: string;
  /** Titles in order. */
  readonly done: readonly string[];
  readonly open: readonly string[];
  /** The cluster at the end. */
  readonly view: ClusterView;
}

type StepEnd = {
  readonly kind: 'done' | 'failed' | 'refused' | 'declined' | 'deadline' | 'interrupted';
  reason: string;
  /** Only the waiting was ended: what was performed stays so. */
  readonly isLeft?: true;
};

/** Runs it to an outcome. Throws only what is a mistake of the program. */
export async function runProcedure(procedure: Procedure, options: RunOptions): Promise<Outcome> {
  return new Run(procedure, options).run();
}

class Run {
  readonly #procedure: Procedure;
  readonly #options: RunOptions;
  #hasChanged = false;
  /** A look since which nothing was done and nobody was waited for: it serves the next step, too. */
  #fresh: ClusterView | null = null;
  #isConfirmed = false;

  constructor(procedure: Procedure, options: RunOptions) {
    this.#procedure = procedure;
    this.#options = options;
  }

  async run(): Promise<Outcome> {
    const { steps } = this.#procedure;
    const { observe, reporter, isDryRun } = this.#options;
    const first = await observe();
    const planned = this.#plan(first);
    this.#fresh = first;
    reporter.plan(this.#procedure, planned);
    if (isDryRun) {
      const refusal = planned.find((one) => one.refusal !== null)?.refusal ?? null;
      const doneCount = planned.findLastIndex(({ state }) => state === 'done') + 1;
      return this.#outcome({ kind: refusal === null ? 'planned' : 'refused', reason: refusal ?? '' }, doneCount, first);
    }
    for (const [at, step] of steps.entries()) {
      const end = await this.#take(step);
      if (end.kind !== 'done') return this.#outcome(end, at, await observe());
    }
    this.#procedure.journal?.clear();
    return this.#outcome({ kind: 'done', reason: '' }, steps.length, await observe());
  }

  /** The next step is examined as it will be; of later ones what the steps before them cannot change. */
  #plan(view: ClusterView): Planned[] {
    const { steps } = this.#procedure;
    const states = steps.map((step) => this.#planState(step, view));
    const next = states.findIndex((state) => state !== 'done');
    return steps.map((step, at) => {
      const state = states[at] as PlanState;
      const later = state === 'open' ? (step.foresee?.(view) ?? null) : null;
      const waitsFor = state === 'open' && step.isWait === true ? (step.progress?.(view) ?? '') : '';
      return { step, state, refusal: at === next ? this.#refusal(step, view) : later, waitsFor };
    });
  }

  #outcome({ kind, reason }: { kind: OutcomeKind; reason: string }, doneCount: number, view: ClusterView): Outcome {
    const titles = this.#procedure.steps.map(({ title }) => title);
    return { kind, reason, done: titles.slice(0, doneCount), open: titles.slice(doneCount), view };
  }

  /** Skips, refuses or performs one step. */
  async #take(step: Step): Promise<StepEnd> {
    const { observe, confirm, interrupts, reporter } = this.#options;
    const refusedAtMs = this.#options.nowMs() + (this.#hasChanged ? DISRUPTION_MS_MAX : 0);
    for (;;) {
      if (interrupts.count > 0) return { kind: 'interrupted', reason: 'interrupted before this step' };
      const view = this.#fresh ?? (await observe());
      this.#fresh = null;
      if (this.#isDone(step, view)) {
        this.#fresh = view;
        reporter.step(step, 'skipped', '');
        return { kind: 'done', reason: '' };
      }
      const refusal = this.#refusal(step, view);
      if (refusal !== null) {
        if (this.#options.nowMs() < refusedAtMs) {
          reporter.step(step, 'waiting', refusal);
          await this.#options.sleep(LOOK_EVERY_MS);
          continue;
        }
        reporter.step(step, 'failed', refusal);
        return { kind: 'refused', reason: refusal };
      }
      if (!step.stopsSequencing || this.#isConfirmed) return this.#execute(step, view);
      if (!(await confirm(this.#procedure, step)))
        return interrupts.count > 0
          ? { kind: 'interrupted', reason: 'interrupted before this step' }
          : { kind: 'declined', reason: 'it was not confirmed' };
      // The cluster may have changed while somebody thought about it: look again.
      this.#isConfirmed = true;
    }
  }

  async #execute(step: Step, before: ClusterView): Promise<StepEnd> {
    const { reporter } = this.#options;
    if (!this.#hasChanged) this.#procedure.begin?.();
    reporter.step(step, 'started', '');
    this.#hasChanged = true;
    const end = await this.#performAndSettle(step, before);
    try {
      if (end.kind === 'done') this.#note(step, 'done');
      else if (this.#isPerformed(step) && !end.isLeft) this.#note(step, 'failed');
    } catch (error) {
      reporter.step(step, 'failed', messageOf(error));
      return { kind: 'failed', reason: messageOf(error) };
    }
    reporter.step(step, end.kind === 'done' ? 'done' : 'failed', end.reason);
    return end.kind === 'done' || end.isLeft ? end : this.#undo(step, end);
  }

  async #performAndSettle(step: Step, before: ClusterView): Promise<StepEnd> {
    const { observe, interrupts, nowMs, reporter } = this.#options;
    const { timeoutMs } = this.#options;
    const isUnseen = step.isUnseen === true;
    let deadlineMs = nowMs() + (timeoutMs ?? step.deadlineMs);
    let trouble = '';
    let isRefused = false;
    try {
      if (!this.#isPerformed(step)) {
        // What an earlier run noted is not so any more from here on.
        if (isUnseen && this.#noted(step) !== null) this.#note(step, BEGUN);
        await step.execute(before, this.#limits(step, 1));
      }
      if (isUnseen) this.#note(step, PERFORMED);
    } catch (error) {
      // Without an answer it may have happened all the same: only the cluster can tell.
      isRefused = !isUnanswered(error);
      trouble = messageOf(error);
      // What no view shows is not done because the servers, left as they were, are well.
      if (isRefused && isUnseen)
        return { kind: error instanceof StepStoppedError ? error.kind : 'failed', reason: trouble };
    }
    if (isUnseen && timeoutMs === null) deadlineMs = nowMs() + step.deadlineMs;
    for (;;) {
      const view = await observe();
      if (step.settled(view)) return { kind: 'done', reason: '' };
      if (isRefused) return { kind: 'failed', reason: trouble };
      const why = step.broken?.(view) ?? null;
      if (why !== null) return { kind: 'failed', reason: why };
      const waitedFor = [trouble, step.progress?.(view) ?? ''].filter((text) => text !== '').join('; ');
      if (isUnseen && interrupts.count === 1)
        return { kind: 'interrupted', reason: `interrupted, no longer waited for: ${waitedFor}`, isLeft: true };
      if (interrupts.count > (step.isWait === true ? 0 : 1))
        return { kind: 'interrupted', reason: 'interrupted during this step' };
      if (nowMs() >= deadlineMs) {
        const seconds = Math.round((timeoutMs ?? step.deadlineMs) / 100) / 10;
        const reason = `not done after ${seconds} s${waitedFor === '' ? '' : `: ${waitedFor}`}`;
        return { kind: 'deadline', reason };
      }
      reporter.step(step, 'waiting', waitedFor);
      await this.#options.sleep(LOOK_EVERY_MS);
    }
  }

  async #undo(step: Step, end: StepEnd): Promise<StepEnd> {
    const { undo } = step;
    const { observe, reporter } = this.#options;
    if (undo === undefined) return end;
    const view = await observe();
    if (!undo.isNeeded(view)) return end;
    reporter.step(step, 'undoing', undo.title);
    try {
      const cost = await undo.execute(view, this.#limits(step, this.#options.interrupts.count + 1));
      const what = `${undo.title}${typeof cost === 'string' ? ` (${cost})` : ''}`;
      reporter.step(step, 'undone', what);
      return { ...end, reason: `${end.reason}; undone: ${what}` };
    } catch (error) {
      const why = `could not ${undo.title}: ${messageOf(error)}`;
      reporter.step(step, 'not undone', why);
      return { ...end, reason: `${end.reason}; ${why}` };
    }
  }

  /** Stopped when it was interrupted more often than `count` times. */
  #limits(step: Step, count: number): StepLimits {
    const { timeoutMs, interrupts, reporter } = this.#options;
    return {
      timeoutMs,
      isStopped: () => interrupts.count > count,
      tell: (text) => reporter.step(step, 'waiting', text),
    };
  }

  #note({ journalKey }: Step, value: string): void {
    if (journalKey !== undefined) this.#procedure.journal?.note(journalKey, value);
  }

  #noted({ journalKey }: Step): string | null {
    return journalKey === undefined ? null : (this.#procedure.journal?.read(journalKey) ?? null);
  }

  #isPerformed(step: Step): boolean {
    return this.#noted(step) === PERFORMED;
  }

  #planState(step: Step, view: ClusterView): PlanState {
    if (this.#isDone(step, view)) return 'done';
    return this.#isPerformed(step) ? 'performed' : 'open';
  }

  #isDone(step: Step, view: ClusterView): boolean {
    return step.journalKey === undefined ? step.isDone(view) : this.#noted(step) === 'done';
  }

  /** Why the step may not be done now: the quorum first, then what it says itself. */
  #refusal(step: Step, view: ClusterView): string | null {
    if (step.journalKey !== undefined && this.#procedure.journal === null)
      return 'what it does cannot be seen on the servers, so it needs a cluster file to keep a journal beside';
    const isChecked = step.quorum !== 'irrelevant' && !this.#options.ignoresQuorum;
    return (isChecked ? quorumRefusal(view) : null) ?? step.guard(view);
  }
}
