import { expect, test } from 'vitest';
import type { ClusterView, ServerView } from '#conductor/operate/cluster-view';
import type { LaneChange } from './protocol.ts';
import { ServerWatch } from './server-watch.ts';

function watched(): { readonly server: ServerWatch; readonly lane: LaneChange[] } {
  const lane: LaneChange[] = [];
  const server = new ServerWatch({ id: 'a', zone: '', laneChanged: (change) => void lane.push(change) });
  server.take('role', { role: 'leader', term: 4 }, 1000);
  return { server, lane };
}

test('a leader that says nothing any more leads until another does in a later term', () => {
  const { server, lane } = watched();
  server.overtaken(5, 2000);
  expect(server.state.role).toBeNull();
  expect(lane.map(({ atMs, state: { role } }) => [atMs, role])).toEqual([
    [1000, 'leader'],
    [2000, null],
  ]);
});

test('an election of an earlier term, read late, takes nothing from it', () => {
  const { server } = watched();
  server.overtaken(3, 2000);
  server.overtaken(4, 2000);
  expect(server.state.role).toBe('leader');
});

test('a look that began before another led does not bring its leadership back', () => {
  const { server } = watched();
  const conductor = { claimsLeader: true, leaderId: 'a', isOverridden: false, isHealthy: true, isPaused: false };
  const seen = {
    id: 'a',
    isNamed: true,
    conductor,
    node: null,
    whyNodeSilent: '',
    term: null,
  } as unknown as ServerView;
  const view: ClusterView = { atMs: 3000, servers: [seen] };
  const beganMs = Date.now() - 1;
  server.overtaken(5, 2000);
  server.look(view, seen, beganMs);
  expect(server.state.role).toBeNull();
  server.look(view, seen, Date.now() + 1);
  expect(server.state.role).toBe('leader');
});
