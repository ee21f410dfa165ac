import { expect, test } from 'vitest';
import { merged } from './partial.ts';

test('a row that is measured again takes its own place, and no other', () => {
  const row = (title: string, cluster: 'plain' | 'go', commit: string) => ({ row: title, cluster, commit });
  const before = [row('a', 'plain', 'old'), row('a', 'go', 'old'), row('b', 'plain', 'old')];
  const keyOf = ({ row: title, cluster }: (typeof before)[number]): string => `${cluster} ${title}`;
  expect(merged(before, [row('a', 'plain', 'new')], keyOf)).toEqual([before[1], before[2], row('a', 'plain', 'new')]);
});
