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
/** How long a connection that holds a port is waited for, and how often one looks again. */
const CONNECTION_WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 500;
/** State number of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/**
 * Throws DevnetError naming the ports that are taken. `mayMove` says whether another offset is a way out. A port that
 * nobody listens on is held by a connection, which the system may have numbered so at random: that one is waited for.
 */
export async function checkPorts(
  nodes: readonly NodePlan[],
  portOffset: number,
  mayMove: boolean,
  progress: (line: string) => void,
): Promise<void> {
  const untilMs = performance.now() + CONNECTION_WAIT_MS;
  for (let tries = 0; ; tries++) {
    const taken = await takenPorts(nodes);
    if (taken.length === 0) return;
    if (taken.some(({ isListening }) => isListening) || performance.now() > untilMs) {
      throw new DevnetError(describe(taken, portOffset, mayMove));
    }
    if (tries === 0) progress(`waiting for ${taken.map(({ text }) => text).join(', ')} to become free`);
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

interface TakenPort {
  readonly text: string;
  readonly holder: string | null;
  readonly isListening: boolean;
}

async function takenPorts(nodes: readonly NodePlan[]): Promise<TakenPort[]> {
  const taken: TakenPort[] = [];
  for (const node of nodes) {
    for (const [name, port] of Object.entries(node.ports)) {
      if (await isFree(port)) continue;
      const text = `port ${port} (${PORT_NAMES[name as keyof NodePlan['ports']]}, node ${node.index + 1})`;
      taken.push({ text, ...holderOf(port) });
    }
  }
  return taken;
}

function describe(taken: readonly TakenPort[], portOffset: number, mayMove: boolean): string {
  const lines = taken.map(({ text, holder, isListening }) => {
    if (holder !== null) return `  ${text} is held by ${holder}`;
    return isListening ? `  ${text}` : `  ${text} is held by an outgoing connection`;
  });
  const more = taken.length > LINES_MAX ? `\n  and ${taken.length - LINES_MAX} more` : '';
  const next = portOffset + SUGGESTED_STEP > PORT_OFFSET_MAX ? 0 : portOffset + SUGGESTED_STEP;
  const isOne = taken.length === 1;
  const stop = taken.some(({ isListening }) => isListening)
    ? `Stop what holds ${isOne ? 'it' : 'them'}`
    : 'Wait a minute for the connection to go';
  const remedy = mayMove ? `${stop}, or shift all ports: --port-offset ${next}` : `${stop}.`;
  return `${isOne ? 'a port is' : 'some ports are'} in use:\n${lines.slice(0, LINES_MAX).join('\n')}${more}\n${remedy}`;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: HOST, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether somebody listens on a taken port (true where that cannot be known), and "process 123 (bun)" if it is known who. */
function holderOf(port: number): Pick<TakenPort, 'holder' | 'isListening'> {
  let isListening = true;
  try {
    const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => listeningInodes(file, port)));
    isListening = inodes.size > 0;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (inodes.size > 0 && ownsSocket(pid, inodes)) {
        const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
        return { holder: `process ${pid} (${name})`, isListening };
      }
    }
  } catch {
    // No /proc here, or the process went away meanwhile.
  }
  return { holder: null, isListening };
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
