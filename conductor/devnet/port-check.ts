/**
 * Finds out, before anything is started, whether the ports of a devnet are free, and who holds
 * those that are not (on Linux, from /proc; elsewhere that part is left out).
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { DevnetError } from './options.ts';
import { HOST, PORT_NAMES, PORT_OFFSET_MAX, type NodePlan } from './plan.ts';

/** How far another devnet is suggested to move. */
const SUGGESTED_STEP = 100;
/** Ports named in an error. */
const LINES_MAX = 6;
/** How long a connection that holds a port is waited for, and how often one looks again. */
const CONNECTION_WAIT_MS = 10_000;
const LOOK_AGAIN_MS = 500;
/** State number of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/** How ports are checked. */
export interface PortCheck {
  readonly portOffset: number;
  /** Whether another offset is a way out. */
  readonly mayMove: boolean;
  /** Told once when connections are waited for. */
  readonly progress: (line: string) => void;
  /** Milliseconds a connection is waited for. */
  readonly waitMs?: number;
}

/**
 * Throws DevnetError naming the ports that are taken. A port that nobody listens on is held by a connection, which the
 * system may have numbered so at random: that one is waited for.
 */
export async function checkPorts(nodes: readonly NodePlan[], check: PortCheck): Promise<void> {
  const waitMs = check.waitMs ?? CONNECTION_WAIT_MS;
  const untilMs = performance.now() + waitMs;
  for (let tries = 0; ; tries++) {
    const taken = await takenPorts(nodes);
    if (taken.length === 0) return;
    if (taken.some(({ isListening }) => isListening) || performance.now() > untilMs) {
      throw new DevnetError(describe(taken, check));
    }
    if (tries === 0) {
      const held = taken.map(({ text }) => text).join(', ');
      check.progress(`waiting up to ${waitMs / 1000} s: a connection holds ${held}`);
    }
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

function describe(taken: readonly TakenPort[], { portOffset, mayMove }: PortCheck): string {
  const lines = taken.map(({ text, holder, isListening }) => {
    if (isListening) return holder === null ? `  ${text}` : `  ${text} is held by ${holder}`;
    return `  ${text} is held by a connection${holder === null ? '' : ` of ${holder}`}`;
  });
  const more = taken.length > LINES_MAX ? `\n  and ${taken.length - LINES_MAX} more` : '';
  const next = portOffset + SUGGESTED_STEP > PORT_OFFSET_MAX ? 0 : portOffset + SUGGESTED_STEP;
  const isOne = taken.length === 1;
  const stop = taken.some(({ isListening }) => isListening)
    ? `Stop what holds ${isOne ? 'it' : 'them'}`
    : `Wait a minute for the ${isOne ? 'connection' : 'connections'} to go`;
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
    const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => socketsOn(file, port));
    isListening = sockets.some((socket) => socket.isListening);
    const inodes = new Set(sockets.filter((socket) => socket.isListening === isListening).map(({ inode }) => inode));
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && ownsSocket(name, inodes));
    if (pid === undefined) return { holder: null, isListening };
    return { holder: `process ${pid} (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`, isListening };
  } catch {
    // No /proc here, or the process went away meanwhile.
    return { holder: null, isListening };
  }
}

function socketsOn(file: string, port: number): { inode: string; isListening: boolean }[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) === true)
    .map((fields) => ({ inode: fields[9] ?? '', isListening: fields[3] === LISTENING }));
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
