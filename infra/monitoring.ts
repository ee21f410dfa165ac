/**
 * `npm run monitoring`: writes the alerts for Prometheus, the dashboard for Grafana and their index in the documentation.
 * With `-- --cluster-label=LABEL --out=FOLDER` only the first two, for operators whose clusters differ by another label
 * than `job`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { alertsTable, monitoringFiles } from './monitoring-files.ts';
import { defaultClusterLabel } from './prometheus/alert.ts';

const tablePath = join(import.meta.dirname, '../content/data/conductor-alerts-table.yaml');
/** What Prometheus takes for the name of a label. */
const labelPattern = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

try {
  main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}

function main(): void {
  const { values } = parseArgs({
    options: { 'cluster-label': { type: 'string', default: defaultClusterLabel }, out: { type: 'string' } },
  });
  const label = values['cluster-label'];
  if (!labelPattern.test(label))
    throw new Error(`--cluster-label=${label} is no name of a label: letters, digits and _`);
  if (label !== defaultClusterLabel && values.out === undefined)
    throw new Error('Say with --out=FOLDER where to write: the files of the repository are for the label job.');
  const folder = values.out === undefined ? import.meta.dirname : resolve(values.out);
  for (const [name, text] of monitoringFiles(label)) write(join(folder, name), text);
  if (values.out === undefined) writeTable();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(path);
}

/** Keeps the date while nothing else has changed. */
function writeTable(): void {
  const before = existsSync(tablePath) ? readFileSync(tablePath, 'utf8') : '';
  const date = /^date: (\S+)$/m.exec(before)?.[1];
  if (date !== undefined && alertsTable(date) === before) return;
  write(tablePath, alertsTable(new Date().toISOString().slice(0, 10)));
}
