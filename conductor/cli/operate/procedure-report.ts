/** What a procedure tells while it runs: lines for people, or one JSON object per event for programs. */
import { span, cutLine } from '../devnet/text-line.ts';
import { describeCluster } from './cluster-summary.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Outcome, PlanState, ProcedureReporter, StepState } from './procedure.ts';
import type { Procedure, Step } from './step.ts';
import { viewDocument } from './view-document.ts';

/** Without a terminal, what is waited for is said this often, milliseconds. */
const WAITING_EVERY_MS = 5000;

/** What a plan says behind a step. */
const planNotes = { done: '  is so already', performed: '  was performed, is waited for', open: '' } as const;

export class ProcedureReport implements ProcedureReporter {
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #isDryRun: boolean;
  /** Null while no step is in progress. */
  #startedMs: number | null = null;
  #saidWaitingMs = 0;
  #waitedFor = '';

  constructor(output: Output, { nowMs, isDryRun }: { nowMs(): number; readonly isDryRun: boolean }) {
    this.#output = output;
    this.#nowMs = nowMs;
    this.#isDryRun = isDryRun;
  }

  /** A step is in progress. */
  get isBusy(): boolean {
    return this.#startedMs !== null;
  }

  plan({ title, steps }: Procedure, states: readonly PlanState[], refusal: string | null): void {
    const rows = steps.map((step, at) => ({
      step: step.title,
      state: states[at] ?? 'open',
      stopsSequencing: step.stopsSequencing,
    }));
    this.#output.json({ event: 'plan', title, steps: rows, refusal });
    this.#output.line([span(title, 'strong')]);
    if (!this.#isDryRun) return;
    const next = rows.findIndex(({ state }) => state !== 'done');
    for (const [at, row] of rows.entries()) {
      const note = row.stopsSequencing && row.state === 'open' ? '  blocks stop meanwhile' : planNotes[row.state];
      this.#output.line([span(row.state === 'done' ? '  ✓ ' : '  · '), span(row.step), span(note, 'faint')]);
      if (at === next && refusal !== null) this.#output.line([span(`    would be refused: ${refusal}`, 'strong')]);
    }
    if (next >= 0 && rows.slice(next + 1).some(({ state }) => state !== 'done'))
      this.#output.line([span('    what could refuse a later step is seen when its turn comes', 'faint')]);
  }

  step({ title }: Step, state: StepState, text: string): void {
    if (state === 'started') this.#startedMs = this.#nowMs();
    const seconds = Math.round((this.#nowMs() - (this.#startedMs ?? this.#nowMs())) / 100) / 10;
    if (state !== 'started' && state !== 'waiting') this.#startedMs = null;
    switch (state) {
      case 'skipped':
        this.#event(title, state, text);
        return this.#output.line([span('  ✓ '), span(title), span('  was so already', 'faint')]);
      case 'started':
        this.#saidWaitingMs = this.#nowMs();
        this.#event(title, state, text);
        return this.#passing(title, '');
      case 'waiting':
        return this.#waiting(title, text, seconds);
      case 'done':
        this.#event(title, state, text, seconds);
        return this.#output.line([span('  ✓ '), span(title), span(`  ${seconds} s`, 'faint')]);
      default: {
        this.#event(title, state, text, seconds);
        // Why it failed is said at the end.
        const [mark, words] = state === 'failed' ? ['✗', title] : ['↶', `${state}: ${text}`];
        this.#output.line([span(`  ${mark} `, 'strong'), span(words)]);
      }
    }
  }

  /** The end: what was done, what was not, how the cluster stands, and how to go on. */
  end(procedure: Procedure, outcome: Outcome, goOn: string): void {
    const { kind, reason, done, open, view } = outcome;
    const cluster = describeCluster(view);
    this.#output.json({
      event: 'end',
      outcome: kind,
      exitCode: exitCodeOf(kind),
      reason,
      done,
      open,
      cluster: viewDocument(view),
      ...(kind === 'done' ? { afterwards: procedure.afterwards ?? [] } : { command: goOn }),
    });
    const line = (word: string, text: string): void => this.#output.labelled(word, text);
    this.#output.line();
    if (this.#isDryRun) {
      line('cluster', cluster);
      return line('nothing', 'was changed');
    }
    if (kind === 'done') {
      line('done', cluster);
      for (const text of procedure.afterwards ?? []) line('next', text);
      return;
    }
    line('stopped', reason);
    line('done', done.length === 0 ? 'nothing' : done.join('; '));
    line('not done', open.join('; '));
    line('cluster', cluster);
    line('go on with', goOn);
  }

  #waiting(title: string, text: string, seconds: number): void {
    const isDue = this.#nowMs() - this.#saidWaitingMs >= WAITING_EVERY_MS;
    if (isDue || (this.#output.isJson && text !== this.#waitedFor)) {
      this.#event(title, 'waiting', text, seconds);
      if (isDue && !this.#output.isTerminal) this.#output.line(`  … ${title}: ${text} (${Math.round(seconds)} s)`);
      this.#saidWaitingMs = this.#nowMs();
    }
    this.#waitedFor = text;
    this.#passing(title, `${text === '' ? '' : `  ${text}`}  ${Math.round(seconds)} s`);
  }

  #passing(title: string, note: string): void {
    this.#output.passing(cutLine([span('  … ', 'accent'), span(title), span(note, 'faint')], this.#output.columns - 1));
  }

  #event(step: string, state: StepState, text: string, seconds?: number): void {
    this.#output.json({
      event: 'step',
      atMs: Date.now(),
      step,
      state,
      text,
      ...(seconds === undefined ? {} : { seconds }),
    });
  }
}
