import { describe, expect, it } from 'vitest';
import { judge, type History } from './durability.ts';

const list = [
  { index: 3, client: 1, sequence: 1 },
  { index: 4, client: 2, sequence: 1 },
];
const good: History = {
  lists: new Map([
    ['n1', list],
    ['n2', [...list]],
  ]),
  acknowledged: [{ client: 1, sequence: 1, index: 3 }],
  refused: [{ client: 1, sequence: 2, nodeId: 'n2' }],
  observed: new Map([[4, '2/1']]),
};

describe('the judge of histories', () => {
  it('finds nothing in a good one', () => {
    expect(judge(good)).toEqual([]);
  });

  it('names each law that is broken', () => {
    expect(
      judge({
        ...good,
        lists: new Map([
          ['n1', list],
          ['n2', list.slice(1)],
        ]),
      }),
    ).toEqual(['n2 and n1 hold different lists']);
    expect(judge({ ...good, acknowledged: [{ client: 9, sequence: 9, index: 5 }] })).toEqual([
      '9/9 was acknowledged at 5 and is at no index',
    ]);
    expect(judge({ ...good, acknowledged: [{ client: 1, sequence: 1, index: 4 }] })).toEqual([
      '1/1 was acknowledged at 4 and is at 3',
    ]);
    expect(judge({ ...good, refused: [{ client: 2, sequence: 1, nodeId: 'n2' }] })).toEqual([
      '2/1 was refused by n2 and is at 4',
    ]);
    expect(judge({ ...good, observed: new Map([[4, '7/7']]) })).toEqual(['7/7 was applied at 4 and is gone']);
    expect(judge({ ...good, lists: new Map() })).toEqual(['no node is left']);
    const twice = [...list, { index: 5, client: 1, sequence: 1 }];
    expect(judge({ ...good, lists: new Map([['n1', twice]]), acknowledged: [] })).toEqual([
      '1/1 is at 3 and again at 5',
    ]);
  });
});
