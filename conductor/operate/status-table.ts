/**
 * The servers as a table: one row each, columns as wide as their content, the least important dropped where the
 * terminal is narrow; or as a block for each, where nothing may be left out. States are words; colour only repeats them.
 */
import { wordWrap } from '#conductor/cli/terminal/word-wrap';
import {
  fittingColumns,
  plainCell,
  tableLines,
  UNKNOWN,
  widthOfAll,
  type Cell,
  type Column,
} from '#conductor/cli/terminal/cell-table';
import { cutLine, span, widthOf, type Line } from '#conductor/cli/terminal/text-line';
import { isAgainst } from './cluster-nodes.ts';
import type { ClusterView, ServerView } from './cluster-view.ts';
import { standingOf } from './disputes.ts';
import { roleOf } from './view-document.ts';

const GAP = '  ';
const HASH_DIGITS = 8;
/** Columns of an id that are always shown. */
const ID_COLUMNS_MIN = 4;

interface ServerColumn extends Omit<Column, 'width'> {
  /** A table without it would not tell how the cluster is. */
  readonly isEssential?: true;
  cell(server: ServerView, view: ClusterView): Cell;
}

const columns: readonly ServerColumn[] = [
  { title: 'server', rank: 0, isEssential: true, cell: ({ id }) => plainCell(id) },
  { title: 'role', rank: 0, isEssential: true, cell: roleCell },
  { title: 'term', rank: 7, isRight: true, cell: ({ term }) => plainCell(term) },
  { title: 'sequencer', rank: 1, isEssential: true, cell: sequencerCell },
  { title: 'control', rank: 4, isEssential: true, cell: controlCell },
  { title: 'health', rank: 2, isEssential: true, cell: healthCell },
  {
    title: 'block',
    rank: 3,
    isEssential: true,
    isRight: true,
    cell: ({ node }) => plainCell(node?.unsafeHead?.number ?? null),
  },
  {
    title: 'client',
    rank: 4.5,
    isRight: true,
    cell: (server, view) => plainCell(standingOf(view, server)?.client?.number ?? null),
  },
  { title: 'verdict', rank: 4.6, cell: verdictCell },
  { title: 'seen', rank: 5.5, isRight: true, cell: ageCell },
  {
    title: 'hash',
    rank: 5,
    cell: ({ node }) => plainCell(node?.unsafeHead?.hash.slice(2, 2 + HASH_DIGITS) ?? null),
  },
  { title: 'peers', rank: 8, isRight: true, cell: ({ node }) => plainCell(node?.peerCount ?? null) },
  { title: 'version', rank: 6, cell: ({ conductor }) => plainCell(conductor?.version ?? null) },
  { title: 'rpc', rank: 9, cell: ({ config }) => plainCell(new URL(config.conductor).host) },
];

/** A column with what stands in it. */
interface FilledColumn extends Column {
  readonly isEssential: boolean;
  readonly cells: readonly Cell[];
}

function fill(view: ClusterView): FilledColumn[] {
  return columns.map(({ cell, isEssential = false, ...column }) => {
    const cells = view.servers.map((server) => cell(server, view));
    const texts = [column.title, ...cells.map(({ text }) => text)];
    return { ...column, isEssential, cells, width: Math.max(...texts.map((text) => Bun.stringWidth(text))) };
  });
}

/** The table where all that matters fits in `width`, else a block for each server. */
export function statusLines(view: ClusterView, width: number): Line[] {
  const essential = fill(view).filter(({ isEssential }) => isEssential);
  return widthOfAll(essential) <= width ? statusTable(view, width) : statusBlocks(view, width);
}

/** Title row and one row per server, none wider than `width`. */
export function statusTable(view: ClusterView, width: number): Line[] {
  const told = fill(view).filter(({ isEssential, cells }) => isEssential || cells.some(({ text }) => text !== UNKNOWN));
  const kept = fittingColumns(told, width);
  // Rather a part of an id than no role.
  const excess = Math.max(0, widthOfAll(kept) - width);
  const shown = kept.map((one, at) => (at > 0 ? one : { ...one, width: Math.max(ID_COLUMNS_MIN, one.width - excess) }));
  const rows = view.servers.map((_, at) => shown.map(({ cells }) => cells[at] as Cell));
  return tableLines(shown, rows).map((line) => cutLine(line, width));
}

/** Of each server its name and role, and below it in words all that the table has columns for. */
function statusBlocks(view: ClusterView, width: number): Line[] {
  return view.servers.flatMap((server) => {
    const role = roleCell(server, view);
    const facts = columns.slice(2).flatMap(({ title, cell }) => {
      const { text } = cell(server, view);
      return text === UNKNOWN ? [] : [`${title} ${text}`];
    });
    const isOneLine = widthOf([span(server.id + GAP + role.text)]) <= width;
    const head: Line[] = isOneLine
      ? [[span(server.id, 'strong'), span(GAP), span(role.text, role.style)]]
      : [[span(server.id, 'strong')], [span(GAP), span(role.text, role.style)]];
    const lines = wordWrap(facts.join(', '), GAP, width).map((line): Line => [span(line)]);
    return [...head, ...(facts.length === 0 ? [] : lines)].map((line) => cutLine(line, width));
  });
}

function roleCell(server: ServerView, view: ClusterView): Cell {
  const role = roleOf(view, server.id);
  const isOverridden = server.conductor?.isOverridden === true;
  const style = role === 'leader' ? 'accent' : role === 'silent' || role === 'unknown' ? 'faint' : 'plain';
  return { text: isOverridden ? `${role}, overridden` : role, style: isOverridden ? 'strong' : style };
}

function sequencerCell({ node, whyNodeSilent }: ServerView): Cell {
  if (node === null) return { text: whyNodeSilent === '' ? UNKNOWN : 'silent', style: 'faint' };
  if (node.isSequencing === null) return plainCell(null);
  return node.isSequencing ? { text: 'active', style: 'strong' } : plainCell('idle');
}

function controlCell({ conductor }: ServerView): Cell {
  if (conductor?.isStopped === true) return { text: 'stopped', style: 'strong' };
  if (conductor?.isPaused === true) return { text: 'paused', style: 'strong' };
  return plainCell(conductor?.isPaused === false ? 'running' : null);
}

function healthCell({ conductor, readiness }: ServerView): Cell {
  const isHealthy = conductor?.isHealthy ?? null;
  if (isHealthy === false) return { text: 'unhealthy', style: 'strong' };
  if (readiness?.isReady === false) return { text: 'not ready', style: 'strong' };
  return plainCell(isHealthy === null ? null : 'healthy');
}

/** What its node shows about the newest committed block. */
function verdictCell(server: ServerView, view: ClusterView): Cell {
  const verdict = standingOf(view, server)?.verdict ?? 'unknown';
  if (verdict === 'unknown') return plainCell(null);
  return { text: verdict, style: isAgainst(verdict) ? 'strong' : 'plain' };
}

/** How old that is. */
function ageCell(server: ServerView, view: ClusterView): Cell {
  const ageMs = standingOf(view, server)?.ageMs ?? null;
  return plainCell(ageMs === null ? null : `${(ageMs / 1000).toFixed(1)} s`);
}
