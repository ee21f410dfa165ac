/**
 * The whole picture of a devnet at one moment, as lines for a terminal of a given size: a title, the
 * table, the rhythm of blocks, the latest events (or the help), and the keys.
 */
import type { ClusterEvent } from './changes.ts';
import type { Rhythm } from './rhythm.ts';
import { formatDuration, renderTable } from './table.ts';
import type { Line } from './text-line.ts';
import { cutLine, span, widthOf } from './text-line.ts';
import type { ClusterView } from './view.ts';
import { highestHead } from './view.ts';

/** What to draw. */
export interface Picture {
  readonly view: ClusterView;
  readonly events: readonly ClusterEvent[];
  readonly rhythm: Rhythm;
  /** 0-based. */
  readonly selected: number;
  readonly isHelpShown: boolean;
  readonly startedMs: number;
  readonly blockSeconds: number;
  /** Lines of the help about this devnet: folder, ports. */
  readonly facts: readonly string[];
}

/** Columns and rows of the terminal. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

const KEYS: readonly (readonly [string, string])[] = [
  ['1 2 3', 'select'],
  ['k', 'kill'],
  ['s', 'kill sequencer'],
  ['f', 'freeze'],
  ['r', 'restart'],
  ['p', 'pause'],
  ['t', 'transfer'],
  ['?', 'help'],
  ['q', 'quit'],
];

const HELP: readonly (readonly [string, string])[] = [
  ['1 2 3 ↑ ↓', 'select a node'],
  ['k', 'kill its conductor (SIGKILL)'],
  ['s', 'kill its sequencer (SIGKILL)'],
  ['f', 'freeze its conductor, or thaw it'],
  ['r', 'start what is down; else restart the conductor'],
  ['p', 'pause its conductor, or resume it'],
  ['t', 'give it the leadership; if it leads, take it away'],
  ['q', 'stop everything and leave'],
];

/** Exactly `rows` lines, none wider than `columns`. */
export function renderFrame(picture: Picture, size: Size): Line[] {
  const width = Math.max(1, size.columns);
  const { view } = picture;
  const table = renderTable(view.nodes, { width, selected: picture.selected, nowMs: view.atMs });
  const keys = keyLines(width);
  const head: Line[] = [titleLine(picture, width), [], ...table, []];
  const score: Line[] = [[span('   blocks  ', 'faint'), ...picture.rhythm.render(width - 12, view.atMs)], []];
  const foot: Line[] = [ruleLine(width), ...keys];
  const room = size.rows - head.length - foot.length;
  const top = room >= score.length + 2 ? [...head, ...score] : head;
  const body = bodyLines(picture, Math.max(0, size.rows - top.length - foot.length));
  return [...top, ...body, ...foot].slice(0, size.rows).map((line) => cutLine(line, width));
}

function titleLine({ view, startedMs, blockSeconds }: Picture, width: number): Line {
  const name = span('   conductor devnet', 'strong');
  const head = highestHead(view);
  const parts = [
    head === null ? 'no block yet' : `block ${head.number}`,
    `${blockSeconds} s apart`,
    `up ${formatDuration(view.atMs - startedMs)}`,
  ];
  const text = parts.join('   ');
  const gap = width - name.text.length - text.length - 1;
  return gap > 2 ? [name, span(' '.repeat(gap)), span(text)] : [name, span(`   ${parts[0] ?? ''}`)];
}

function ruleLine(width: number): Line {
  return [span(`   ${'─'.repeat(Math.max(0, width - 4))}`, 'faint')];
}

/** The latest events that fit, newest last; or the help. Always `rows` lines. */
function bodyLines(picture: Picture, rows: number): Line[] {
  const lines = picture.isHelpShown ? helpLines(picture.facts) : picture.events.slice(-rows).map(eventLine);
  const shown = lines.slice(0, rows);
  return [...shown, ...Array.from({ length: rows - shown.length }, (): Line => [])];
}

function eventLine(event: ClusterEvent): Line {
  const time = new Date(event.atMs).toTimeString().slice(0, 8);
  return [span(`   ${time}  `, 'faint'), span(event.text, event.kind === 'fork' ? 'accent' : 'plain')];
}

function helpLines(facts: readonly string[]): Line[] {
  const keys = HELP.map(([key, what]): Line => [span(`   ${key.padEnd(10)}`, 'strong'), span(what)]);
  return [...keys, [], ...facts.map((fact): Line => [span(`   ${fact}`, 'faint')])];
}

/** The keys in as many lines as they need, two at most. */
function keyLines(width: number): Line[] {
  const lines: Line[] = [];
  let line: Line = [span('  ')];
  for (const [key, what] of KEYS) {
    const next: Line = [span(' '), span(key, 'strong'), span(` ${what} `, 'faint')];
    if (widthOf(line) + widthOf(next) > width) {
      lines.push(line);
      line = [span('  ')];
    }
    line = [...line, ...next];
  }
  return [...lines, line].slice(0, 2);
}
