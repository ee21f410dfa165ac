import { expect, test } from 'vitest';
import type { Line } from '#conductor/cli/terminal/text-line';
import { Output } from './output.ts';
import { ProcedureReport } from './procedure-report.ts';
import type { Planned } from './procedure.ts';
import { waitStep, type Step } from './step.ts';

class Lines extends Output {
  readonly lines: string[] = [];
  override line(text: string | Line = ''): void {
    this.lines.push(typeof text === 'string' ? text : text.map((piece) => piece.text).join(''));
  }
}

const step = (more: Partial<Step> & Pick<Step, 'title'>): Step => ({
  isDone: () => false,
  guard: () => null,
  execute: () => Promise.resolve(),
  settled: () => true,
  deadlineMs: 15_000,
  stopsSequencing: false,
  ...more,
});

function planText(planned: readonly Planned[], timeoutMs: number | null = null): string[] {
  const output = new Lines(false);
  const report = new ProcedureReport(output, { nowMs: () => 0, isDryRun: true, timeoutMs });
  report.plan({ title: 'all of it', steps: planned.map((one) => one.step), command: [], journal: null }, planned);
  return output.lines;
}

const open = { state: 'open', refusal: null, waitsFor: '' } as const;
const wait = waitStep({ title: 'see it well', isDone: () => false, deadlineMs: 600_000, quorum: 'irrelevant' });
const deploy = step({ title: 'deploy to it', isUnseen: true, asks: 'it does not lead', deadlineMs: 600_000 });
const hand = step({ title: 'hand over', stopsSequencing: true });

test('a plan says of each step what is looked at, how long it may take, and what would refuse it', () => {
  expect(
    planText([
      { ...open, step: step({ title: 'pause it' }), state: 'done' },
      { ...open, step: wait, waitsFor: 'it is 3 blocks behind' },
      { ...open, step: deploy, refusal: 'nobody deploys' },
      { ...open, step: hand },
    ]),
  ).toEqual([
    'all of it',
    'before each change a majority of the voters has to answer',
    '  ✓ pause it  is so already',
    '  · see it well',
    '      waits at most 10 min; now: it is 3 blocks behind',
    '  · deploy to it',
    '      if it does not lead; afterwards waits at most 10 min',
    '      would be refused: nobody deploys',
    '  · hand over  blocks stop meanwhile',
    '      takes at most 15 s',
  ]);
});

test('with --timeout it says that time, and nothing of a majority that no step needs', () => {
  expect(planText([{ ...open, step: wait }], 4000)).toEqual([
    'all of it',
    '  · see it well',
    '      waits at most 4 s',
  ]);
});
