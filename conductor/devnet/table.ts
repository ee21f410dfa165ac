/**
 * The table of nodes: one row each, as many columns as the width allows. Columns are dropped in a
 * fixed order of importance, so that the narrowest table still says who leads, at which block, and
 * whether the sequencer works. States are words; colour only repeats them.
 */
import {
  fittingColumns,
  plainCell,
  tableLines,
  UNKNOWN,
  type Cell,
  type Column,
} from '#conductor/cli/terminal/cell-table';
import { span, type Line } from '#conductor/cli/terminal/text-line';
import type { NodeView } from '#conductor/operate/changes/view';

interface NodeColumn extends Column {
  readonly cell: (node: NodeView, nowMs: number) => Cell;
}

const COLUMNS: readonly NodeColumn[] = [
  { title: 'node', width: 6, rank: 0, cell: (node) => plainCell(node.id) },
  { title: 'role', width: 10, rank: 0, cell: roleCell },
  { title: 'term', width: 4, isRight: true, rank: 4, cell: (node) => plainCell(node.term) },
  { title: 'commit', width: 7, isRight: true, rank: 8, cell: (node) => plainCell(node.commitIndex) },
  { title: 'applied', width: 7, isRight: true, rank: 9, cell: (node) => plainCell(node.appliedIndex) },
  { title: 'block', width: 6, isRight: true, rank: 0, cell: (node) => plainCell(node.head?.number ?? null) },
  { title: 'hash', width: 5, rank: 3, cell: (node) => plainCell(node.head?.hash.slice(2, 7) ?? null) },
  { title: 'client', width: 6, isRight: true, rank: 7, cell: clientCell },
  { title: 'sequencer', width: 9, rank: 0, cell: sequencerCell },
  { title: 'health', width: 9, rank: 0, cell: healthCell },
  { title: 'p50', width: 6, isRight: true, rank: 6, cell: (node) => seconds(node.commitSeconds?.p50) },
  { title: 'p99', width: 6, isRight: true, rank: 2, cell: (node) => seconds(node.commitSeconds?.p99) },
  { title: 'up', width: 6, isRight: true, rank: 5, cell: upCell },
];

/** Title row and one row per node, none wider than `width` unless it is below what the indispensable columns need. */
export function renderTable(
  nodes: readonly NodeView[],
  options: { readonly width: number; readonly selected: number; readonly nowMs: number },
): Line[] {
  const columns = fittingColumns(COLUMNS, options.width - MARGIN);
  const rows = nodes.map((node) => columns.map(({ cell }) => cell(node, options.nowMs)));
  return tableLines(columns, rows).map((line, at) => {
    const isSelected = nodes[at - 1]?.index === options.selected;
    return [span(isSelected ? ' ▸ ' : ' '.repeat(MARGIN), 'accent'), ...line];
  });
}

/** Columns before the first cell, where the selected node is marked. */
const MARGIN = 3;

function roleCell(node: NodeView): Cell {
  const { state } = node.conductor;
  if (node.role === 'removed') return { text: 'removed', style: 'strong' };
  if (state === 'down' || state === 'frozen') return { text: state, style: 'faint' };
  if (node.role === null) return { text: state === 'running' ? 'silent' : UNKNOWN, style: 'faint' };
  return { text: node.role, style: node.role === 'leader' ? 'accent' : 'plain' };
}

function sequencerCell(node: NodeView): Cell {
  const { state } = node.sequencer;
  if (state === 'down' || state === 'frozen') return { text: state, style: 'faint' };
  if (node.isSequencing === null) return { text: state === 'running' ? 'silent' : UNKNOWN, style: 'faint' };
  return node.isSequencing ? { text: 'active', style: 'strong' } : { text: 'idle', style: 'plain' };
}

function healthCell(node: NodeView): Cell {
  if (node.isPaused === true) return { text: 'paused', style: 'strong' };
  if (node.isHealthy === false) return { text: 'unhealthy', style: 'strong' };
  return plainCell(node.isHealthy === null ? null : 'healthy');
}

/** The execution client's own head: it stands out where it is below what its node believes. */
function clientCell({ client, head }: NodeView): Cell {
  if (client === null) return plainCell(null);
  return { text: String(client.number), style: head !== null && client.number < head.number ? 'strong' : 'plain' };
}

function upCell(node: NodeView, nowMs: number): Cell {
  const { state, sinceMs } = node.conductor;
  return plainCell(state === 'running' || state === 'frozen' ? formatDuration(nowMs - sinceMs) : null);
}

function seconds(value: number | undefined): Cell {
  if (value === undefined) return plainCell(null);
  const ms = value * 1000;
  const text = ms >= 9999.5 ? `${(ms / 1000).toFixed(0)}s` : ms >= 100 ? `${ms.toFixed(0)}ms` : `${ms.toFixed(1)}ms`;
  return plainCell(text);
}

/** "7s", "12m03s", "5h07m", "3d04h": at most six columns below a hundred days. */
export function formatDuration(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  if (total < 60) return `${total}s`;
  if (total < 3_600) return `${Math.floor(total / 60)}m${two(total % 60)}s`;
  if (total < 86_400) return `${Math.floor(total / 3_600)}h${two(Math.floor((total % 3_600) / 60))}m`;
  return `${Math.floor(total / 86_400)}d${two(Math.floor((total % 86_400) / 3_600))}h`;
}
