import { expect, it } from 'vitest';
import { fragmentOf, momentOf } from './link.ts';

it('a moment survives its fragment, whatever the run holds', () => {
  for (const moment of [
    { run: 'v1~seed-7', afterMs: 0, trace: '' },
    { run: 'v1~seed-7.servers-5~crash-em-0-0-1~lossy-0-1-0-cuyo-rs', afterMs: 2300, trace: '0123456789abcdef' },
  ]) {
    const fragment = fragmentOf(moment);
    expect(new URL(`http://docs/page${fragment}`).hash).toBe(fragment);
    expect(momentOf(fragment)).toEqual(moment);
  }
});

it('other fragments name no moment, and damaged times are none', () => {
  for (const fragment of ['', '#', '#setup', '#run=', '#after=5']) expect(momentOf(fragment)).toBeNull();
  expect(momentOf('#run=v1&after=-5')).toEqual({ run: 'v1', afterMs: Number.NaN, trace: '' });
  expect(momentOf('#run=v1&trace=<b>')).toEqual({ run: 'v1', afterMs: 0, trace: '' });
  expect(momentOf('#run=v1&after=1e9')).toEqual({ run: 'v1', afterMs: Number.NaN, trace: '' });
});
