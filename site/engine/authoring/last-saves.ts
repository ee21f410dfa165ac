/**
 * The watcher tells of a file once and passes over what is written to it in the next 50 ms: the last of several quick
 * saves would never be seen. So every file is looked at again when that time is over, and told of again if it differs.
 */
import { readFileSync, statSync } from 'node:fs';
import type { ViteDevServer } from 'vite';

const PASSED_OVER_MS = 60;

/** Lets whoever listens to the watcher, Vite too, hear of changes that it passed over. */
export function tellLastSaves(watcher: Pick<ViteDevServer['watcher'], 'on' | 'emit'>): void {
  const looks = new Map<string, NodeJS.Timeout>();
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    clearTimeout(looks.get(path));
    const told = stateOf(path);
    const lookAgain = (): void => {
      looks.delete(path);
      if (stateOf(path) === told) return;
      watcher.emit('change', path);
      watcher.emit('all', 'change', path);
    };
    looks.set(path, setTimeout(lookAgain, PASSED_OVER_MS));
  });
}

/** Text and time: the clock of a file system may stand still between two writes. null for what is no file. */
function stateOf(path: string): string | null {
  try {
    return `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`;
  } catch {
    return null;
  }
}
