import { flagTable, ownFlagNames } from '#conductor/cli/flags';
import { methodTable } from '#conductor/core/rpc/methods';
import { describe, expect, it } from 'vitest';
import { conductorDifferences } from './conductor-differences.ts';
import { conductorFlags } from './conductor-flags.ts';
import { badgesOf, differenceOf, differenceSets } from './row-badges.ts';

const names = [...flagTable.map(({ name }) => `--${name}`), ...methodTable.map(({ name }) => name)];

describe('the badges of a row', () => {
  it('lead to a row of the compatibility tables that names it, and the page has that row', () => {
    const tables = Object.keys(differenceSets)
      .map((of) => conductorDifferences({ of }))
      .join('\n')
      .split('\n');
    const linked = names.flatMap((name) => {
      const href = differenceOf(name);
      return href === null ? [] : [{ name, anchor: href.split('#')[1] ?? '' }];
    });
    expect(linked.length).toBeGreaterThan(10);
    for (const { name, anchor } of linked) {
      const row = tables.find((line) => line.includes(`id="${anchor}"`));
      expect(row?.replaceAll('\\', ''), anchor).toContain(name);
    }
  });

  it('say of what op-conductor has not since which release it is there, and nothing of what is the same', () => {
    expect(badgesOf({ name: '--x.y', isOwn: true })).toBe('<Badges since="0.1.0" own />');
    expect(badgesOf({ name: '--x.y', isOwn: true, since: '0.2.0' })).toBe('<Badges since="0.2.0" own />');
    expect(badgesOf({ name: '--no.such.flag', isOwn: false })).toBe('');
    expect(conductorFlags({}).split('own />')).toHaveLength(ownFlagNames.size + 1);
  });

  it('take no name for another that begins or ends like it', () => {
    expect(differenceOf('--rpc')).toBeNull();
    expect(differenceOf('conductor_leade')).toBeNull();
  });
});
