/**
 * What can be pressed: the help, in the widest form that fits, and the lines of keys at the foot,
 * which tell the way out however small the terminal is.
 */
import { span, widthOf, type Line } from '#conductor/cli/terminal/text-line';
import { wordWrap } from '#conductor/cli/terminal/word-wrap';

/** Key, what it does at length, and in few words. */
const HELP: readonly (readonly [key: string, long: string, short: string])[] = [
  ['1 2 3 ↑ ↓', 'select a node', 'select a node'],
  ['k', 'kill its conductor (SIGKILL)', 'kill conductor'],
  ['s', 'kill its sequencer (SIGKILL)', 'kill sequencer'],
  ['f', 'freeze its conductor, or thaw it', 'freeze or thaw'],
  ['r', 'start what is down; else restart the conductor', 'restart'],
  ['p', 'pause its conductor, or resume it', 'pause or resume'],
  ['t', 'give it the leadership; if it leads, take it away', 'give or take lead'],
  ['i', 'the leader’s next block is invalid', 'invalid block'],
  ['c', 'all execution clients lose their heads (power cut)', 'power cut'],
  ['q', 'stop everything and leave', 'stop and leave'],
];
const MARKS = 'blocks: 1 2 3 the node that sequenced it, | unknown node, · a block time without a block';

const KEYS: readonly (readonly [string, string])[] = [
  ['1 2 3', 'select'],
  ['k', 'kill'],
  ['s', 'kill sequencer'],
  ['f', 'freeze'],
  ['r', 'restart'],
  ['p', 'pause'],
  ['t', 'transfer'],
  ['i', 'invalid block'],
  ['c', 'power cut'],
  ['?', 'help'],
  ['q', 'quit'],
];
/** What is left of the keys when they do not fit. */
const FEWEST_KEYS = KEYS.slice(-2);
const KEY_LINES_MAX = 2;
const MARGIN = '   ';
const KEY_WIDTH = 10;
/** Width of one of two columns, without its margin. */
const COLUMN_WIDTH = 26;

/** The help in its forms, the roomiest first: one column at length, then two columns in few words. */
export function helpForms(facts: readonly string[], width: number): Line[][] {
  const notes = [...facts, MARKS]
    .flatMap((fact) => wordWrap(fact, MARGIN, width, true))
    .map((text): Line => [span(text, 'faint')]);
  const long = HELP.map(([key, what]): Line => [span(MARGIN + key.padEnd(KEY_WIDTH), 'strong'), span(what)]);
  const half = Math.ceil(HELP.length / 2);
  const short = HELP.slice(0, half).map((left, at): Line => [...cell(left), ...cell(HELP[half + at])]);
  const oneColumn = HELP.map((entry): Line => cell(entry));
  const narrow = short.every((line) => widthOf(line) <= width) ? short : oneColumn;
  const forms = [
    [...long, [], ...notes],
    [...narrow, [], ...notes],
    [...narrow, ...notes],
  ];
  return forms.filter((lines, at) => at === forms.length - 1 || lines.every((line) => widthOf(line) <= width));
}

function cell(entry: (typeof HELP)[number] | undefined): Line {
  if (entry === undefined) return [];
  const [key, , what] = entry;
  return [span(MARGIN + key.padEnd(KEY_WIDTH), 'strong'), span(what.padEnd(COLUMN_WIDTH - KEY_WIDTH))];
}

/** The keys in at most `rows` lines (1 or more); when they do not fit, only the way to the help and the way out. */
export function keyLines(width: number, rows: number): Line[] {
  const all = layKeys(KEYS, width);
  if (all.length <= Math.min(rows, KEY_LINES_MAX)) return all;
  const few = layKeys(FEWEST_KEYS, width);
  if (few.length === 1) return few;
  return [[span('q', 'strong'), span(' quit'.slice(0, Math.max(0, width - 1)), 'faint')]];
}

function layKeys(keys: typeof KEYS, width: number): Line[] {
  const lines: Line[] = [];
  let line: Line = [span('  ')];
  for (const [key, what] of keys) {
    const next: Line = [span(' '), span(key, 'strong'), span(` ${what} `, 'faint')];
    if (widthOf(line) + widthOf(next) > width) {
      lines.push(line);
      line = [span('  ')];
    }
    line = [...line, ...next];
  }
  return [...lines, line];
}
