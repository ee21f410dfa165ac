/** The judge of histories sees what it is there for, and accepts what is only unusual. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeHistory, type CommitOutcome, type HistoryCall } from './history.ts';
import { buildJudge, judgeHistory, notKept } from './judge.ts';

/** From the start of its compiler on a machine that never built it. */
const BUILD_MS_MAX = 60_000;

let missing: string | null = null;
beforeAll(async () => {
  missing = await buildJudge();
}, BUILD_MS_MAX);

interface Told {
  readonly from: number;
  readonly to: number | null;
  readonly block: readonly [number: number, hash: string, parent: string];
}

const times = ({ from, to, block: [number, hash] }: Told) => ({
  ...{ client: from, server: 's1', called: from, answered: to, number, hash },
});
const commit = (outcome: CommitOutcome, told: Told): HistoryCall => {
  return { ...times(told), kind: 'commit', parent: told.block[2], outcome };
};
const ok = (from: number, to: number, block: Told['block']) => commit('ok', { from, to, block });
const unknown = (from: number, block: Told['block']) => commit('unknown', { from, to: null, block });
const refused = (from: number, to: number, block: Told['block']) => commit('refused', { from, to, block });
const told = (kind: 'holds' | 'head', from: number, to: number, block: Told['block']): HistoryCall => {
  return { ...times({ from, to, block }), kind };
};

const first = [1, 'a1', ''] as const;
const second = [2, 'a2', 'a1'] as const;
const third = [3, 'a3', 'a2'] as const;
const rival = [2, 'b2', 'a1'] as const;
const onRival = [3, 'b3', 'b2'] as const;

async function judged(calls: readonly HistoryCall[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'history.jsonl');
  writeHistory(path, calls);
  return notKept(await judgeHistory(path));
}

describe('histories that are refused', () => {
  const cases: readonly (readonly [string, readonly string[], readonly HistoryCall[]])[] = [
    [
      'two heads: two blocks of one height are acknowledged',
      ['register-per-height: Illegal', 'one-head: Illegal'],
      [ok(0, 1, first), ok(2, 3, second), ok(4, 5, rival)],
    ],
    [
      'a lost acknowledged head: the chain goes on beside it',
      ['acknowledged-heads: Illegal', 'one-head: Illegal'],
      [ok(0, 1, first), ok(2, 3, second), unknown(4, rival), ok(6, 7, onRival), told('head', 8, 9, onRival)],
    ],
    [
      'a lost acknowledged head: the head falls back below it',
      ['one-head: Illegal'],
      [ok(0, 1, first), ok(2, 3, second), told('head', 4, 5, first)],
    ],
    [
      'a stale read: a head that was left before the question',
      ['one-head: Illegal'],
      [ok(0, 1, first), ok(2, 3, second), ok(4, 5, third), told('head', 6, 7, second)],
    ],
    [
      'a block that was refused is on the chain',
      ['register-per-height: Illegal', 'one-head: Illegal'],
      [ok(0, 1, first), refused(2, 3, second), told('head', 4, 5, second)],
    ],
    [
      'an answer tells a block before anybody offered it',
      ['register-per-height: Illegal', 'acknowledged-heads: Illegal'],
      [ok(0, 1, first), told('holds', 2, 3, second), ok(4, 5, second)],
    ],
    [
      'a block is acknowledged on a parent that is not there',
      ['one-head: Illegal'],
      [ok(0, 1, first), ok(2, 3, second), ok(4, 5, onRival)],
    ],
  ];
  it.for(cases)('%s', async ([, broken, calls], context) => {
    if (missing !== null) return context.skip(missing);
    expect((await judged(calls)).toSorted()).toEqual(broken.toSorted());
  });
});

describe('histories that are accepted', () => {
  const cases: readonly (readonly [string, readonly HistoryCall[]])[] = [
    ['a chain with reads between', [ok(0, 1, first), told('head', 2, 3, first), ok(4, 5, second)]],
    ['a call without an answer has its effect later', [ok(0, 1, first), unknown(2, second), ok(9, 10, third)]],
    ['a call without an answer never has an effect', [ok(0, 1, first), unknown(2, rival), ok(9, 10, second)]],
    [
      'the old head is told while the next is being committed',
      [ok(0, 1, first), ok(2, 6, second), told('head', 3, 4, first)],
    ],
    [
      'the new head is told before its commit is answered',
      [ok(0, 1, first), ok(2, 6, second), told('head', 3, 4, second)],
    ],
    ['a block is offered again', [ok(0, 1, first), ok(2, 3, second), ok(4, 5, third), ok(6, 7, second)]],
    ['refused at a follower, committed at the leader', [ok(0, 1, first), refused(2, 3, second), ok(4, 5, second)]],
  ];
  it.for(cases)('%s', async ([, calls], context) => {
    if (missing !== null) return context.skip(missing);
    expect(await judged(calls)).toEqual([]);
  });
});

it('a line that is no call is refused, not passed over', async (context) => {
  if (missing !== null) return context.skip(missing);
  const misspelt = { ...ok(0, 1, first), kind: 'comit' } as unknown as HistoryCall;
  await expect(judged([misspelt])).rejects.toThrow('unknown kind');
});
