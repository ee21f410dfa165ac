/**
 * What an alert is, here: a row of a table, from which the rules for Prometheus and the index of runbooks are made.
 * In expressions and sentences CLUSTER stands for the label that tells one cluster's conductors from another's.
 */

export interface Alert {
  /** Also the heading of its section in the runbooks. */
  readonly name: string;
  /** critical: users notice, or will at the next failure, wake somebody. warning: look at it today. */
  readonly severity: 'critical' | 'warning';
  /** How long it has to be so before anybody is told, as Prometheus writes durations. */
  readonly for: string;
  /** PromQL, with CLUSTER for the label of a cluster. */
  readonly expr: string;
  /** One sentence for whoever is woken; a Go template, with CLUSTER as above. */
  readonly summary: string;
}

/** Alerts whose runbooks are on one page. */
export interface AlertGroup {
  /** The last part of the page's route. */
  readonly runbook: string;
  readonly alerts: readonly Alert[];
}

/** Put where no other label is said to tell clusters apart: all conductors of one cluster are one job. */
export const defaultClusterLabel = 'job';

/** The anchor of its section on the page of its group. */
export function anchorOf({ name }: Alert): string {
  return name.toLowerCase();
}

/** A text with the label of clusters put in. */
export function withClusterLabel(text: string, label: string): string {
  return text.replaceAll('CLUSTER', label);
}
