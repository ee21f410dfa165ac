/**
 * How many files and sockets this process may open. The runtime raises the soft limit to the hard one as
 * it starts, so what is read here is what there is.
 */
import { readFileSync } from 'node:fs';

/** The limit; Infinity where the system does not say (no /proc) or sets none. */
export function descriptorLimit(limitsPath = '/proc/self/limits'): number {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync(limitsPath, 'utf8'));
    return found === null ? Infinity : Number(found[1]);
  } catch {
    return Infinity;
  }
}
