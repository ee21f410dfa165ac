import { describe, expect, it } from 'vitest';
import { hashText, Stream, Streams } from './streams.ts';

function first(stream: Stream, count: number): number[] {
  return Array.from({ length: count }, () => stream.next());
}

describe('named randomness', () => {
  it('gives the same numbers on every engine, for ever: runs are kept as strings', () => {
    expect(hashText('')).toBe(2166136261);
    expect(hashText('a')).toBe(0xe40c292c);
    expect(hashText('simulator')).toBe(3261824269);
    expect(first(new Streams(1).named('links'), 3).map((number) => Math.floor(number * 1e9))).toEqual([
      877798542, 979565802, 197447675,
    ]);
  });

  it('what one stream draws does not shift another', () => {
    const [streams, again] = [new Streams(7), new Streams(7)];
    first(streams.named('a'), 1000);
    expect(first(streams.named('b'), 20)).toEqual(first(again.named('b'), 20));
  });

  it('names and seeds make different streams', () => {
    const all = [1, 2, 3].flatMap((seed) => ['a', 'b', 'conductor 1'].map((name) => new Streams(seed).named(name)));
    expect(new Set(all.map((stream) => stream.next())).size).toBe(all.length);
  });

  it('is uniform enough, and stays in its bounds', () => {
    const stream = new Stream(99);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 20_000; draw++) {
      const number = stream.between(3, 5);
      expect(number).toBeGreaterThanOrEqual(3);
      expect(number).toBeLessThan(5);
      counts[Math.floor((number - 3) * 5)]!++;
    }
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(250);
  });
});
