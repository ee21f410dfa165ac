/**
 * Starts a hunt in a process of its own and says what came of it. A mutant that never comes back from an event is
 * caught, too: each run is announced before it begins, and the last one does not end.
 */
import { createInterface } from 'node:readline';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { runFromText } from '../../simulator/run-value.ts';
import type { HuntOrder, HuntProgress, HuntResult, Outcome } from './outcome.ts';

const root = join(import.meta.dirname, '..', '..');
/** A run takes seconds on a machine that does much else; one that takes this long never ends, milliseconds. */
const HANG_MS = 120_000;
/** Lines kept of what a process that fails complains of. */
const COMPLAINT_LINES = 8;

/** Hunts with `hangMs` for a single run, at most. Never throws: a process that fails is a broken mutant. */
export async function hunt(order: HuntOrder, hangMs = HANG_MS): Promise<Outcome> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hunt.ts'), JSON.stringify(order)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let latest: HuntProgress | null = null;
  let isHung = false;
  const complaints: string[] = [];
  const kill = (): void => {
    isHung = true;
    child.kill('SIGKILL');
  };
  let timer = setTimeout(kill, hangMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  createInterface({ input: child.stderr }).on('line', (line) => {
    clearTimeout(timer);
    timer = setTimeout(kill, hangMs);
    const progress = progressOf(line);
    latest = progress ?? latest;
    if (progress === null) complaints.push(line);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  if (code === 0) return JSON.parse(out) as HuntResult;
  if (isHung && latest !== null) return hung(latest, hangMs);
  return { kind: 'broken', message: complaints.slice(-COMPLAINT_LINES).join('\n') || 'it did not even begin' };
}

function progressOf(line: string): HuntProgress | null {
  if (!line.startsWith('{"runs":')) return null;
  try {
    return JSON.parse(line) as HuntProgress;
  } catch {
    return null;
  }
}

/** Work without end is the one resource that can only be judged from outside. */
function hung({ runs, round, run }: HuntProgress, hangMs: number): Outcome {
  const seconds = hangMs / 1000;
  const message = `a conductor does not come back from an event within ${seconds} s`;
  const events = runFromText(run).events.length;
  const told = { events, shrunkEvents: events, found: run, shrunk: run, story: message, laws: [] };
  return { kind: 'killed', law: 'boundedResources', message, runs, seconds, virtualSeconds: 0, round, ...told };
}
