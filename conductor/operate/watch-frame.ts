/**
 * What `conductor watch` draws on a terminal of a given size: how the cluster stands, the servers, what is not as it
 * should be, and what changed. Where not all of it fits, the servers go before sentences, and sentences before changes.
 */
import type { ClusterEvent } from './changes/cluster-event.ts';
import type { Size } from '#conductor/cli/terminal/screen';
import { cutLine, span, type Line, type Style } from '#conductor/cli/terminal/text-line';
import { wordWrap } from '#conductor/cli/terminal/word-wrap';
import { clusterLines, troubles } from './cluster-summary.ts';
import { leaderOf, type ClusterView } from './cluster-view.ts';
import { quorumOf } from './quorum.ts';
import { statusTable } from './status-table.ts';

export interface WatchPicture {
  /** Of the cluster. */
  readonly name: string;
  readonly view: ClusterView;
  /** Oldest first. */
  readonly changes: readonly ClusterEvent[];
}

const foot: Line = [span('q', 'strong'), span(' quit', 'faint')];

/** Exactly as many lines as the terminal has rows, none wider than it. */
export function watchFrame(picture: WatchPicture, { columns, rows }: Size): Line[] {
  const parts = partsOf(picture, columns);
  const top = wholeTop(parts);
  const lines = top.length < rows ? withChanges(top, picture.changes, rows) : smallFrame(picture, parts, rows);
  return lines.map((line) => cutLine(line, columns));
}

interface Parts {
  readonly standing: readonly Line[];
  readonly quorum: readonly Line[];
  /** The title row first. */
  readonly table: readonly Line[];
  /** The lines of each sentence. */
  readonly notes: readonly (readonly Line[])[];
}

function partsOf({ name, view }: WatchPicture, columns: number): Parts {
  const [standing, quorum] = clusterLines(view);
  const wrapped = (text: string, style: Style): Line[] =>
    wordWrap(text, '', columns).map((line) => [span(line, style)]);
  const [first = [], ...others] = wrapped(`${name}  ${standing}`, leaderOf(view) === null ? 'strong' : 'plain');
  const text = first.map((piece) => piece.text).join('');
  const isNamed = text.startsWith(name);
  return {
    standing: isNamed
      ? [[span(name, 'strong'), span(text.slice(name.length), first[0]?.style)], ...others]
      : [first, ...others],
    quorum: wrapped(quorum, quorumOf(view).isReached ? 'faint' : 'strong'),
    table: statusTable(view, columns),
    notes: troubles(view).map((sentence) =>
      wordWrap(sentence, '', columns - 2).map((line, at): Line => [span(at === 0 ? '! ' : '  ', 'strong'), span(line)]),
    ),
  };
}

/** All of it, with room between. */
function wholeTop({ standing, quorum, table, notes }: Parts): Line[] {
  const sentences = notes.flat();
  return [...standing, ...quorum, [], ...table, [], ...sentences, ...(sentences.length > 0 ? [[]] : [])];
}

function withChanges(top: readonly Line[], changes: readonly ClusterEvent[], rows: number): Line[] {
  const room = rows - top.length - 1;
  const latest = latestOf(changes, room);
  const blank = Array.from({ length: room - latest.length }, (): Line => []);
  return [...top, ...latest, ...blank, foot];
}

/** As much as fits: who leads, the servers, sentences, what the columns are, the quorum, changes. */
function smallFrame({ view, changes }: WatchPicture, { quorum, table, notes }: Parts, rows: number): Line[] {
  let left = Math.max(0, rows - 1);
  const take = (lines: readonly Line[]): readonly Line[] => {
    const taken = lines.length <= left ? lines : [];
    left -= taken.length;
    return taken;
  };
  const [title = [], ...servers] = table;
  const shown = take(firstOf(servers, left));
  const said = take(notesIn(notes, left));
  const titled = shown.length === 0 ? [] : take([title]);
  const voters = take(quorum);
  const end = left > 0 ? take([foot]) : [];
  const latest = take(latestOf(changes, left));
  const blank = Array.from({ length: left }, (): Line => []);
  return [leaderLine(view), ...voters, ...titled, ...shown, ...said, ...latest, ...blank, ...end].slice(0, rows);
}

function leaderLine(view: ClusterView): Line {
  const leader = leaderOf(view);
  if (leader === null) return [span('nobody leads', 'strong')];
  return quorumOf(view).isReached ? [span(`${leader.id} leads`)] : [span(`no majority; ${leader.id} leads`, 'strong')];
}

/** So many rows; the last one says how many more there are. */
function firstOf(rows: readonly Line[], room: number): readonly Line[] {
  if (rows.length <= room || room === 0) return rows.slice(0, room);
  return [...rows.slice(0, room - 1), [span(`… ${rows.length - room + 1} more`, 'faint')]];
}

/** The sentences that fit, and how many do not. */
function notesIn(notes: readonly (readonly Line[])[], room: number): readonly Line[] {
  if (notes.length === 0 || room === 0) return [];
  if (notes.flat().length <= room) return notes.flat();
  const fitting: Line[] = [];
  let told = 0;
  for (const note of notes) {
    if (fitting.length + note.length > room - 1) break;
    fitting.push(...note);
    told += 1;
  }
  const rest = notes.length - told;
  const words = told > 0 ? `${rest} more` : rest === 1 ? '1 trouble' : `${rest} troubles`;
  return [...fitting, [span('! ', 'strong'), span(words, 'strong')]];
}

function latestOf(changes: readonly ClusterEvent[], room: number): Line[] {
  return room <= 0 ? [] : changes.slice(-room).map(changeLine);
}

function changeLine({ atMs, text, kind }: ClusterEvent): Line {
  const time = new Date(atMs).toTimeString().slice(0, 8);
  return [span(`${time}  `, 'faint'), span(text, kind === 'fork' || kind === 'gap' ? 'strong' : 'plain')];
}
