import { expect, it } from 'vitest';
import { blankPeerStatus, encodePeerStatus } from '../wire/peer-status.ts';
import { LoneNode } from './testing/lone-node.ts';
import { voters } from './testing/messages.ts';

const status = encodePeerStatus(blankPeerStatus('test'));

/** A leader of three; n3 refuses connections where `isAlone`, and answers otherwise. n2 answers while `isAnswering`. */
class Leader {
  readonly lone = LoneNode.nativeLeader(voters('n1', 'n2', 'n3'), status);
  isAnswering = true;
  isAlone = true;

  run(ms: number): string {
    for (let at = 0; at < ms; at += 10) {
      this.lone.nowMs += 10;
      this.lone.handle({ kind: 'tick' });
      for (const message of [...this.lone.take('heartbeat', 'n3'), ...this.lone.take('append', 'n3')])
        if (this.isAlone) this.lone.fail(message, 'refused');
      if (!this.isAnswering) continue;
      for (const message of this.lone.take('append', 'n2')) this.lone.acknowledge(message, status);
      for (const message of this.lone.take('heartbeat', 'n2')) this.lone.acknowledge(message);
    }
    return this.lone.status.role;
  }
}

it('a leader whose only follower writes for 900 ms stays: without that one nobody else could be elected', () => {
  const leader = new Leader();
  leader.run(5000);
  const id = leader.lone.propose('block');
  leader.isAnswering = false;
  expect(leader.run(900)).toBe('leader');
  leader.isAnswering = true;
  leader.run(200);
  expect(leader.lone.results.get(id)).toMatchObject({ kind: 'done' });
});

it('but not for longer than an election timeout, nor where it has nothing to write', () => {
  const long = new Leader();
  long.run(5000);
  long.lone.propose('block');
  long.isAnswering = false;
  expect(long.run(1200)).toBe('follower');
  const idle = new Leader();
  idle.run(5000);
  idle.isAnswering = false;
  expect(idle.run(700)).toBe('follower');
});

it('nor where the third server is there: then it is this one that hears nothing', () => {
  const leader = new Leader();
  leader.isAlone = false;
  for (const message of leader.lone.take('append', 'n3')) leader.lone.acknowledge(message, status);
  leader.lone.propose('block');
  leader.isAnswering = false;
  expect(leader.run(700)).toBe('follower');
});

it('and takes no change of its members meanwhile, which nobody could commit', () => {
  const leader = new Leader();
  leader.run(5000);
  leader.lone.propose('block');
  leader.isAnswering = false;
  expect(leader.run(700)).toBe('leader');
  const id = leader.lone.command({ kind: 'removeServer', id: 'n3', previousIndex: 0 });
  expect(leader.lone.results.get(id)).toMatchObject({ kind: 'refused', reason: 'not-ready' });
});

it('a read is refused where the heartbeats are answered and no entry of the term gets through', () => {
  const lone = LoneNode.leader(voters('n1', 'n2', 'n3'));
  const stuck = new LoneNode({ store: lone.store });
  stuck.elect();
  const id = stuck.command({ kind: 'read' });
  for (let at = 0; at < 5100; at += 10) {
    stuck.nowMs += 10;
    stuck.handle({ kind: 'tick' });
    for (const message of stuck.take('heartbeat')) stuck.acknowledge(message);
    if (at === 4900) expect(stuck.results.has(id)).toBe(false);
  }
  expect(stuck.status.role).toBe('leader');
  expect(stuck.results.get(id)).toMatchObject({ kind: 'refused', reason: 'timeout' });
});
