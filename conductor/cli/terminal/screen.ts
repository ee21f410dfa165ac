/**
 * The terminal, taken over and given back: alternate screen, hidden cursor, raw keys. Frames are
 * drawn by rewriting only the lines that changed, inside a synchronized update, so nothing flickers.
 */
import { paintLine, widthOf, type Line } from './text-line.ts';

const ENTER = '\u001B[?1049h\u001B[?25l\u001B[2J';
const LEAVE = '\u001B[?25h\u001B[?1049l';
const BEGIN_UPDATE = '\u001B[?2026h';
const END_UPDATE = '\u001B[?2026l';
const FALLBACK: Size = { columns: 80, rows: 24 };

/** What happens on the terminal. */
export interface ScreenListener {
  /** Characters typed. */
  readonly onInput: (chunk: string) => void;
  readonly onResize: () => void;
}

/** The process's own terminal. */
export class Screen {
  readonly #hasColour: boolean;
  readonly #leave = (): void => this.close();
  #drawn: string[] = [];
  #isOpen = false;
  #removeListeners: () => void = () => undefined;

  constructor(hasColour: boolean) {
    this.#hasColour = hasColour;
  }

  get size(): Size {
    return { columns: process.stdout.columns || FALLBACK.columns, rows: process.stdout.rows || FALLBACK.rows };
  }

  open(listener: ScreenListener): void {
    this.#isOpen = true;
    process.stdout.write(ENTER);
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8');
    process.stdin.resume();
    const onResize = (): void => {
      this.#drawn = [];
      process.stdout.write('\u001B[2J');
      listener.onResize();
    };
    process.stdin.on('data', listener.onInput);
    process.stdout.on('resize', onResize);
    process.on('exit', this.#leave);
    this.#removeListeners = () => {
      process.stdin.off('data', listener.onInput);
      process.stdout.off('resize', onResize);
      process.off('exit', this.#leave);
    };
  }

  draw(lines: readonly Line[]): void {
    if (!this.#isOpen) return;
    const { columns } = this.size;
    const painted = lines.map((line) => {
      const rest = ' '.repeat(Math.max(0, columns - widthOf(line))); // Clearing to the end could erase the last column.
      return paintLine(line, this.#hasColour) + rest;
    });
    let changes = '';
    for (const [row, text] of painted.entries()) {
      if (text !== this.#drawn[row]) changes += `\u001B[${row + 1};1H${text}`;
    }
    this.#drawn = painted;
    if (changes !== '') process.stdout.write(`${BEGIN_UPDATE}${changes}${END_UPDATE}`);
  }

  /** Gives the terminal back; safe to call twice. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#removeListeners();
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stdout.write(`${END_UPDATE}${LEAVE}`);
  }
}

/** Columns and rows of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}
