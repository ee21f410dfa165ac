/** What a command of the operators' tool says beside its steps, kept for the page instead of a terminal. */
import type { Line } from '#conductor/cli/terminal/text-line';
import { Output } from '#conductor/operate/output';

/** Lines that are kept: a deploy command may print without end. */
const linesMax = 200;
const lineLengthMax = 500;

export class TellingOutput extends Output {
  readonly #told: (lines: readonly string[]) => void;
  #lines: readonly string[] = [];

  /** `told` gets all lines whenever there is one more. Nobody can be asked. */
  constructor(told: (lines: readonly string[]) => void) {
    super(true);
    this.#told = told;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  override line(text: string | Line = ''): void {
    this.#keep(typeof text === 'string' ? text : text.map((part) => part.text).join(''));
  }

  override labelled(label: string, text: string): void {
    this.#keep(label.length > 1 ? `${label}: ${text}` : text);
  }

  override complain(text: string): void {
    this.#keep(text);
  }

  override json(): void {
    // The page has steps and lines.
  }

  #keep(text: string): void {
    const line = text.trim().slice(0, lineLengthMax);
    if (line === '') return;
    this.#lines = [...this.#lines, line].slice(-linesMax);
    this.#told(this.#lines);
  }
}
