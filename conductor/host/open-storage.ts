/** Opens this server's store for a run, taking over op-conductor's directory first where there is one (rule 8). */
import { join } from 'node:path';
import { importGoStore } from '#conductor/migration/import-store';
import { openStore, type SqliteStore } from '#conductor/adapters/sqlite/store';
import type { Logger, Metrics } from '#conductor/core/ports';
import type { RunConfig } from './settings/flags-config.ts';
import { describeImport } from '#conductor/migration/describe-import';
import { progressLines } from '#conductor/migration/progress-lines';

/** Throws StoreError or MigrationError. */
export async function openStorage(config: RunConfig, logger: Logger, metrics: Metrics): Promise<SqliteStore> {
  const { serverId } = config;
  const directory = join(config.storageDir, serverId);
  const onProgress = progressLines((progress) => logger.log('info', "importing op-conductor's log", { ...progress }));
  const outcome = await importGoStore({ directory, serverId, onProgress });
  if (outcome.kind === 'completed') logger.log('info', 'finished an interrupted import', { directory });
  if (outcome.kind === 'imported') {
    for (const warning of outcome.summary.warnings) logger.log('warn', warning, {});
    logger.log('info', "imported op-conductor's store", { directory, found: describeImport(outcome.summary) });
  }
  return openStore({ directory, serverId, metrics, slowWriteMs: config.raft.heartbeatTimeoutMs / 10 });
}
