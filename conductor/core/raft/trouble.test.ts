import { expect, it, vi } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  commandEntry,
  configurationEntry,
  heartbeatFrom,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from './testing/messages.ts';
import { Suffrage } from './types.ts';

it('a damaged entry that is applied is replaced by a snapshot, and the log up to it goes', () => {
  const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
  for (let i = 0; i < 5; i++) n1.propose(`c${i}`);
  n1.acknowledgeAll();
  n1.node.entryDamaged(4);
  n1.run(1);
  expect(n1.status).toMatchObject({ snapshotIndex: 7, firstIndex: 5, lastIndex: 7 });
  expect(n1.store.load().snapshot?.index).toBe(7);
});

it('a damaged entry that is not applied yet stays until it is', () => {
  const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
  n1.propose('c0');
  n1.node.entryDamaged(3);
  n1.run(1);
  expect(n1.status.firstIndex).toBe(1);
  n1.acknowledgeAll();
  expect(n1.status).toMatchObject({ commitIndex: 3, firstIndex: 4, snapshotIndex: 3 });
});

it('an entry that the store cannot read is null to the state machine, and is replaced by a snapshot', () => {
  const store = storeWith([configurationEntry(1, 1, voters('n1')), commandEntry(2, 1), commandEntry(3, 1)]);
  const n1 = new LoneNode({ store, raft: { cacheBytesMax: 0 } });
  n1.run(3000);
  const read = vi.spyOn(store, 'read').mockImplementation(() => {
    throw new Error('the checksum is wrong');
  });
  expect(n1.node.dataAt(2)).toBeNull();
  read.mockRestore();
  n1.run(200_000, () => n1.status.firstIndex > 2);
  expect(n1.status.firstIndex).toBe(3);
});

it('a term that leaves no room for a successor is refused and not adopted', () => {
  const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'));
  const { term } = n1.status;
  const last = 2 ** 53 - 1;
  expect(n1.request(voteFrom('n2', last, 99, 99, true))).toMatchObject({ kind: 'error', message: 'impossible term' });
  expect(n1.request(appendFrom('n2', { term: last }))).toMatchObject({ kind: 'error' });
  expect(n1.status).toMatchObject({ term, role: 'leader' });
});

it.each([
  ['a vote request in an impossible term', (id: string) => ({ ...voteFrom(id, 2 ** 53 - 1, 9, 9), address: id })],
  ['TimeoutNow of a nonvoter', (id: string) => timeoutNowFrom(id)],
])('however often %s comes, it is told now and then, and shortly', (_, request) => {
  const id = '\u0001'.repeat(65_536);
  const { servers } = voters('n1', 'n2', 'n3');
  const nonvoter = { id, address: id, suffrage: Suffrage.nonvoter };
  const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, { servers: [...servers, nonvoter] })]) });
  const told = () => n1.notices.filter(({ kind }) => kind === 'warning');
  for (let each = 0; each < 100; each += 1) n1.request(request(id));
  expect(told()).toHaveLength(1);
  n1.run(10_000);
  n1.request(request(id));
  expect(told()).toHaveLength(2);
  expect(JSON.stringify(told()).length).toBeLessThan(2 * 2 * 256 * '\\u0001'.length + 500);
});

it('an alarm holds no more than the beginning of what a peer calls itself', () => {
  const n1 = new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3'))]) });
  n1.request(heartbeatFrom('x'.repeat(65_536), 3));
  const alarm = n1.notices.find(({ kind }) => kind === 'alarm');
  expect(alarm).toMatchObject({ alarm: 'stranger', fields: { server: 'x'.repeat(256) } });
});

it('a server with a new store says once that it waits for a leader', () => {
  const n1 = new LoneNode();
  expect(n1.node.nextDeadlineMs(), 'it asks to be woken for it').toBeLessThanOrEqual(2000);
  n1.run(10_000);
  const warnings = n1.notices.filter((notice) => notice.kind === 'warning');
  expect(warnings).toMatchObject([{ message: expect.stringContaining('the store is new') }]);
});
