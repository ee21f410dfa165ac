/**
 * When each page was changed last, from the history of the repository: one run of git for all pages.
 */
import { spawnSync } from 'node:child_process';

const MARK = 'commit ';

/** ISO days by file, for files below `folder` (a path within `root`). Empty where there is no history. */
export function readLastUpdated(root: string, folder: string): Map<string, string> {
  const run = spawnSync('git', ['log', `--format=${MARK}%cs`, '--name-only', '--', folder], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const dates = new Map<string, string>();
  if (run.status !== 0) return dates;
  let date = '';
  for (const line of run.stdout.split('\n')) {
    if (line.startsWith(MARK)) date = line.slice(MARK.length);
    else if (line !== '' && !dates.has(line)) dates.set(line, date);
  }
  return dates;
}
