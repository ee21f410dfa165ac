import { expect, test } from 'vitest';
import { Messages } from './message.ts';

const append = {
  protocolVersion: 3,
  kind: 'append',
  term: 2,
  prevLogIndex: 1,
  prevLogTerm: 1,
  entries: [],
  leaderCommit: 0,
} as const;

test('a message is the same whoever sends it, with peer status and without', () => {
  const messages = new Messages();
  const one = messages.number({ ...append, id: 'n0', address: 'n0:1', leader: 'n0:1' });
  expect(messages.number({ ...append, id: 'n2', address: 'n2:1', leader: 'n2:1', peerStatus: Uint8Array.of(1) })).toBe(
    one,
  );
  expect(messages.number({ ...append, id: 'n0', address: 'n0:1', leader: 'n0:1', term: 3 })).not.toBe(one);
});

test('it arrives under the name that its receiver has for the sender', () => {
  const messages = new Messages();
  const one = messages.number({ ...append, id: 'n0', address: 'n0:1', leader: 'n0:1' });
  expect(messages.sentBy(one, 2)).toEqual({ ...append, id: 'n2', address: 'n2:1', leader: 'n2:1' });
  const asked = { lastLogIndex: 1, lastLogTerm: 1, leadershipTransfer: false, candidate: 'n0:1' };
  const vote = { protocolVersion: 3, id: 'n0', address: 'n0:1', kind: 'vote' as const, term: 2, ...asked };
  expect(messages.sentBy(messages.number(vote), 1)).toEqual({ ...vote, id: 'n1', address: 'n1:1', candidate: 'n1:1' });
});

test('what has no sender stays as it is', () => {
  const messages = new Messages();
  const error = { kind: 'error', message: 'impossible term' } as const;
  expect(messages.sentBy(messages.number(error), 1)).toEqual(error);
});
