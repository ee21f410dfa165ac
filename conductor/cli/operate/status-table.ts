/**
 * The table of servers: one row each, columns as wide as their content, the least important dropped where the
 * terminal is narrow. States are words; colour only repeats them.
 */
import { cutLine, span, type Line, type Style } from '../devnet/text-line.ts';
import type { ClusterView, ServerView } from './cluster-view.ts';
import { roleOf } from './view-document.ts';

const GAP = '  ';
const UNKNOWN = '·';
const HASH_DIGITS = 8;

interface Cell {
  readonly text: string;
  readonly style: Style;
}

interface Column {
  readonly title: string;
  readonly isRight?: true;
  /** Columns with the highest number are dropped first; 0 never is. */
  readonly rank: number;
  cell(server: ServerView, view: ClusterView): Cell;
}

const columns: readonly Column[] = [
  { title: 'server', rank: 0, cell: ({ id }) => plain(id) },
  { title: 'role', rank: 0, cell: roleCell },
  { title: 'term', rank: 5, isRight: true, cell: ({ term }) => plain(term) },
  { title: 'sequencer', rank: 0, cell: sequencerCell },
  { title: 'control', rank: 0, cell: controlCell },
  { title: 'health', rank: 0, cell: healthCell },
  { title: 'block', rank: 0, isRight: true, cell: ({ node }) => plain(node?.unsafeHead?.number ?? null) },
  {
    title: 'hash',
    rank: 3,
    cell: ({ node }) => plain(node?.unsafeHead?.hash.slice(2, 2 + HASH_DIGITS) ?? null),
  },
  { title: 'peers', rank: 6, isRight: true, cell: ({ node }) => plain(node?.peerCount ?? null) },
  { title: 'version', rank: 4, cell: ({ conductor }) => plain(conductor?.version ?? null) },
  { title: 'rpc', rank: 7, cell: ({ config }) => plain(new URL(config.conductor).host) },
];

/** Title row and one row per server, cut at `width`. */
export function statusTable(view: ClusterView, width: number): Line[] {
  const filled = columns.map((column) => {
    const cells = view.servers.map((server) => column.cell(server, view));
    const isEmpty = column.rank > 0 && cells.every(({ text }) => text === UNKNOWN);
    return { column, cells, isEmpty, width: Math.max(column.title.length, ...cells.map(({ text }) => text.length)) };
  });
  const kept = new Set<Column>();
  let used = -GAP.length;
  for (const { column, width: needed, isEmpty } of filled.toSorted((a, b) => a.column.rank - b.column.rank)) {
    if (isEmpty || (column.rank > 0 && used + GAP.length + needed > width)) continue;
    kept.add(column);
    used += GAP.length + needed;
  }
  const shown = filled.filter(({ column }) => kept.has(column));
  const row = (cells: readonly Cell[]): Line =>
    cutLine(
      cells.flatMap(({ text, style }, at) => {
        const { column, width: wide } = shown[at] as (typeof shown)[number];
        const padded = column.isRight === true ? text.padStart(wide) : text.padEnd(wide);
        return [span(at > 0 ? GAP : ''), span(padded, style)];
      }),
      width,
    );
  return [
    row(shown.map(({ column }) => ({ text: column.title, style: 'faint' }))),
    ...view.servers.map((_, at) => row(shown.map(({ cells }) => cells[at] as Cell))),
  ];
}

function roleCell(server: ServerView, view: ClusterView): Cell {
  const role = roleOf(view, server.id);
  const isOverridden = server.conductor?.isOverridden === true;
  const style = role === 'leader' ? 'accent' : role === 'silent' || role === 'unknown' ? 'faint' : 'plain';
  return { text: isOverridden ? `${role}, overridden` : role, style: isOverridden ? 'strong' : style };
}

function sequencerCell({ node, whyNodeSilent }: ServerView): Cell {
  if (node === null) return { text: whyNodeSilent === '' ? UNKNOWN : 'silent', style: 'faint' };
  if (node.isSequencing === null) return plain(null);
  return node.isSequencing ? { text: 'active', style: 'strong' } : plain('idle');
}

function controlCell({ conductor }: ServerView): Cell {
  if (conductor?.isStopped === true) return { text: 'stopped', style: 'strong' };
  if (conductor?.isPaused === true) return { text: 'paused', style: 'strong' };
  return plain(conductor?.isPaused === false ? 'running' : null);
}

function healthCell({ conductor, readiness }: ServerView): Cell {
  const isHealthy = conductor?.isHealthy ?? null;
  if (isHealthy === false) return { text: 'unhealthy', style: 'strong' };
  if (readiness?.isReady === false) return { text: 'not ready', style: 'strong' };
  return plain(isHealthy === null ? null : 'healthy');
}

function plain(value: string | number | null): Cell {
  return value === null || value === '' ? { text: UNKNOWN, style: 'faint' } : { text: String(value), style: 'plain' };
}
