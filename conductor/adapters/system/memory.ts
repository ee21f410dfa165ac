/**
 * How much memory this process may use: what the machine has, or less where a control group (of a
 * container, of a unit) bounds it, for whoever goes beyond that is killed.
 */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { posix } from 'node:path';

/** Where the kernel tells of control groups: those of this process, and where they are mounted. */
export interface ControlGroups {
  readonly list: string;
  readonly mount: string;
}

const SYSTEM: ControlGroups = { list: '/proc/self/cgroup', mount: '/sys/fs/cgroup' };

/** Bytes. Groups that cannot be read (no /proc, another mount) bound nothing. */
export function memoryLimit(groups: ControlGroups = SYSTEM): number {
  const lines = textOf(groups.list).split('\n');
  return Math.min(totalmem(), ...lines.flatMap((line) => limitsOf(line, groups.mount)));
}

/** The bounds of the group that a line names (`0::/path`, or `4:memory:/path` of version 1), and of those around it. */
function limitsOf(line: string, mount: string): number[] {
  const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
  if (controllers === undefined || path === undefined) return [];
  const isFirst = controllers.split(',').includes('memory');
  if (controllers !== '' && !isFirst) return [];
  const root = isFirst ? posix.join(mount, 'memory') : mount;
  const file = isFirst ? 'memory.limit_in_bytes' : 'memory.max';
  const found: number[] = [];
  // In a container the path may be that of the host, while the group itself is what is mounted.
  for (let at = posix.normalize(path); ; at = posix.dirname(at)) {
    const text = textOf(posix.join(root, at, file)).trim();
    if (/^\d+$/.test(text)) found.push(Number(text));
    if (at === '/') return found;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
