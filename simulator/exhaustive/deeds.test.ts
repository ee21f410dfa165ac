import { expect, test } from 'vitest';
import { mirroredDeeds, withLeadership, withVotes, type Deeds } from './deeds.ts';
import type { Input } from './input.ts';
import { Messages } from './message.ts';

const messages = new Messages();
const header = { protocolVersion: 3, id: 'n0', address: 'n0:1' };
const none: Deeds = { votes: new Map(), led: [] };

function granted(term: number, isGranted: boolean): number {
  return messages.number({ ...header, kind: 'vote', term, granted: isGranted });
}

function reply(deeds: Deeds, from: number, message: number): Deeds | string {
  const input: Input = { kind: 'request', from, lane: 'vote', message: 0 };
  return withVotes(deeds, messages, input, { durable: null, sent: [], replies: [message] });
}

function asks(deeds: Deeds, term: number): Deeds | string {
  const asked = { candidate: 'n0:1', lastLogIndex: 1, lastLogTerm: 1, leadershipTransfer: false };
  const message = messages.number({ ...header, ...asked, kind: 'vote', term });
  const sent = [{ to: 1, lane: 'vote' as const, message }];
  return withVotes(deeds, messages, { kind: 'timeout' }, { durable: null, sent, replies: [] });
}

test('a server votes once per term: for another, or for itself', () => {
  const voted = reply(none, 2, granted(3, true)) as Deeds;
  expect(voted.votes).toEqual(new Map([[3, 2]]));
  expect(reply(voted, 2, granted(3, true))).toEqual(voted);
  expect(reply(voted, 1, granted(3, true))).toMatch(/term 3/);
  expect(asks(voted, 3)).toMatch(/for @0/);
  expect((asks(voted, 4) as Deeds).votes).toEqual(
    new Map([
      [3, 2],
      [4, 0],
    ]),
  );
  expect(reply(asks(none, 3) as Deeds, 1, granted(3, true))).toMatch(/for @0 and for @1/);
});

test('a refusal is no vote, and neither is a pre-vote', () => {
  const voted = reply(none, 2, granted(3, true)) as Deeds;
  expect(reply(voted, 1, granted(3, false))).toBe(voted);
  expect(reply(voted, 1, messages.number({ ...header, kind: 'prevote', term: 3, granted: true }))).toBe(voted);
});

test('terms that it led are kept once; mirrored, its peers have each other’s names', () => {
  const led = withLeadership(
    withLeadership(
      {
        votes: new Map([
          [2, 0],
          [3, 1],
          [4, 2],
        ]),
        led: [],
      },
      2,
    ),
    2,
  );
  expect(led.led).toEqual([2]);
  expect(mirroredDeeds(led)).toEqual({
    votes: new Map([
      [2, 0],
      [3, 2],
      [4, 1],
    ]),
    led: [2],
  });
});
