/** Whether a process lives, and which one it was, also after its number has been given to another one. */
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** When it was started, in the words of its system; '' where that does not tell. */
  readonly started: string;
}

/** The process that has this number now, also someone else's; null when there is none, or it only waits to be buried. */
export function processOf(pid: number): ProcessIdentity | null {
  try {
    // Signal 0 only asks.
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return null;
  }
  // Behind the name, which may hold anything: the state is the first word, the start the twentieth.
  const words = statusOf(pid).split(') ').at(-1)?.split(' ') ?? [];
  return words[0] === 'Z' ? null : { pid, started: words[19] ?? '' };
}

/** Whether some process has this number. */
export function isAlive(pid: number): boolean {
  return processOf(pid) !== null;
}

/** Whether this very process still runs; true where the system does not tell when it was started. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  const running = processOf(pid);
  return running !== null && (started === '' || running.started === '' || running.started === started);
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
