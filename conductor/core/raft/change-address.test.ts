import { describe, expect, it } from 'vitest';
import { TestCluster } from './testing/cluster.ts';
import { LoneNode } from './testing/lone-node.ts';
import { ballot, heartbeatFrom, voter, voters } from './testing/messages.ts';
import type { RpcResponse } from './types.ts';

const THREE = voters('n1', 'n2', 'n3');
const MOVE = { kind: 'addServer', ...voter('n3'), address: 'n3:2', previousIndex: 0 } as const;

describe('a change of address (rule 32)', () => {
  it('asks at the new address first, appends nothing meanwhile, and goes on when the right server answers', () => {
    const n1 = LoneNode.leader(THREE);
    const { lastIndex } = n1.status;
    const id = n1.command(MOVE);
    const [asked, ...others] = n1.take('prevote');
    expect(asked).toMatchObject({ peerId: 'n3', address: 'n3:2', request: { term: 1 } });
    expect(others).toEqual([]);
    expect(n1.status.lastIndex).toBe(lastIndex);
    const other = n1.command({ kind: 'removeServer', id: 'n2', previousIndex: 0 });
    expect(n1.results.get(other)).toMatchObject({ kind: 'refused', reason: 'change-in-progress' });
    n1.answer(asked!, ballot('n3', 'prevote', 2, false));
    expect(n1.status.configuration.configuration.servers).toContainEqual({ ...voter('n3'), address: 'n3:2' });
    n1.acknowledgeAll();
    expect(n1.results.get(id)).toMatchObject({ kind: 'done' });
  });

  it.each<[string, RpcResponse | 'timeout', RegExp]>([
    ['another member', ballot('n2', 'prevote', 2, false), /server n2 answered there/],
    ['this server itself', ballot('n1', 'prevote', 2, false), /server n1 answered there/],
    ['somebody without an id', { ...ballot('n3', 'prevote', 2, false), id: null }, /server without an id answered/],
    ['an error', { kind: 'error', message: 'what?' }, /what\?/],
    ['silence', 'timeout', /nobody answered there/],
  ])('is refused when the answer is that of %s, and the connections to the member stay', (_, answer, why) => {
    const n1 = LoneNode.leader(THREE);
    const { lastIndex } = n1.status;
    const id = n1.command(MOVE);
    const asked = n1.take('prevote')[0]!;
    if (answer === 'timeout') n1.fail(asked, answer);
    else n1.answer(asked, answer);
    const message = expect.stringMatching(why) as string;
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'unreachable', message });
    expect(n1.status).toMatchObject({ lastIndex, role: 'leader' });
    expect(n1.forgotten).toEqual([]);
    expect(n1.notices.some(({ kind }) => kind === 'alarm')).toBe(false);
    n1.command({ kind: 'removeServer', id: 'n2', previousIndex: 0 });
    expect(n1.status.lastIndex).toBe(lastIndex + 1);
  });

  it('is refused with the leadership, and a late answer changes nothing', () => {
    const n1 = LoneNode.leader(THREE);
    const id = n1.command(MOVE);
    const asked = n1.take('prevote')[0]!;
    n1.request(heartbeatFrom('n2', 3));
    expect(n1.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-leader' });
    const { lastIndex } = n1.status;
    n1.answer(asked, ballot('n3', 'prevote', 2, false));
    expect(n1.status.lastIndex).toBe(lastIndex);
  });

  it('that changes nothing needs no answer', () => {
    const n1 = LoneNode.leader(THREE);
    n1.command({ ...MOVE, address: 'n3:1' });
    expect(n1.take('prevote')).toEqual([]);
  });
});

describe('two voters, one of them moved to an address that is not its own (rule 32)', () => {
  it.each(['n1', 'n2'])('and leads to %s, or to nobody: refused, and the cluster goes on', async (leader) => {
    const other = leader === 'n1' ? 'n2' : 'n1';
    const cluster = await TestCluster.form({ size: 2 });
    cluster.command('n1', { kind: 'transfer', target: leader });
    cluster.runUntil(() => cluster.leader() === leader);
    cluster.run(200);
    for (const to of [null, leader]) {
      if (to !== null) cluster.mislead(leader, 'elsewhere:1', to);
      const move = { kind: 'addServer', ...voter(other), address: 'elsewhere:1', previousIndex: 0 } as const;
      const id = cluster.command(leader, move);
      cluster.runUntil(() => cluster.results.has(id), 3000);
      expect(cluster.results.get(id)).toMatchObject({ kind: 'refused', reason: 'unreachable' });
      const proposal = cluster.propose(leader, `after ${to}`);
      cluster.runUntil(() => cluster.results.get(proposal)?.kind === 'done', 1000);
    }
  });

  it('one that listens at its new address is moved', async () => {
    const cluster = await TestCluster.form();
    cluster.move('n3', 'n3:2');
    const id = cluster.command('n1', { ...MOVE });
    cluster.runUntil(() => cluster.results.get(id)?.kind === 'done', 3000);
    cluster.crash('n2');
    const proposal = cluster.propose('n1', 'with the one that moved');
    cluster.runUntil(() => cluster.results.get(proposal)?.kind === 'done', 3000);
  });
});
