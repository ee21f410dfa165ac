/**
 * What the commands about one server's store have in common: which directory is meant, one line of progress, an
 * interruption that leaves no trace, and how what went wrong is told.
 */
import { basename, join, resolve } from 'node:path';
import { MigrationError } from '#conductor/migration/migration-error';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { messageOf } from '#conductor/core/errors';
import { span } from '#conductor/cli/terminal/text-line';
import { type FlagName } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { ClusterConfigError } from '../cluster-config.ts';
import { exitCodes } from '../exit-codes.ts';
import { OperatorUsageError, textOf, type OperatorTask } from '../operator-command.ts';
import type { Flags } from '../command-flags.ts';
import { megabytes } from './disk-space.ts';
import { damageIn, Refusal } from './refusal.ts';
import type { StoreReport } from './store-report.ts';

const storageFlag = 'raft.storage.dir' satisfies FlagName;
const serverFlag = 'raft.server.id' satisfies FlagName;
const progressEveryMs = 200;

/** What a command is given beside the frame's task. */
export interface StoreTask {
  readonly isDryRun: boolean;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** Shows how far something is, on a terminal. */
  progress(what: string, bytes: number, ofBytes: number): void;
}

export const dryRunOption = { flags: '--dry-run', doc: 'look and check, change nothing' } as const;

/** Options that name a server's directory. */
export const directoryOptions = [
  { flags: '--data-dir <folder>', doc: 'directory of the server: <raft.storage.dir>/<raft.server.id>' },
  { flags: `--${storageFlag} <folder>`, doc: `or its two parts (or ${envNameOf(storageFlag)})` },
  { flags: `--${serverFlag} <id>`, doc: `name of the server (or ${envNameOf(serverFlag)})` },
] as const;

/** The directory that the options name, and the server id that its name says; throws OperatorUsageError. */
export function chosenDirectory(flags: Flags): { readonly directory: string; readonly serverId: string } {
  const dataDir = textOf(flags, 'dataDir') ?? '';
  if (dataDir !== '') return { directory: resolve(dataDir), serverId: basename(resolve(dataDir)) };
  const [storage, serverId] = [storageFlag, serverFlag].map(
    (name) => textOf(flags, name) ?? process.env[envNameOf(name)] ?? '',
  ) as [string, string];
  if (storage === '' || serverId === '')
    throw new OperatorUsageError(`which store? Give --data-dir, or --${storageFlag} and --${serverFlag}`);
  if (/[/\\]|^\.\.?$/.test(serverId))
    throw new OperatorUsageError(`--${serverFlag} names a folder, so it cannot contain slashes`);
  return { directory: resolve(join(storage, serverId)), serverId };
}

/**
 * Runs a command to its exit code; what a check or a disk says is told in words or as JSON. `damageAdvice` is what to
 * do where the store that is read is damaged.
 */
export async function runOnStore(
  { output, flags }: Pick<OperatorTask, 'output' | 'flags'>,
  damageAdvice: string,
  execute: (task: StoreTask) => Promise<number>,
): Promise<number> {
  const abort = new AbortController();
  const interrupt = (): void => abort.abort(new Error('interrupted; nothing was changed'));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  let shownMs = -Infinity;
  const task: StoreTask = {
    isDryRun: flags['dryRun'] === true,
    signal: abort.signal,
    progress(what, bytes, ofBytes) {
      if (performance.now() - shownMs < progressEveryMs) return;
      shownMs = performance.now();
      output.passing([span(`  … ${what}  ${megabytes(bytes)} of ${megabytes(ofBytes)}`)]);
    },
  };
  try {
    return await execute(task);
  } catch (error) {
    if (error instanceof OperatorUsageError || error instanceof ClusterConfigError) throw error;
    const outcome = abort.signal.aborted && error === abort.signal.reason ? 'interrupted' : outcomeOf(error);
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const advice = code === 'EACCES' || code === 'EPERM' ? ". Run it as the conductor's user, or as root." : '';
    const damage = damageIn(error);
    const reason = damage === null ? messageOf(error) + advice : `${damage} ${damageAdvice}`;
    output.json({ event: 'end', outcome, exitCode: exitCodes[outcome], reason, code });
    output.complain(output.paragraph('', reason).join('\n'));
    return exitCodes[outcome];
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** Everything but a disk that fails is a check that said no. */
function outcomeOf(error: unknown): 'refused' | 'failed' {
  const isRefused =
    error instanceof StoreError
      ? error.code !== 'io' && error.code !== 'failed'
      : error instanceof Refusal || (error instanceof MigrationError && error.code !== 'io');
  return isRefused ? 'refused' : 'failed';
}

/** What a store holds, for programs. */
export function reportDocument(report: StoreReport): Record<string, unknown> {
  const { head, membership, ...rest } = report;
  return {
    ...rest,
    membership: { index: membership.index, servers: membership.configuration.servers },
    head: head === null ? null : { number: Number(head.number), hash: head.hash },
  };
}

/** What a store holds, in a line. */
export function describeReport({ firstIndex, lastIndex, lastTerm, term, head }: StoreReport): string {
  const log = firstIndex === 0 ? 'no entries' : `entries ${firstIndex} to ${lastIndex} (last term ${lastTerm})`;
  const block = head === null ? 'no block' : `head ${head.number} ${head.hash.slice(0, 10)}…${head.hash.slice(-4)}`;
  return `${log}, term ${term}, ${block}`;
}
