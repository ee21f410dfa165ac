/**
 * Finds out, before anything is started, whether the ports of a devnet are free, and who holds
 * those that are not (on Linux, from /proc; elsewhere that part is left out).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { DevnetError } from './options.ts';
import type { NodePlan } from './plan.ts';
import { HOST, PORT_NAMES, PORT_OFFSET_MAX } from './plan.ts';

/** How far another devnet is suggested to move. */
const SUGGESTED_STEP = 100;
/** Ports named in an error. */
const LINES_MAX = 6;
/** State number of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/** Throws DevnetError naming the ports that are taken. `mayMove` says whether another offset is a way out. */
export async function checkPorts(nodes: readonly NodePlan[], portOffset: number, mayMove: boolean): Promise<void> {
  const taken: string[] = [];
  for (const node of nodes) {
    for (const [name, port] of Object.entries(node.ports)) {
      if (!(await isFree(port))) {
        const holder = holderOf(port);
        const what = PORT_NAMES[name as keyof NodePlan['ports']];
        taken.push(`  port ${port} (${what}, node ${node.index + 1})${holder === null ? '' : ` is held by ${holder}`}`);
      }
    }
  }
  if (taken.length === 0) {
    return;
  }
  const more = taken.length > LINES_MAX ? `\n  and ${taken.length - LINES_MAX} more` : '';
  const next = portOffset + SUGGESTED_STEP > PORT_OFFSET_MAX ? 0 : portOffset + SUGGESTED_STEP;
  const subject = taken.length === 1 ? 'a port is' : 'some ports are';
  const remedy = mayMove ? `Stop what holds them, or shift all ports: --port-offset ${next}` : 'Stop what holds them.';
  throw new DevnetError(`${subject} in use:\n${taken.slice(0, LINES_MAX).join('\n')}${more}\n${remedy}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: HOST, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** "process 123 (bun)" for whoever listens on a port; null when that cannot be known. */
function holderOf(port: number): string | null {
  try {
    const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(file, port)));
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (inodes.size > 0 && ownsSocket(pid, inodes)) {
        return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`;
      }
    }
  } catch {
    // No /proc here, or the process went away meanwhile.
  }
  return null;
}

function listeningInodes(file: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) === true && fields[3] === LISTENING)
    .map((fields) => fields[9] ?? '');
}

function ownsSocket(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkTarget(`/proc/${pid}/fd/${descriptor}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false;
  }
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
