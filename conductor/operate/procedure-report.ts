/** What a procedure tells while it runs: lines for people, or one JSON object per event for programs. */
import { cutLine, span, type Style } from '#conductor/cli/terminal/text-line';
import { describeCluster } from './cluster-summary.ts';
import { exitCodeOf } from './exit-codes.ts';
import type { Output } from './output.ts';
import type { Outcome, Planned, ProcedureReporter, StepState } from './procedure.ts';
import type { Procedure, Step } from './step.ts';
import { viewDocument } from './view-document.ts';

/** Without a terminal, what is waited for is said this often, milliseconds. */
const WAITING_EVERY_MS = 5000;

/** What a plan says behind a step. */
const planNotes = { done: '  is so already', performed: '  was performed, is waited for', open: '' } as const;

const PLAN_INDENT = '      ';

/** What is looked at before a step, and how long may be waited for it; `timeoutMs` instead of its own, if given. */
function asksOf({ asks, isWait, isUnseen, deadlineMs }: Step, timeoutMs: number | null): string {
  const most = `at most ${spanOfTime(timeoutMs ?? deadlineMs)}`;
  const wait = isWait === true ? `waits ${most}` : isUnseen === true ? `afterwards waits ${most}` : `takes ${most}`;
  return asks === undefined ? wait : `if ${asks}; ${wait}`;
}

function spanOfTime(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1000)} s`;
}

interface ReportOptions {
  /** Monotonic milliseconds. */
  nowMs(): number;
  readonly isDryRun: boolean;
  /** Instead of the deadline of each step, milliseconds; null for theirs. */
  readonly timeoutMs: number | null;
}

export class ProcedureReport implements ProcedureReporter {
  readonly #output: Output;
  readonly #nowMs: () => number;
  readonly #isDryRun: boolean;
  readonly #timeoutMs: number | null;
  /** Null while no step is in progress. */
  #startedMs: number | null = null;
  #saidWaitingMs = 0;
  #waitedFor = '';

  constructor(output: Output, { nowMs, isDryRun, timeoutMs }: ReportOptions) {
    this.#output = output;
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
    this.#isDryRun = isDryRun;
  }

  /** A step is in progress. */
  get isBusy(): boolean {
    return this.#startedMs !== null;
  }

  plan({ title }: Procedure, planned: readonly Planned[]): void {
    const rows = planned.map(({ step, state, refusal, waitsFor }) => ({
      step: step.title,
      state,
      stopsSequencing: step.stopsSequencing,
      asks: `${asksOf(step, this.#timeoutMs)}${waitsFor === '' ? '' : `; now: ${waitsFor}`}`,
      refusal,
    }));
    const refusal = rows.find((row) => row.refusal !== null)?.refusal ?? null;
    this.#output.json({ event: 'plan', title, steps: rows, refusal });
    this.#output.line([span(title, 'strong')]);
    if (!this.#isDryRun) return;
    if (planned.some(({ step, state }) => state === 'open' && step.quorum !== 'irrelevant'))
      this.#output.line([span('before each change a majority of the voters has to answer', 'faint')]);
    for (const row of rows) {
      const note = row.stopsSequencing && row.state === 'open' ? '  blocks stop meanwhile' : planNotes[row.state];
      this.#output.line([span(row.state === 'done' ? '  ✓ ' : '  · '), span(row.step), span(note, 'faint')]);
      if (row.state === 'open') this.#indented(row.asks, 'faint');
      if (row.refusal !== null) this.#indented(`would be refused: ${row.refusal}`, 'strong');
    }
  }

  #indented(text: string, style: Style): void {
    for (const line of this.#output.paragraph(PLAN_INDENT, text)) this.#output.line([span(line, style)]);
  }

  step({ title }: Step, state: StepState, text: string): void {
    if (state === 'started') this.#startedMs = this.#nowMs();
    const seconds = Math.round((this.#nowMs() - (this.#startedMs ?? this.#nowMs())) / 100) / 10;
    if (!['started', 'waiting', 'undoing'].includes(state)) this.#startedMs = null;
    switch (state) {
      case 'skipped':
        this.#event(title, state, text);
        return this.#output.line([span('  ✓ '), span(title), span('  was so already', 'faint')]);
      case 'started':
        this.#saidWaitingMs = this.#nowMs();
        this.#event(title, state, text);
        return this.#passing(title, '');
      case 'undoing':
        this.#startedMs = this.#saidWaitingMs = this.#nowMs();
        this.#event(title, state, text);
        return this.#passing(text, '');
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
