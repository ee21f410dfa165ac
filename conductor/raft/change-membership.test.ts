import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import { voter, voters } from './testing/messages.ts';

const N3 = { kind: 'addServer', ...voter('n3'), previousIndex: 0 } as const;

describe('a new voter is staged', () => {
  it('its deadline waits for a hand-over that fails, without spinning', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2'), { raft: { requestTimeoutMs: 500, electionTimeoutMs: 1000 } });
    const id = n1.command(N3);
    n1.run(400, () => (n1.acknowledgeAll(['n3']), false));
    n1.command({ kind: 'transfer', target: 'n2' });
    n1.acknowledgeAll(['n3']);
    n1.run(900, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.has(id)).toBe(false);
    n1.run(200, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-caught-up' });
  });
});

describe('a server that is removed and comes back', () => {
  it('starts from nothing: late answers of its former self neither count nor stop its heartbeats', () => {
    const n1 = LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { stageVoters: false } });
    n1.run(200, () => n1.sent.some(({ channel, peerId }) => channel === 'heartbeat' && peerId === 'n3'));
    const removal = n1.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
    const [late] = n1.take('append', 'n3');
    const [lateHeartbeat] = n1.take('heartbeat', 'n3');
    n1.acknowledgeAll();
    expect(n1.results.get(removal)!.kind).toBe('done');
    n1.command({ ...N3, suffrage: 1 });
    n1.acknowledge(late!);
    n1.acknowledge(lateHeartbeat!);
    expect(n1.status.peers.find(({ id }) => id === 'n3')!.match).toBe(0);
    n1.run(400, () => (n1.acknowledgeAll(['n3']), false));
    expect(n1.take('heartbeat', 'n3')).toHaveLength(1);
  });
});
