/** The laws of figure 3.2 of the thesis that take more than one server to break, in one state of a cluster. */
import type { Committed } from './committed.ts';
import type { LocalState } from './local-states.ts';

export interface Violation {
  readonly law: string;
  readonly message: string;
}

/** The first law that does not hold between `changed` and the others, or in `changed` itself. */
export function brokenLaw(
  servers: readonly LocalState[],
  changed: number,
  committed: ReturnType<Committed['get']>,
): Violation | null {
  for (let other = 0; other < servers.length; other++) {
    if (other === changed) continue;
    const term = servers[changed]!.deeds.led.find((one) => servers[other]!.deeds.led.includes(one));
    if (term !== undefined)
      return { law: 'election safety', message: `term ${term} has two leaders, ${names[changed]} and ${names[other]}` };
    const index = contradiction(servers[changed]!.log, servers[other]!.log);
    if (index !== null)
      return {
        law: 'log matching',
        message: `${names[changed]} and ${names[other]} hold different entries before a common one, at ${index}`,
      };
  }
  for (let at = 0; at < servers.length; at++) {
    const { role, term, log } = servers[at]!;
    if (role !== 'leader') continue;
    const index = committed.findIndex(({ entry, knownInTerm }, before) => knownInTerm < term && log[before] !== entry);
    if (index >= 0)
      return {
        law: 'leader completeness',
        message: `${names[at]} leads term ${term} with ${log[index] ?? 'nothing'} at index ${index + 1}, where ${committed[index]!.entry} was committed`,
      };
  }
  return null;
}

/** Servers of a cluster, as people call them. */
export const names = ['A', 'B', 'C'] as const;

/** The lowest index at which two logs differ below an entry of the same index and term; null where they match. */
function contradiction(one: readonly string[], other: readonly string[]): number | null {
  let at = Math.min(one.length, other.length) - 1;
  while (at >= 0 && termOf(one[at]!) !== termOf(other[at]!)) at--;
  for (; at >= 0; at--) if (one[at] !== other[at]) return at + 1;
  return null;
}

function termOf(entry: string): number {
  return Number.parseInt(entry, 10);
}
