/** Grafana's model of the dashboard, from the tables of panels. Import it as it is; it asks for nothing but a Prometheus. */
import { defaultClusterLabel, withClusterLabel } from '../prometheus/alert.ts';
import { metricPattern, worksWithOpConductor } from '../metric-references.ts';
import { detailRows } from './detail-panels.ts';
import { machineRows } from './machine-panels.ts';
import { overviewRows } from './overview-panels.ts';
import type { Panel, PanelRow } from './panel.ts';

/** Grafana migrates older models when it reads them; this one is of Grafana 11. */
const SCHEMA_VERSION = 39;
const HEADING_HEIGHT = 1;
const COLUMNS = 24;
const datasource = { type: 'prometheus', uid: '${datasource}' };

export const panelRows: readonly PanelRow[] = [...overviewRows, ...detailRows, ...machineRows];

/** The file, as JSON. `clusterLabel` tells the conductors of one cluster from those of others. */
export function dashboardFile(clusterLabel: string): string {
  const model = {
    uid: 'conductor',
    title: 'Conductor',
    description:
      'Who leads, who builds, and what is wrong. Made by `npm run monitoring`; panels that say so work with op-conductor, too.',
    tags: ['conductor', 'op-stack'],
    schemaVersion: SCHEMA_VERSION,
    editable: true,
    graphTooltip: 1,
    refresh: '10s',
    time: { from: 'now-1h', to: 'now' },
    templating: { list: variables(clusterLabel) },
    panels: layOut(panelRows, clusterLabel),
  };
  return `${JSON.stringify(model, null, 2)}\n`;
}

/** A query limited to the chosen cluster. */
export function inCluster(expr: string, clusterLabel: string): string {
  const limited = expr.replace(metricPattern, (_, name: string, matchers = '') => {
    const all = [`CLUSTER="$cluster"`, ...(matchers === '' ? [] : [matchers])];
    return `${name}{${all.join(',')}}`;
  });
  return withClusterLabel(limited, clusterLabel);
}

function variables(clusterLabel: string): unknown[] {
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
    {
      name: 'cluster',
      label: clusterLabel === defaultClusterLabel ? 'Cluster' : clusterLabel,
      type: 'query',
      datasource,
      query: { query: `label_values(op_conductor_up, ${clusterLabel})`, refId: 'cluster' },
      refresh: 2,
      sort: 1,
    },
  ];
}

/** Rows one below the other; panels beside each other while there are columns. */
function layOut(rows: readonly PanelRow[], clusterLabel: string): unknown[] {
  const laid: unknown[] = [];
  let y = 0;
  for (const { title, height, panels } of rows) {
    laid.push({
      id: laid.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: COLUMNS, h: HEADING_HEIGHT },
    });
    y += HEADING_HEIGHT;
    let x = 0;
    for (const panel of panels) {
      if (x + panel.width > COLUMNS) {
        x = 0;
        y += height;
      }
      laid.push({ id: laid.length + 1, gridPos: { x, y, w: panel.width, h: height }, ...modelOf(panel, clusterLabel) });
      x += panel.width;
    }
    y += height;
  }
  return laid;
}

function modelOf(panel: Panel, clusterLabel: string): Readonly<Record<string, unknown>> {
  const isOfBoth = panel.queries.every(({ expr }) => worksWithOpConductor(expr));
  const isNow = panel.kind === 'value' || panel.kind === 'name' || panel.kind === 'list';
  return {
    title: panel.title,
    description: isOfBoth ? `${panel.help} Works with op-conductor, too.` : panel.help,
    datasource,
    targets: panel.queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr: inCluster(expr, clusterLabel),
      legendFormat: legend,
      instant: isNow,
      range: !isNow,
      ...(panel.kind === 'list' ? { format: 'table' } : {}),
    })),
    fieldConfig: { defaults: fieldDefaults(panel), overrides: [] },
    ...looks[panel.kind],
  };
}

function fieldDefaults({ unit, thresholds, words, nothing, kind }: Panel): Readonly<Record<string, unknown>> {
  const [zero, one] = words ?? ['0', '1'];
  const states = [
    {
      type: 'value',
      options: { 0: { text: zero, color: 'gray', index: 0 }, 1: { text: one, color: 'green', index: 1 } },
    },
  ];
  return {
    unit: unit ?? 'none',
    ...(nothing === undefined ? {} : { noValue: nothing }),
    ...(words === undefined ? {} : { mappings: states }),
    ...(thresholds === undefined
      ? {}
      : {
          color: { mode: 'thresholds' },
          thresholds: {
            mode: 'absolute',
            steps: thresholds.map(({ from, colour }) => ({ value: from, color: colour })),
          },
        }),
    ...(kind === 'lines' ? { min: 0, custom: { fillOpacity: 0, lineWidth: 1, spanNulls: false } } : {}),
  };
}

const reduceOptions = { calcs: ['lastNotNull'], fields: '', values: false };
/** Hidden in lists: the time, and the value, which is always 1. */
const listTransformations = [
  { id: 'organize', options: { excludeByName: { Time: true, Value: true, __name__: true, alertstate: true } } },
];

/** Grafana's panel for each kind, with its options. */
const looks: Readonly<Record<Panel['kind'], Readonly<Record<string, unknown>>>> = {
  value: { type: 'stat', options: { reduceOptions, colorMode: 'background', graphMode: 'none', textMode: 'value' } },
  name: { type: 'stat', options: { reduceOptions, colorMode: 'none', graphMode: 'none', textMode: 'name' } },
  lines: {
    type: 'timeseries',
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  },
  states: { type: 'state-timeline', options: { mergeValues: true, showValue: 'auto', legend: { showLegend: false } } },
  list: { type: 'table', options: { showHeader: true }, transformations: listTransformations },
};
