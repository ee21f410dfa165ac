/**
 * `npm run bench -- goals`: the one table in which every goal has its measured value, the spread of its rounds and
 * whether it holds, from the kept results. The same is the last thing that `npm run bench` prints.
 */
import { goals, type Goal } from './goals.ts';
import { judge, type Bound, type Figure, type Judged } from './judge.ts';
import { effortOf, leftOutOf, type KeptResults } from './kept-results.ts';
import { textTable } from '../scripts/text-table.ts';

const SOURCES = [...new Set(goals.map(({ reading }) => reading.source))];
/** Marks what was measured with less than the whole effort. */
const FEW_ROUNDS = 'few rounds';
const HEADER = ['goal', 'ours', 'op-conductor', 'figure', 'lowest–highest', 'demanded', ''];
/** The rest of a long refusal is in the raw numbers. */
const REMARK_CHARACTERS_MAX = 60;
const isRatio: Readonly<Record<Figure, boolean>> = {
  ratio: true,
  'ratio-of-medians': true,
  ours: false,
  'our-worst': false,
};

export interface GoalsTable {
  readonly text: string;
  readonly holds: number;
  readonly fallsShort: number;
  readonly unknown: number;
  /** Files that hold no whole result. */
  readonly unreadable: number;
}

/** Judges every goal and lays the table out; ends with a line that counts the verdicts. */
export function goalsTable(kept: KeptResults): GoalsTable {
  const judged = goals.map((goal) => ({ goal, result: judge(goal.figure, goal.bound, goal.reading.in(kept)) }));
  const rows = judged.map(({ goal, result }) => {
    const report = kept.report(goal.reading.source);
    return cellsOf(goal, result, report !== null && effortOf(report) < 1);
  });
  const isFirstOfGroup = judged.map(({ goal }, at) => goal.group !== judged[at - 1]?.goal.group);
  const titled = rows.flatMap((row, at) => {
    const title = judged[at]!.goal.group.toUpperCase();
    return isFirstOfGroup[at] === true ? [[title, ...HEADER.slice(1)], row] : [row];
  });
  const table = textTable(titled, (column) => column > 0 && column < HEADER.length - 1);
  const lines = [...sourcesOf(kept), ''];
  for (const isFirst of isFirstOfGroup) lines.push(...(isFirst ? ['', ...table.splice(0, 2)] : table.splice(0, 1)));
  const count = (wanted: Judged['verdict']): number => judged.filter(({ result }) => result.verdict === wanted).length;
  const counts = { holds: count('holds'), fallsShort: count('falls short'), unknown: count('unknown') };
  lines.push('', `goals: ${counts.holds} hold, ${counts.fallsShort} fall short, ${counts.unknown} not measured`);
  const unreadable = SOURCES.filter((name) => kept.fault(name) !== null).length;
  return { text: lines.join('\n'), ...counts, unreadable };
}

function cellsOf({ title, unit, figure, bound }: Goal, result: Judged, isOfFewRounds: boolean): string[] {
  const isOfRatio = isRatio[figure];
  const amount = (value: number): string => (Number.isNaN(value) ? '–' : `${shown(value)} ${unit}`);
  const times = (value: number): string => (isOfRatio ? `${shown(value)}×` : shown(value));
  const isTold = result.verdict === 'told';
  const isMeasured = !Number.isNaN(result.value);
  const remarks = [
    ...(isOfFewRounds && isMeasured ? [FEW_ROUNDS] : []),
    ...(result.remark === '' || isTold ? [] : [result.remark.slice(0, REMARK_CHARACTERS_MAX)]),
  ];
  const remark = remarks.length === 0 ? '' : ` (${remarks.join('; ')})`;
  const verdict = isTold ? '' : result.verdict;
  return [
    title,
    amount(result.ours),
    amount(result.theirs),
    isMeasured ? times(result.value) : '–',
    isMeasured ? `${shown(result.low)}–${shown(result.high)}` : '',
    demandOf(bound, isOfRatio ? '×' : ''),
    `${verdict}${remark}`.trim(),
  ];
}

/** Three digits that count; whole numbers from a hundred on. */
function shown(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'never' : String(value);
  if (value === 0) return '0';
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function demandOf({ atMost, atLeast }: Bound, suffix: string): string {
  if (atMost !== undefined) return `≤ ${shown(atMost)}${suffix}`;
  if (atLeast === Number.MIN_VALUE) return '> 0';
  return atLeast === undefined ? '' : `≥ ${shown(atLeast)}${suffix}`;
}

/** With how much effort, when and where each part was measured. */
function sourcesOf(kept: KeptResults): string[] {
  return SOURCES.map((name) => {
    const report = kept.report(name);
    const of = (words: string): string => `${name.padEnd(12)} ${words}`;
    if (report === null) return of(kept.fault(name) ?? `not measured: npm run bench -- ${name}`);
    const { at, machine, versions } = report;
    const load = machine.loadAverageAtEnd[0]?.toFixed(1) ?? '?';
    const effort = effortOf(report);
    const marks = [...(effort < 1 ? [FEW_ROUNDS] : []), ...leftOutOf(report)].map((mark) => `, ${mark}`).join('');
    return of(
      `effort ${effort.toFixed(2)}, commit ${versions['commit'] ?? '?'}, ${at.slice(0, 16)}Z, ` +
        `${machine.processor}, ${machine.cores} cores, load ${load}${marks}`,
    );
  });
}
