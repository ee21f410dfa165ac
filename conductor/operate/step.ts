/**
 * What a procedure is made of. A step says what it makes true, how that is seen in a view of the cluster, when it
 * must not be done, and how to take it back; the runner in procedure.ts does everything else.
 */
import type { ClusterView } from './cluster-view.ts';
import type { Journal } from './journal.ts';

/** One change, small enough to be finished or undone. Its functions may be called any number of times. */
export interface Step {
  /** What it does, as an order: "pause node-1". */
  readonly title: string;
  /** Whether what it makes true is so already: then it is skipped. */
  isDone(view: ClusterView): boolean;
  /** Why it must not be done now, as a sentence; null when it may. */
  guard(view: ClusterView): string | null;
  /** What `guard` looks at, in a few words for a plan; nothing but the quorum where it is left out. */
  readonly asks?: string;
  /** What of `guard` no step before it can change, so that a plan tells it; null for nothing. */
  foresee?(view: ClusterView): string | null;
  /** Does it. Throws when it was refused; when it is not known whether it happened, an RpcCallError says so. */
  execute(view: ClusterView, limits: StepLimits): Promise<void>;
  /** Whether it has had its effect. */
  settled(view: ClusterView): boolean;
  /** Why it will not settle any more, as a sentence; null while it may. */
  broken?(view: ClusterView): string | null;
  /** What is waited for now, in a few words. */
  progress?(view: ClusterView): string;
  /** Longest wait from performing to settling, milliseconds; where `isUnseen`, after it was performed. */
  readonly deadlineMs: number;
  /** Changes nothing, so that it may be left at any time. */
  readonly isWait?: true;
  /** Blocks stop for a moment, or until it is done: somebody has to confirm before. */
  readonly stopsSequencing: boolean;
  /** Takes it back when it did not settle. */
  readonly undo?: Undo;
  /** 'irrelevant' where the step cannot make a lost quorum worse; the runner checks it for all others. */
  readonly quorum?: 'irrelevant';
  /**
   * A view does not show whether it happened: it failed when `execute` throws a refusal, however well the servers are.
   * Once it is performed, waiting for it to settle may be left at any time; it is not performed again for that.
   */
  readonly isUnseen?: true;
  /** Name under which the journal remembers that it is done: for what no view shows, such as a deployment. */
  readonly journalKey?: string;
}

export interface Undo {
  /** What it does, as an order: "resume node-1". */
  readonly title: string;
  /** Whether there is something to take back. */
  isNeeded(view: ClusterView): boolean;
  /** May resolve with what it cost, in a few words. */
  execute(view: ClusterView, limits: StepLimits): Promise<string | void>;
}

/** How long performing may take, for what can be stopped on its way. */
export interface StepLimits {
  /** From --timeout, milliseconds; null where it was not given. */
  readonly timeoutMs: number | null;
  /** Whether somebody wants it stopped half done. */
  isStopped(): boolean;
  /** Says what is waited for meanwhile, in a few words. */
  tell(text: string): void;
}

/** Thrown by `execute` when it was stopped on its way. */
export class StepStoppedError extends Error {
  readonly kind: 'deadline' | 'interrupted';

  constructor(kind: 'deadline' | 'interrupted', message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** Steps in order, planned from the cluster as it is. */
export interface Procedure {
  /** What the whole makes true, as an order: "hand leadership to node-2". */
  readonly title: string;
  readonly steps: readonly Step[];
  /** Words after `conductor` that go on where it stopped; options that name the cluster are added. */
  readonly command: readonly string[];
  /** Remembers across runs; null where there is no cluster file. */
  readonly journal: Journal | null;
  /** Called before the first change, when nothing refuses it: notes what will be different by the end. */
  begin?(): void;
  /** What is left to do by hand when all is done, as sentences. */
  readonly afterwards?: readonly string[];
}

/** A step that only waits for something; `isDone` is what it waits for. */
export function waitStep(
  step: Pick<Step, 'title' | 'deadlineMs' | 'broken' | 'progress' | 'quorum' | 'asks'> & {
    isDone(view: ClusterView): boolean;
  },
): Step {
  return {
    guard: () => null,
    execute: () => Promise.resolve(),
    settled: (view) => step.isDone(view),
    stopsSequencing: false,
    isWait: true,
    ...step,
  };
}

/** The same step, which is also done for good once `isOver`: what it made true may have been changed by a later one. */
export function skippedOnce(step: Step, isOver: (view: ClusterView) => boolean): Step {
  return { ...step, isDone: (view) => isOver(view) || step.isDone(view) };
}
