/** The operators' tool on a terminal of 80 columns: what a person types, and what stands there. */
import { waitFor } from '../cluster/wait.ts';

const COLUMNS = 80;
const SHOWN_MS_MAX = 60_000;

export class OperatorTerminal {
  readonly #decoder = new TextDecoder();
  readonly #terminal: Bun.Terminal;
  readonly #child: Bun.Subprocess;
  #text = '';

  constructor(words: readonly string[]) {
    this.#terminal = new Bun.Terminal({
      cols: COLUMNS,
      rows: 24,
      data: (_, bytes) => void (this.#text += this.#decoder.decode(bytes, { stream: true })),
    });
    this.#child = Bun.spawn([...words], { terminal: this.#terminal });
  }

  /** All that was written, without colours and with lines as they were last. */
  get lines(): string[] {
    // oxlint-disable-next-line no-control-regex
    const plain = this.#text.replaceAll(/\u001B\[[0-9;?]*[A-Za-z]/g, (code) => (code === '\u001B[2K' ? '\u0000' : ''));
    return plain.split(/\r?\n/).map((line) => line.split('\u0000').at(-1)?.replaceAll('\r', '') ?? '');
  }

  type(text: string): void {
    this.#terminal.write(text);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async shows(text: string): Promise<void> {
    await waitFor(`"${text}" on the terminal`, SHOWN_MS_MAX, () => (this.#text.includes(text) ? true : null));
  }

  /** Its exit code. */
  async ended(): Promise<number> {
    const code = await this.#child.exited;
    this.#terminal.close();
    return code;
  }
}
