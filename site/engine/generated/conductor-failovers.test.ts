import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conductorFailover } from './conductor-failovers.ts';

const recorded = readFileSync(join(import.meta.dirname, '../../../bench/results/gaps.json'), 'utf8');

describe('the drawings of failovers', () => {
  it.each(['failover', 'rolling-upgrade'])('of %s show times that were recorded, and leave none open', (of) => {
    const drawn = conductorFailover({ of });
    const shown = [...drawn.matchAll(/(\d+) ms/g)].map(([, ms]) => Number(ms)).filter((ms) => ms > 0);
    expect(shown.length).toBeGreaterThan(1);
    for (const ms of shown) expect(recorded).toMatch(new RegExp(`"(?:gapMs|startMs)": ${ms}(?:\\.\\d+)?\\b`));
    expect(drawn).not.toMatch(/\{|undefined|NaN/);
  });

  it('are refused for what was not recorded', () => {
    expect(() => conductorFailover({ of: 'earthquake' })).toThrow('failover, rolling-upgrade');
  });
});
