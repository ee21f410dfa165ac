/** Reads the mutants of a folder and of those in it; every file that ends in `.mutant` is one. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseMutant, PatchError, type Mutant } from './mutant.ts';

export interface LoadedMutant extends Mutant {
  readonly path: string;
}

/** Those of this repository. */
export const patchesFolder = join(import.meta.dirname, 'patches');

/**
 * In the order of their names. Throws PatchError when there is no such folder, for one that cannot be read, and for an
 * id that is there twice.
 */
export function loadMutants(folder: string): LoadedMutant[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new PatchError(`there is no folder ${folder}`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mutant'));
  const mutants = names.toSorted().map((name) => {
    const path = join(folder, name);
    return { ...parseMutant(name, readFileSync(path, 'utf8')), path };
  });
  const ids = mutants.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new PatchError(`two mutants have the id ${twice}`);
  return mutants;
}
