/** Processor time of other processes. Linux only, as the benchmarks of whole conductors are. */
import { readFileSync } from 'node:fs';

const CLOCK_TICKS_PER_SECOND = 100;

/** What all threads of a process have used so far, user and system, in milliseconds, in steps of 10. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND;
}
