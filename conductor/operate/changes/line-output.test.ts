import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from './cluster-event.ts';
import { BlockThinning, formatEvent } from './line-output.ts';

function block(number: number): ClusterEvent {
  return { kind: 'block', atMs: 0, text: `block ${number}`, fields: { number } };
}

describe('output without a terminal', () => {
  it('is one line of logfmt per event, quoted where needed', () => {
    const event: ClusterEvent = {
      kind: 'leader',
      atMs: 1_800_000_000_000,
      text: 'node-1 leads\n"now"',
      fields: { leader: 'node-1', term: 2, empty: '' },
    };
    expect(formatEvent(event)).toBe(
      't=2027-01-15T08:00:00.000Z event=leader msg="node-1 leads\\n\\"now\\"" leader=node-1 term=2 empty=""',
    );
  });

  it('says the first block and then one in so many, also when some are not seen', () => {
    const thinning = new BlockThinning(10);
    const said = [3, 4, 9, 10, 11, 23, 24, 30].filter((number) => thinning.admits(block(number)));
    expect(said).toEqual([3, 10, 23, 30]);
  });

  it('keeps everything that is not a block', () => {
    const thinning = new BlockThinning(1_000);
    expect(thinning.admits({ ...block(1), kind: 'gap' })).toBe(true);
  });
});
