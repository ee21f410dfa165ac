import { eventKinds, type SimEvent } from '#simulator/faults';
import { describe, expect, it } from 'vitest';
import { beginningOf, endOf } from './event-words.ts';
import { OPEN_MS } from './verbs.ts';

const event = (kind: SimEvent['kind'], forMs: number): SimEvent => ({
  kind,
  forMs,
  afterMs: 0,
  at: 4,
  to: 0,
  amount: 2,
});

describe('what happens to the cluster', () => {
  it('is told with the seconds that it lasts, or without where nobody ends it', () => {
    expect(beginningOf(event('badBuilders', 12_000), 3)).toBe(
      'every full block that anybody seals is invalid, for 12.0 s',
    );
    expect(beginningOf(event('badBuilder', OPEN_MS), 3)).toBe('every full block that s1 seals is invalid');
  });

  it('is told again when it is over, by the same words or by those of the verb', () => {
    expect(endOf(event('badBuilders', 12_000), 3)).toBe('over: every full block that anybody seals is invalid');
    expect(endOf(event('crash', OPEN_MS), 3)).toBe('the conductor of s1 is started again');
  });

  it('is told of every kind in words, milliseconds and names of the code left out', () => {
    for (const kind of eventKinds) {
      const texts = [beginningOf(event(kind, 5000), 3), endOf(event(kind, 5000), 3)];
      for (const text of texts) expect(text).not.toMatch(/for \d+ ms$|[{}]|undefined|[a-z][A-Z][a-z]+ is over/);
    }
  });
});
