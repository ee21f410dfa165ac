import { expect, test } from 'vitest';
import { conductorTrace, drawTrace } from './conductor-traces.ts';

const leaf = (name: string, startMs: number, ms: number) => ({ name, startMs, ms, children: [] });

test('a trace is drawn span by span, each bar at its place and at least a column long', () => {
  const drawn = drawTrace({
    ...leaf('whole', 0, 24),
    children: [leaf('first', 0, 12), { ...leaf('second', 12, 12), children: [leaf('end of it', 23.9, 0.1)] }],
  });
  expect(drawn.split('\n')).toEqual([
    `whole                                   24.0 ms  ${'█'.repeat(24)}`,
    `  first                                 12.0 ms  ${'█'.repeat(12)}`,
    `  second                                12.0 ms  ${' '.repeat(12)}${'█'.repeat(12)}`,
    `    end of it                            0.1 ms  ${' '.repeat(23)}█`,
  ]);
});

test('the page has a commit and a failover that a collector received, with the phases it tells of', () => {
  expect(conductorTrace({ of: 'commit' })).toMatch(
    /receive[^]*parse[^]*hash[^]*append[^]*replicate[^]*commit[^]*answer/,
  );
  expect(conductorTrace({ of: 'failover' })).toMatch(/elect[^]*confirm[^]*catch up[^]*start sequencer[^]*first block/);
  expect(() => conductorTrace({ of: 'nothing' })).toThrow('of must be one of commit, failover');
});
