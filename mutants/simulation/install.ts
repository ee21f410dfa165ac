/** Puts a mutant into whatever this process loads from now on: what it has loaded before stays as it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyMutant, type Mutant } from '../mutant.ts';

const root = join(import.meta.dirname, '..', '..');

/** Throws PatchError where the mutant does not fit the source. */
export function installMutant(mutant: Mutant): void {
  for (const file of new Set(mutant.hunks.map((hunk) => hunk.file))) {
    const path = join(root, file);
    const contents = applyMutant(mutant, file, readFileSync(path, 'utf8'));
    const escaped = path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    Bun.plugin({
      name: mutant.id,
      setup: (build) => {
        build.onLoad({ filter: new RegExp(`^${escaped}$`) }, () => ({ contents, loader: 'ts' }));
      },
    });
  }
}
