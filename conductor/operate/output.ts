/**
 * Where a command writes: sentences or one JSON document to stdout, complaints to stderr, and one line that is
 * rewritten in place where there is a terminal.
 */
import { setImmediate } from 'node:timers/promises';
import { paintLine, span, type Line } from '#conductor/cli/terminal/text-line';
import { exitCodes } from './exit-codes.ts';
import { wordWrap } from '#conductor/cli/terminal/word-wrap';

const CLEAR_LINE = '\r\u001B[2K';
const COLUMNS_FALLBACK = 80;
/** Columns of the words before sentences. */
const LABEL_COLUMNS = 12;

/** The first write to stdout that failed: told when the command ends, for what it does must not end halfway. */
let failure: NodeJS.ErrnoException | null = null;
const failed = Promise.withResolvers<void>();

function onFailure(error: NodeJS.ErrnoException): void {
  failure ??= error;
  failed.resolve();
}

export class Output {
  /** Documents and events instead of sentences. */
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  /** Somebody is asked, whom an interrupt answers: no step goes on then. */
  isAsking = false;
  readonly #hasColour: boolean;
  #hasPassing = false;

  constructor(isJson: boolean) {
    if (!process.stdout.listeners('error').includes(onFailure)) process.stdout.on('error', onFailure);
    this.isJson = isJson;
    this.isTerminal = process.stdout.isTTY && !isJson;
    this.#hasColour = this.isTerminal && (process.env['NO_COLOR'] ?? '') === '';
  }

  /** Whether somebody can be asked. */
  get canAsk(): boolean {
    return this.isTerminal && process.stdin.isTTY;
  }

  get hasColour(): boolean {
    return this.#hasColour;
  }

  get columns(): number {
    return process.stdout.columns || COLUMNS_FALLBACK;
  }

  /** A line for people; nothing with --json. */
  line(text: string | Line = ''): void {
    if (this.isJson) return;
    this.#clearPassing();
    const painted = typeof text === 'string' ? text : paintLine(text, this.#hasColour);
    process.stdout.write(`${painted.trimEnd()}\n`);
  }

  /** A sentence behind a word that says what it is about; on a terminal broken between words. */
  labelled(label: string, text: string, columns = LABEL_COLUMNS): void {
    const indent = ' '.repeat(columns);
    const lines = this.isTerminal ? wordWrap(text, '', this.columns - columns) : [text];
    for (const [at, line] of lines.entries())
      this.line([span(at === 0 ? label.padEnd(columns) : indent, 'faint'), span(line)]);
  }

  /** A sentence in lines that fit the terminal, the later ones indented as the text after `mark`; one line elsewhere. */
  paragraph(mark: string, text: string): readonly string[] {
    if (!this.isTerminal) return [mark + text];
    const [first = '', ...others] = wordWrap(text, ' '.repeat(mark.length), this.columns);
    return [mark + first.trimStart(), ...others];
  }

  /** A line that the next one replaces; nothing without a terminal. */
  passing(line: Line): void {
    if (!this.isTerminal) return;
    this.#clearPassing();
    this.#hasPassing = true;
    process.stdout.write(paintLine(line, this.#hasColour));
  }

  /** One line of JSON; nothing without --json. */
  json(value: unknown): void {
    if (this.isJson) process.stdout.write(`${JSON.stringify(value)}\n`);
  }

  /** Why it did not work, for people and in logs. */
  complain(text: string): void {
    this.#clearPassing();
    process.stderr.write(`${text}\n`);
  }

  /**
   * Nothing more is said. Resolves when all of it is with whoever reads: ending before that would cut it off. Where it
   * could not be written, as on a full disk, it ends the process with a sentence; a reader who has enough is none.
   */
  async end(): Promise<void> {
    await Promise.race([
      failed.promise,
      new Promise<void>((resolve) => {
        process.stdout.end(() => resolve());
      }),
    ]);
    // The runtime tells of a write that failed only after that.
    await setImmediate();
    if (failure === null || failure.code === 'EPIPE') return;
    process.stderr.write(`the output could not be written: ${failure.message}\n`);
    process.exit(exitCodes.failed);
  }

  #clearPassing(): void {
    if (this.#hasPassing) process.stdout.write(CLEAR_LINE);
    this.#hasPassing = false;
  }
}
