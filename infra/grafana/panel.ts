/** What a panel is, here: a row of a table; dashboard.ts makes Grafana's model of it. */

export interface Query {
  /** PromQL, without the cluster: it is put in. CLUSTER stands for its label. */
  readonly expr: string;
  /** In Grafana's braces; '' for what stands alone. */
  readonly legend: string;
}

/** A colour from a value on; the first has none and is for everything below. */
export interface Threshold {
  readonly from: number | null;
  readonly colour: 'green' | 'orange' | 'red' | 'blue';
}

export interface Panel {
  readonly title: string;
  /**
   * value: one number. name: whose series it is. lines: over time. states: two words over time.
   * list: the labels of what there is now.
   */
  readonly kind: 'value' | 'name' | 'lines' | 'states' | 'list';
  /** Columns of 24. */
  readonly width: number;
  /** What it means and what is normal, in a sentence or two. */
  readonly help: string;
  readonly queries: readonly Query[];
  /** Grafana's name of the unit. */
  readonly unit?: string;
  readonly thresholds?: readonly Threshold[];
  /** What 0 and 1 are called. */
  readonly words?: readonly [string, string];
  /** Shown where there is nothing. */
  readonly nothing?: string;
}

/** Panels under a heading, all of one height. */
export interface PanelRow {
  readonly title: string;
  readonly height: number;
  readonly panels: readonly Panel[];
}

/** Good when 0, bad from `bad` on. */
export function badFrom(bad: number): Threshold[] {
  return [
    { from: null, colour: 'green' },
    { from: bad, colour: 'red' },
  ];
}
