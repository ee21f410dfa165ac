/** The files that are made from the tables of alerts and panels, by name; a test keeps them as they would be made now. */
import { stringify } from 'yaml';
import { defaultClusterLabel, anchorOf, withClusterLabel } from './prometheus/alert.ts';
import { alertGroups, rulesFile, runbookRoute } from './prometheus/alerts.ts';
import { dashboardFile } from './grafana/dashboard.ts';

/** For operators, below the folder that they name. */
export function monitoringFiles(clusterLabel: string): ReadonlyMap<string, string> {
  return new Map([
    ['prometheus/conductor.rules.yaml', rulesFile(clusterLabel)],
    ['grafana/conductor.json', dashboardFile(clusterLabel)],
  ]);
}

/** For the documentation: the index of runbooks, in the form of the site's tables. */
export function alertsTable(date: string): string {
  const head = '# Made by `npm run monitoring` from the table of alerts in infra/prometheus.';
  const rows = alertGroups.flatMap((group) =>
    group.alerts.map((alert) => [
      `[${alert.name}](${runbookRoute(group)}#${anchorOf(alert)})`,
      alert.severity,
      alert.for === '0m' ? 'at once' : alert.for,
      inWords(alert.summary),
    ]),
  );
  const table = {
    source: 'infra/prometheus of this repository',
    date,
    columns: ['Alert', 'Severity', 'After', 'Says'],
    filter: 'Filter alerts',
    groups: [{ id: 'all', rows }],
  };
  return `${head}\n${stringify(table, { lineWidth: 0 })}`;
}

/** A template as a reader sees it: names instead of what will stand there. */
function inWords(summary: string): string {
  return withClusterLabel(summary, defaultClusterLabel)
    .replace(/\{\{ (?:or )?\$labels\.(\w+)(?: "[^"]*")? \}\}/g, '`$1`')
    .replace(/\{\{ \$value[^}]*\}\}/g, '`value`');
}
