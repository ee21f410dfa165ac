import { expect, test } from 'vitest';
import { wordsOfStuckClient } from './stuck-client.ts';
import type { Stuck } from './evidence/stuck-client.ts';

const words = (why: Partial<Stuck>) =>
  wordsOfStuckClient(
    { number: 17n, hash: '0x11' },
    { mustForget: false, refusesNext: false, wasRestarted: false, isLeftAlone: false, ...why },
  );

test('one that takes nothing is to be restarted; where that was in vain it needs new data', () => {
  expect(words({}).message).toMatch(/that its node was given: restart it$/);
  expect(words({ wasRestarted: true }).message).toMatch(/restarts do not help: give it a new data folder$/);
  expect(words({ mustForget: true, wasRestarted: true })).toEqual({
    message: expect.stringMatching(/restart it$/),
    first: 'debug_setHead 0x11',
  });
});

test.each([false, true])(
  'one that refuses the next block may be right: who else does comes first, a restart last, new data never (restarted: %s)',
  (wasRestarted) => {
    const { message, first, otherwise } = words({ refusesNext: true, wasRestarted });
    const steps = ['refuses the next one', 'conductor repair --dry-run', 'version and configuration', 'restart it'];
    const at = steps.map((step) => message.indexOf(step));
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at).not.toContain(-1);
    expect(message).not.toContain('data folder');
    expect([first, otherwise]).toEqual([undefined, expect.stringContaining('conductor repair')]);
  },
);

test('one that has to forget blocks first is told so, also where it refuses the next one', () => {
  expect(words({ mustForget: true, refusesNext: true })).toMatchObject({
    message: expect.stringMatching(/restart it$/),
    first: 'debug_setHead 0x11',
    otherwise: expect.stringContaining('conductor repair'),
  });
});

test('one that is left alone, because its conductor is, needs no restart', () => {
  expect(words({ isLeftAlone: true, refusesNext: true }).message).not.toContain('restart');
});
