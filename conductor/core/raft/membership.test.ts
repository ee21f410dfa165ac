import { describe, expect, it } from 'vitest';
import { changeConfiguration, Membership, type MembershipCommand } from './membership.ts';
import { nonvoter, voter, voters } from './testing/messages.ts';
import { Suffrage, type Server } from './types.ts';

const HELD = { index: 7, configuration: { servers: [voter('a'), voter('b'), nonvoter('c')] } };

function add(id: string, suffrage: Suffrage = Suffrage.voter, address = `${id}:1`): MembershipCommand {
  return { kind: 'addServer', requestId: 1, id, address, suffrage, previousIndex: 0 };
}

function remove(id: string, previousIndex = 0): MembershipCommand {
  return { kind: 'removeServer', requestId: 1, id, previousIndex };
}

function demote(id: string): MembershipCommand {
  return { kind: 'demoteVoter', requestId: 1, id, previousIndex: 0 };
}

const [A, B, C] = HELD.configuration.servers as [Server, Server, Server];

describe('configuration changes, outcome by outcome as hashicorp’s', () => {
  it.each<[string, MembershipCommand, Server[]]>([
    ['a new voter', add('d'), [A, B, C, voter('d')]],
    ['a new nonvoter', add('d', Suffrage.nonvoter), [A, B, C, nonvoter('d')]],
    ['a voter again', add('b'), [A, B, C]],
    ['a voter with a new address', add('b', Suffrage.voter, 'b:2'), [A, { ...B, address: 'b:2' }, C]],
    ['a nonvoter becomes a voter', add('c'), [A, B, voter('c')]],
    ['a nonvoter with a new address', add('c', Suffrage.nonvoter, 'c:2'), [A, B, { ...C, address: 'c:2' }]],
    [
      'a voter as a nonvoter only moves, it is not demoted',
      add('b', Suffrage.nonvoter, 'b:2'),
      [A, { ...B, address: 'b:2' }, C],
    ],
    ['a voter is removed', remove('b'), [A, C]],
    ['a nonvoter is removed', remove('c'), [A, B]],
    ['a voter is demoted', demote('b'), [A, nonvoter('b'), C]],
    ['a nonvoter is demoted', demote('c'), [A, B, C]],
  ])('%s', (_, command, servers) => {
    expect(changeConfiguration(HELD, command)).toEqual({ kind: 'changed', configuration: { servers } });
  });

  it.each<[string, MembershipCommand, string]>([
    ['an address in use', add('d', Suffrage.voter, 'b:1'), 'duplicate'],
    ['a move to an address in use', add('c', Suffrage.nonvoter, 'a:1'), 'duplicate'],
    ['no id', add(''), 'invalid'],
    ['no address', add('d', Suffrage.voter, ''), 'invalid'],
    ['removal of a stranger', remove('d'), 'unknown-server'],
    ['demotion of a stranger', demote('d'), 'unknown-server'],
    ['an earlier configuration', remove('b', 6), 'configuration-changed'],
    ['a later configuration', remove('b', 8), 'configuration-changed'],
  ])('refused: %s', (_, command, reason) => {
    expect(changeConfiguration(HELD, command)).toMatchObject({ kind: 'refused', reason });
  });

  it('an id or an address that no request could carry is refused, and nothing is echoed', () => {
    const long = 'é'.repeat(32 * 1024 + 1);
    for (const command of [
      add(long),
      add(long, Suffrage.nonvoter),
      add('d', Suffrage.voter, long),
      add('b', Suffrage.voter, long),
      remove(long),
      demote(long),
    ]) {
      const change = changeConfiguration(HELD, command);
      expect(change).toMatchObject({ kind: 'refused', reason: 'invalid' });
      expect(JSON.stringify(change).length).toBeLessThan(300);
    }
    const most = 'i'.repeat(64 * 1024);
    expect(changeConfiguration(HELD, add(most, Suffrage.voter, 'd:1'))).toMatchObject({ kind: 'changed' });
  });

  it('ids and addresses of one configuration have a bound in sum', () => {
    const servers = Array.from({ length: 15 }, (_, at) => voter(`${at}`.padEnd(34_000, 'x')));
    const full = { index: 7, configuration: { servers } };
    const next = '9'.repeat(32_000);
    expect(changeConfiguration(full, add(next))).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(changeConfiguration(full, add('z'))).toMatchObject({ kind: 'changed' });
    const many = { index: 7, configuration: { servers: Array.from({ length: 65_535 }, (_, at) => voter(`${at}`)) } };
    expect(changeConfiguration(many, add('z'))).toMatchObject({ kind: 'refused', reason: 'invalid' });
    expect(changeConfiguration(full, remove(servers[0]!.id))).toMatchObject({ kind: 'changed' });
  });

  it('a member that a Go leader took in under an id of any length can be removed', () => {
    const huge = voter('h'.repeat(2 ** 20 + 1));
    const held = { index: 7, configuration: { servers: [...HELD.configuration.servers, huge] } };
    expect(changeConfiguration(held, demote(huge.id))).toMatchObject({ kind: 'changed' });
    expect(changeConfiguration(held, remove(huge.id))).toEqual({ kind: 'changed', configuration: HELD.configuration });
  });

  it('the named configuration is the latest one', () => {
    expect(changeConfiguration(HELD, remove('b', 7))).toMatchObject({ kind: 'changed' });
  });

  it.each([remove('a'), demote('a')])('the last voter stays: $kind', (command) => {
    const held = { index: 1, configuration: { servers: [voter('a'), nonvoter('c')] } };
    expect(changeConfiguration(held, command)).toMatchObject({ kind: 'refused', reason: 'invalid' });
  });

  it('an id occurs once', () => {
    const servers = [voter('a'), { ...voter('a'), address: 'x:1' }];
    const held = { index: 1, configuration: { servers } };
    expect(changeConfiguration(held, add('d'))).toMatchObject({ kind: 'refused', reason: 'duplicate' });
  });
});

describe('the configurations of a log', () => {
  function history(): Membership {
    const membership = new Membership();
    for (const [index, ids] of [
      [1, ['a']],
      [4, ['a', 'b']],
      [8, ['a', 'b', 'c']],
    ] as const) {
      membership.append({ index, configuration: voters(...ids) });
    }
    return membership;
  }

  it('there is an empty one at the beginning', () => {
    expect(new Membership().latest).toEqual({ index: 0, configuration: { servers: [] } });
  });

  it('take effect on append, and are rolled back when their entries go', () => {
    const membership = history();
    expect(membership.isVoter('c')).toBe(true);
    membership.truncate(8);
    expect(membership.latest.index).toBe(4);
    membership.truncate(1);
    expect(membership.latest.index).toBe(0);
    expect(membership.isVoter('a')).toBe(false);
  });

  it('each index has the one in force there, also after compaction', () => {
    const membership = history();
    membership.compact(5);
    expect([5, 7, 8, 99].map((index) => membership.at(index).index)).toEqual([4, 4, 8, 8]);
  });

  it('a snapshot’s replaces those it covers; later ones stay with the log', () => {
    const held = { index: 4, configuration: voters('a', 'x') };
    const kept = history();
    kept.install(held, true);
    expect([kept.latest.index, kept.at(7)]).toEqual([8, held]);
    const dropped = history();
    dropped.install(held, false);
    expect(dropped.latest).toEqual(held);
  });

  it('finds by id and by address, and knows voters from nonvoters', () => {
    const membership = new Membership();
    membership.append({ index: 1, configuration: { servers: [voter('a'), nonvoter('b')] } });
    expect(membership.findByAddress('b:1')?.id).toBe('b');
    expect(['a', 'b', 'c'].map((id) => membership.isVoter(id))).toEqual([true, false, false]);
  });
});
