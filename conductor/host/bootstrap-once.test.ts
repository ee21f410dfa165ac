import { describe, expect, it } from 'vitest';
import type { CallResult } from '#conductor/core/node/calls';
import { bootstrapOnce, initialMembersOf } from './bootstrap-once.ts';

const LIST = 'a=http://a:8545,b=http://b:8545,c=http://c:8545';
const none: CallResult = { kind: 'result', value: { servers: [], version: 0 } };
const noneOfGo: CallResult = { kind: 'result', value: { servers: null, version: 0 } };
const member: CallResult = { kind: 'result', value: { servers: [{ id: 'b' }, { id: 'c' }], version: 7 } };
const silent: CallResult = { kind: 'failed', reason: 'refused', message: 'nobody listens' };

/** Plays rounds of answers of b and c to one server; what it did, and what it said. */
async function play(
  serverId: string,
  rounds: readonly (readonly [CallResult, CallResult])[],
  isNew: (round: number) => boolean = () => true,
): Promise<{ founded: number; asked: string[]; said: string[] }> {
  const seen = { founded: 0, asked: [] as string[], said: [] as string[] };
  let round = 0;
  await bootstrapOnce(
    {
      logger: { log: (_level, message, fields) => seen.said.push(`${message} ${JSON.stringify(fields)}`) },
      isNew: () => seen.founded === 0 && isNew(round),
      ask: async (url) => {
        seen.asked.push(url);
        return rounds[round]![url === 'http://b:8545' ? 0 : 1];
      },
      bootstrap: () => void (seen.founded += 1),
      sleep: async () => void (round += 1),
      isOver: () => round >= rounds.length,
    },
    initialMembersOf(LIST, serverId)!,
    serverId,
  );
  return seen;
}

describe('bootstrapping a cluster once', () => {
  it('is done by the first server when all others say that they belong to none', async () => {
    expect((await play('a', [[none, noneOfGo]])).founded).toBe(1);
  });

  it('is left to the first server, whatever the others say', async () => {
    const { founded, asked } = await play('b', [[none, none]]);
    expect({ founded, asked }).toStrictEqual({ founded: 0, asked: [] });
  });

  it('waits for those who are silent, and says so once', async () => {
    const { founded, said } = await play('a', [
      [silent, none],
      [silent, none],
      [none, none],
    ]);
    expect(founded).toBe(1);
    expect(said.filter((line) => line.includes('nobody listens'))).toHaveLength(1);
  });

  it.each<readonly [string, CallResult]>([
    ['belongs to a cluster', member],
    ['is silent', silent],
    ['refuses to say', { kind: 'error', code: -32601, message: 'method not found' }],
    ['says nothing of the kind', { kind: 'result', value: 'yes' }],
    ['answers null', { kind: 'result', value: null }],
    ['answers no list', { kind: 'result', value: { servers: 'b' } }],
  ])('never happens while one of them %s: the first server may have lost its disk', async (_what, answer) => {
    for (const pair of [
      [answer, none],
      [none, answer],
    ] as const) {
      expect((await play('a', [pair, pair, pair])).founded).toBe(0);
    }
  });

  it('never happens on a store that holds something, and stops asking when it does', async () => {
    expect(await play('a', [[none, none]], () => false)).toMatchObject({ founded: 0, asked: [] });
    const added = await play(
      'a',
      [
        [member, member],
        [none, none],
      ],
      (round) => round === 0,
    );
    expect(added.founded).toBe(0);
  });

  it('of one server alone needs nobody', () => {
    expect(initialMembersOf('a=http://a:8545', 'a')).toHaveLength(1);
  });
});

describe('its list', () => {
  it('is optional', () => {
    expect(initialMembersOf(' ', 'a')).toBeNull();
  });

  it.each([
    ['a', /not <server id>=<JSON-RPC URL>/],
    ['=http://a:1', /not <server id>/],
    ['a=b:8545', /not <server id>/],
    ['a=ws://a:8545', /not <server id>/],
    ['a=http://a:1,', /"" is not/],
    ['a=http://a:1,a=http://b:1', /names one id twice/],
    ['a=http://same:1,b=http://same:1', /names one url twice/],
    ['b=http://b:1', /does not name this server, "a"/],
  ])('"%s" is refused', (text, why) => {
    expect(() => initialMembersOf(text, 'a')).toThrow(why);
  });
});
