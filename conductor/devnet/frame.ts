/**
 * The whole picture of a devnet at one moment, as lines for a terminal of a given size: a title, the
 * table, the rhythm of blocks, the latest events (or the help), and the keys.
 */
import type { ClusterEvent } from '#conductor/operate/changes/cluster-event';
import { helpForms, keyLines } from './help.ts';
import type { Rhythm } from './rhythm.ts';
import { formatDuration, renderTable } from './table.ts';
import { cutLine, span, type Line } from '#conductor/cli/terminal/text-line';
import { highestHead, type ClusterView } from '#conductor/operate/changes/view';
import type { Size } from '#conductor/cli/terminal/screen';

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

/** Rows from which on a rule is drawn above the keys. */
const ROWS_WITH_RULE = 6;

/** How many of the tops for the help show the table. */
const TOPS_WITH_TABLE = 2;

/** Exactly `rows` lines, none wider than `columns`; the last says how to leave. */
export function renderFrame(picture: Picture, size: Size): Line[] {
  const width = Math.max(1, size.columns);
  const { view } = picture;
  const keys = keyLines(width, size.rows < ROWS_WITH_RULE ? 1 : size.rows);
  const foot: Line[] = size.rows < ROWS_WITH_RULE ? keys : [ruleLine(width), ...keys];
  const room = Math.max(0, size.rows - foot.length);
  const table = renderTable(view.nodes, { width, selected: picture.selected, nowMs: view.atMs });
  const title: Line[] = [titleLine(picture, width), []];
  const head: Line[] = [...title, ...table, []];
  const score: Line[] = [[span('   blocks  ', 'faint'), ...picture.rhythm.render(width - 12, view.atMs)], []];
  const full = room >= head.length + score.length + 2 ? [...head, ...score] : head;
  const lines = picture.isHelpShown
    ? withHelp([full, head, title, []], helpForms(picture.facts, width), room)
    : [...full, ...picture.events.slice(-Math.max(1, room - full.length)).map(eventLine)];
  const blank = Array.from({ length: Math.max(0, room - lines.length) }, (): Line => []);
  return [...lines.slice(0, room), ...blank, ...foot].map((line) => cutLine(line, width));
}

/**
 * The help below as much of the picture as leaves room for all of it. The table stays if any form fits below it, and
 * then the roomiest one that does.
 */
function withHelp(tops: readonly Line[][], forms: readonly Line[][], room: number): Line[] {
  for (const group of [tops.slice(0, TOPS_WITH_TABLE), tops.slice(TOPS_WITH_TABLE)]) {
    for (const form of forms) {
      const top = group.find((lines) => lines.length + form.length <= room);
      if (top !== undefined) return [...top, ...form];
    }
  }
  return forms.at(-1) ?? [];
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

function eventLine(event: ClusterEvent): Line {
  const time = new Date(event.atMs).toTimeString().slice(0, 8);
  return [span(`   ${time}  `, 'faint'), span(event.text, event.kind === 'fork' ? 'accent' : 'plain')];
}
