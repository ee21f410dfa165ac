/**
 * Deploy and rollback commands that were begun and whose end nobody saw: a run that is killed leaves them running, and
 * the next one must not deploy beside them. Kept in the journal file, one per server, whichever procedure began it.
 */
import { hostname } from 'node:os';
import type { ServerConfig } from './cluster-config.ts';
import { isDamagedJournal, journalPath, openJournal, type Journal } from './journal.ts';
import { isRunning, processOf, type ProcessIdentity } from '#conductor/adapters/process/process-identity';

/** A command on its way, by its shell, which leads its process group. */
export interface BegunDeployment extends ProcessIdentity {
  readonly host: string;
  readonly command: string;
}

const BEGUN = 'begun';

/** Throws ClusterConfigError when it cannot be written. */
export function noteBegun(
  clusterFile: string,
  server: ServerConfig,
  { pid, command }: Pick<BegunDeployment, 'pid' | 'command'>,
): void {
  const begun: BegunDeployment = { pid, started: processOf(pid)?.started ?? '', host: hostname(), command };
  notesOf(clusterFile, server).note(BEGUN, JSON.stringify(begun));
}

/** Its end was seen. */
export function forgetBegun(clusterFile: string, server: ServerConfig): void {
  notesOf(clusterFile, server).clear();
}

/** What was begun on a server and not seen to its end; null when there is nothing. */
export function begunOn(clusterFile: string, server: ServerConfig): BegunDeployment | null {
  const text = notesOf(clusterFile, server).read(BEGUN);
  return text === null ? null : (JSON.parse(text) as BegunDeployment);
}

/**
 * Why nothing may be deployed while it is under way, as a sentence; null once it is over. `isFresh`: the operator begins
 * again, which is believed of another host only.
 */
export function whyUnderWay({ id }: ServerConfig, begun: BegunDeployment, isFresh: boolean): string | null {
  const what = `"${begun.command}", which an earlier run began for ${id},`;
  if (begun.host !== hostname()) {
    const where = `${begun.host}, as process ${begun.pid}`;
    return isFresh ? null : `${what} may still run on ${where}; once it has ended, begin again with --fresh`;
  }
  if (!isRunning(begun)) return null;
  return `${what} still runs; wait for the end of process ${begun.pid}, or end it and what it started: kill -- -${begun.pid}`;
}

/** Why nothing may change beside a command that an earlier run began on any of the servers; null when none still runs. */
export function whyAnyUnderWay(clusterFile: string, servers: readonly ServerConfig[]): string | null {
  // Those who deploy say what to do about a damaged one.
  if (isDamagedJournal(journalPath(clusterFile))) return null;
  for (const server of servers) {
    const begun = begunOn(clusterFile, server);
    const why = begun === null || begun.host !== hostname() ? null : whyUnderWay(server, begun, false);
    if (why !== null) return why;
  }
  return null;
}

function notesOf(clusterFile: string, { id }: ServerConfig): Journal {
  return openJournal(journalPath(clusterFile), `command for ${id}`);
}
