import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboundRequest } from '#conductor/core/ports';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { EntryType, Suffrage, type AppendEntriesRequest, type RpcResponse } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { ZERO_GO_TIME } from '#conductor/core/wire/go-time';
import { Disk } from '../disk.ts';
import { propose } from './go-propose.ts';
import { GoRaft } from './go-raft.ts';
import { transfer } from './go-transfer.ts';

const HEADER = { protocolVersion: 3, id: null, address: null };
const TERM = 2;

/** n1 of three voters, whose peers answer what a test has them answer. */
class Leader {
  nowMs = 0;
  readonly #raft: GoRaft;
  readonly #disk = new Disk();
  #sent: OutboundRequest[] = [];

  constructor() {
    const servers = ['n1', 'n2', 'n3'].map((id) => ({ id, address: `${id}:1`, suffrage: Suffrage.voter }));
    const data = encodeConfiguration({ servers });
    const first = { index: 1, term: 1, data, type: EntryType.configuration, extensions: null };
    this.#disk.write({
      entries: [{ entry: { ...first, appendedAt: ZERO_GO_TIME }, summary: null }],
      hardState: { term: 1, votedTerm: 0, votedFor: null, recovering: false },
    });
    this.#raft = new GoRaft({ ...RAFT_DEFAULTS, id: 'n1', address: 'n1:1' }, this.#disk, { next: () => 0.5 }, 0);
    this.wait(2000);
    this.#grant('prevote');
    this.#grant('vote');
  }

  get state() {
    return this.#raft.state;
  }

  /** What was sent since this was last asked, of a kind. */
  take(kind: string, to?: string): OutboundRequest[] {
    const isWanted = ({ request, peerId }: OutboundRequest): boolean =>
      request.kind === kind && (to === undefined || peerId === to);
    const taken = this.#sent.filter(isWanted);
    this.#sent = this.#sent.filter((message) => !isWanted(message));
    return taken;
  }

  /** The next append to a peer that is no heartbeat. */
  takeAppend(to: string): OutboundRequest & { readonly request: AppendEntriesRequest } {
    const append = this.take('append', to).find(({ channel }) => channel === 'replicate');
    expect(append, `an append to ${to}`).toBeDefined();
    return append as OutboundRequest & { readonly request: AppendEntriesRequest };
  }

  answer({ requestId }: OutboundRequest, response: RpcResponse | null): void {
    const event =
      response === null
        ? ({ kind: 'failed', requestId, reason: 'reset', message: '' } as const)
        : ({ kind: 'response', requestId, response } as const);
    this.#raft.handle(event);
    this.settle();
  }

  accept(message: OutboundRequest): void {
    this.answer(message, { ...HEADER, kind: 'append', term: TERM, lastLog: 0, success: true, noRetryBackoff: false });
  }

  settle(): void {
    this.#raft.tick(this.nowMs);
    for (let ready = this.#raft.ready(); !ready.isEmpty; ready = this.#raft.ready()) {
      if (ready.write !== null) this.#disk.write(ready.write);
      this.#sent.push(...ready.send);
      this.#raft.persisted(this.nowMs);
    }
  }

  wait(ms: number): void {
    const untilMs = this.nowMs + ms;
    while (this.#raft.nextDeadlineMs() <= untilMs) {
      this.nowMs = Math.max(this.nowMs, this.#raft.nextDeadlineMs());
      this.settle();
    }
    this.nowMs = untilMs;
  }

  #grant(kind: 'prevote' | 'vote'): void {
    const [message] = this.take(kind);
    this.answer(message!, { ...HEADER, kind, term: TERM, granted: true });
  }
}

describe('an op-conductor that leads', () => {
  let leader: Leader;

  beforeEach(() => {
    leader = new Leader();
    expect(leader.state.role).toBe('leader');
    leader.accept(leader.takeAppend('n2'));
  });

  it('commits by what was sent in an append that was taken, and by no other answer', () => {
    expect(leader.state.commitIndex).toBe(2);
    propose(leader.state, EntryType.barrier, null, () => undefined);
    leader.settle();
    for (const heartbeat of leader.take('append', 'n3').filter(({ channel }) => channel === 'heartbeat'))
      leader.accept(heartbeat);
    expect(leader.state.commitIndex).toBe(2);
    leader.accept(leader.takeAppend('n2'));
    expect(leader.state.commitIndex).toBe(3);
  });

  it('never lowers what it counts as held, also where the log of a follower is empty again', () => {
    leader.wait(100);
    const empty = { lastLog: 0, success: false, noRetryBackoff: true };
    leader.answer(leader.takeAppend('n2'), { ...HEADER, kind: 'append', term: TERM, ...empty });
    leader.wait(100);
    leader.answer(leader.takeAppend('n2'), { ...HEADER, kind: 'append', term: TERM, ...empty });
    expect(leader.takeAppend('n2').request.prevLogIndex).toBe(0);
    expect(leader.state.leading?.matches.get('n2')).toBe(2);
  });

  it('sends 64 entries at once, and the commit index whatever the request covers', () => {
    for (let each = 0; each < 100; each++) propose(leader.state, EntryType.barrier, null, () => undefined);
    leader.settle();
    const first = leader.takeAppend('n3');
    expect(first.request.entries).toHaveLength(1);
    leader.accept(first);
    const batch = leader.takeAppend('n3');
    expect(batch.request.entries).toHaveLength(64);
    expect(batch.request.leaderCommit).toBe(leader.state.commitIndex);
  });

  it('steps down when nobody has answered within the lease, and tells who waits', () => {
    const ended: string[] = [];
    propose(leader.state, EntryType.barrier, null, (problem) => ended.push(problem));
    leader.settle();
    leader.wait(499);
    expect(leader.state.role).toBe('leader');
    leader.wait(100);
    expect(leader.state.role).toBe('follower');
    expect(ended).toEqual(['leadership lost while committing log']);
  });

  it('tells its target to campaign once that has the whole log, and takes no entries meanwhile', () => {
    propose(leader.state, EntryType.barrier, null, () => undefined);
    transfer(leader.state, 'n2', () => undefined);
    leader.settle();
    expect(leader.take('timeoutNow')).toEqual([]);
    leader.accept(leader.takeAppend('n2'));
    expect(leader.take('timeoutNow').map(({ peerId }) => peerId)).toEqual(['n2']);
    const ended: string[] = [];
    propose(leader.state, EntryType.barrier, null, (problem) => ended.push(problem));
    expect(ended).toEqual(['leadership transfer in progress']);
  });

  it('waits longer after each append that fails, beginning with the third', () => {
    const waits: number[] = [];
    for (let each = 0; each < 5; each++) {
      leader.wait(1000 / 6);
      const message = leader.takeAppend('n3');
      leader.accept(leader.takeAppend('n2'));
      leader.answer(message, null);
      waits.push((leader.state.leading?.replicas.get('n3')?.retryAtMs ?? 0) - leader.nowMs);
    }
    expect(waits).toEqual([10, 10, 20, 40, 80]);
  });
});
