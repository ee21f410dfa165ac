/** Every alert, and the file of rules for Prometheus that is made of them. */
import { stringify } from 'yaml';
import { documentationAddress } from '#conductor/cli/documentation';
import { anchorOf, withClusterLabel, type Alert, type AlertGroup } from './alert.ts';
import { leadershipAlerts } from './leadership-alerts.ts';
import { machineAlerts } from './machine-alerts.ts';
import { sequencerAlerts } from './sequencer-alerts.ts';

/** In the order of how urgent they usually are. */
export const alertGroups: readonly AlertGroup[] = [sequencerAlerts, leadershipAlerts, machineAlerts];

/** Route of the page of a group. */
export function runbookRoute({ runbook }: AlertGroup): string {
  return `/conductor/runbooks/${runbook}`;
}

/** The rules, as YAML. `clusterLabel` tells the conductors of one cluster from those of others. */
export function rulesFile(clusterLabel: string): string {
  const head = [
    '# Alerts for conductor; those that use metrics of op-conductor only work for both.',
    `# Made by \`npm run monitoring\` from infra/prometheus; a cluster is what has one value of the label ${clusterLabel}.`,
  ];
  const groups = alertGroups.map((group) => ({
    name: `conductor-${group.runbook}`,
    rules: group.alerts.map((alert) => ruleOf(alert, { group, clusterLabel })),
  }));
  return `${head.join('\n')}\n${stringify({ groups }, { lineWidth: 0 })}`;
}

function ruleOf(alert: Alert, { group, clusterLabel }: { readonly group: AlertGroup; readonly clusterLabel: string }) {
  return {
    alert: alert.name,
    expr: withClusterLabel(alert.expr, clusterLabel),
    for: alert.for,
    labels: { severity: alert.severity },
    annotations: {
      summary: withClusterLabel(alert.summary, clusterLabel),
      runbook_url: `${documentationAddress}${runbookRoute(group)}#${anchorOf(alert)}`,
    },
  };
}
