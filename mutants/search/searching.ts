/** Lets the exhaustive search of a scope hunt for a mutant, in a process of its own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
/** A search prints the whole way to the broken law. */
const OUTPUT_BYTES_MAX = 2 ** 24;

export interface SearchFinding {
  /** What the search printed. */
  readonly text: string;
  /** The law that it found broken, and after how many steps; null when every law held, or it could not begin. */
  readonly broken: { readonly law: string; readonly steps: number } | null;
}

/** `path` is the mutant's file. */
export function search(path: string, scope: string): Promise<SearchFinding> {
  const args = [join(root, 'simulator', 'exhaustive', 'hunt.ts'), path, scope];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: OUTPUT_BYTES_MAX }, (error, output, problem) => {
      const text = output + problem;
      const [, law, steps] = /^(.+) is broken after (\d+) steps: /m.exec(text) ?? [];
      resolve({ text, broken: error === null && law !== undefined ? { law, steps: Number(steps) } : null });
    });
  });
}
