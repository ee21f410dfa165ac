/** Whether a process lives, and which one it is after its number has been given to another. */
import { readFileSync } from 'node:fs';

/** Signal 0 only asks. A process that is someone else's lives, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When it was started, in the words of the system; '' where the system does not tell. */
export function startOf(pid: number): string {
  try {
    // Behind the name, which may hold anything, the start is the twentieth word.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
