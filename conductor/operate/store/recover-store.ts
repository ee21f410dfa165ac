/**
 * Makes a stopped server the only voter of its cluster: one transaction appends the new membership and raises the
 * term, after a backup of the store as it was. As in hashicorp/raft's recovery all that the log holds counts from
 * then on, committed or not; unlike there, the log stays, so the sequencer can be brought up from it.
 */
import { resolve } from 'node:path';
import { layoutOf } from '#conductor/migration/layout';
import { openStore } from '#conductor/adapters/sqlite/store';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { EntryType } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { goTimeFromUnixMs } from '#conductor/core/wire/go-time';
import { createBackup } from './backup.ts';
import { Refusal } from './refusal.ts';
import type { RecoveryPlan } from './recovery-plan.ts';
import { identityOfFile } from './store-report.ts';

export interface RecoverOptions {
  readonly plan: Extract<RecoveryPlan, { kind: 'planned' }>;
  /** Path of the backup that is taken first; must not exist. */
  readonly backup: string;
  /** For the entry's time. */
  readonly unixMs: number;
  /** Called at each point where a crash leaves a new state. */
  readonly onStep?: (step: string) => void;
}

/** Rejects with Refusal or StoreError; the store is then as it was. */
export async function recoverStore({ plan, backup, unixMs, onStep }: RecoverOptions): Promise<void> {
  const directory = resolve(plan.chosen.path);
  const serverId = identityOfFile(layoutOf(directory).database);
  await createBackup({ directory, to: backup });
  onStep?.('backed up');
  try {
    using store = openStore({ directory, serverId });
    const { entries, snapshot } = store.load();
    const lastIndex = entries.at(-1)?.index ?? snapshot?.index ?? 0;
    if (lastIndex + 1 !== plan.index)
      throw new Refusal('running', `The store in ${directory} has changed since it was looked at. Run this again.`);
    const { index, term, configuration } = plan;
    const data = encodeConfiguration(configuration);
    const appendedAt = goTimeFromUnixMs(unixMs);
    const entry = { index, term, type: EntryType.configuration, data, extensions: null, appendedAt };
    // The term counts as voted in, for nobody: the server wins the next one.
    const hardState = { term, votedTerm: term, votedFor: null, recovering: false };
    store.write({ entries: [{ entry, summary: null }], hardState });
    onStep?.('rewritten');
  } catch (error) {
    if (error instanceof StoreError && error.code === 'locked')
      throw new Refusal('running', `A conductor was started on ${directory}. Stop it, then run this again.`, error);
    throw error;
  }
}
