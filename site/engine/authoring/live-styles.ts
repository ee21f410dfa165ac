/**
 * The styles while authors write: all of them as one file, so that a page asks once instead of once per file, and not
 * at all as long as they stay the same.
 */
import type { ViteDevServer } from 'vite';
import { styleFiles } from '../site-plugin.ts';

/** Where they are served. */
export const STYLES_PATH = '/authoring/styles.css';
const STYLES = /^site\/(?:styles|layout|mdx)\/.*\.css$/;

export class LiveStyles {
  readonly #root: string;
  readonly #vite: ViteDevServer;
  #text: Promise<string> | null = null;
  #changedAt = Date.now();

  /** `root` is the repository, absolute. */
  constructor(root: string, vite: ViteDevServer) {
    this.#root = root;
    this.#vite = vite;
  }

  /** Never means other styles than now: a browser may keep what it gets there. */
  get address(): string {
    return `${STYLES_PATH}?${this.#changedAt}`;
  }

  text(): Promise<string> {
    return (this.#text ??= this.#join());
  }

  /** Takes in a change of a file, its path within the repository; tells whether it is one of the styles. */
  takeIn(name: string): boolean {
    if (!STYLES.test(name)) return false;
    this.#text = null;
    this.#changedAt = Date.now();
    return true;
  }

  async #join(): Promise<string> {
    const { client } = this.#vite.environments;
    const sheets = styleFiles(this.#root).map((file) => client.transformRequest(`/${file}?direct`));
    return (await Promise.all(sheets)).map((sheet) => sheet?.code ?? '').join('\n');
  }
}
