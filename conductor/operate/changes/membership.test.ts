import { describe, expect, it } from 'vitest';
import { membershipEvents, readMembership } from './membership.ts';
import type { MembershipView } from './membership.ts';

function members(version: number, servers: Record<string, boolean>): MembershipView {
  return { version, servers: new Map(Object.entries(servers)) };
}

describe('membership', () => {
  it('is read from what a conductor answers', () => {
    const servers = [
      { id: 'node-1', addr: '127.0.0.1:1', suffrage: 0 },
      { id: 'node-2', addr: '127.0.0.1:2', suffrage: 1 },
    ];
    expect(readMembership({ servers, version: 7 })).toEqual(members(7, { 'node-1': true, 'node-2': false }));
  });

  it.each([null, undefined, 3, {}, { servers: [] }, { servers: 'x', version: 1 }])('is unknown after %j', (answer) => {
    expect(readMembership(answer)).toBeNull();
  });

  it('is told when servers come, go, and get or lose their vote', () => {
    const before = members(7, { 'node-1': true, 'node-2': true, 'node-3': false, 'node-4': true });
    const after = members(9, { 'node-1': true, 'node-2': false, 'node-3': true, 'node-5': false });
    const events = membershipEvents(before, after, 5);
    expect(events.map((event) => event.text)).toEqual([
      'node-2 is a nonvoter now',
      'node-3 is a voter now',
      'node-5 joined the cluster as a nonvoter',
      'node-4 was removed from the cluster',
    ]);
    expect(events[3]).toMatchObject({ kind: 'membership', atMs: 5, fields: { node: 'node-4', change: 'removed' } });
    expect(membershipEvents(after, after, 6)).toEqual([]);
  });
});
