import { describe, expect, it } from 'vitest';
import { ChangeLog } from './changes.ts';
import type { ClusterEvent } from './cluster-event.ts';
import type { ClusterView, NodeView } from './view.ts';

const START = 1_800_000_000_000;
const process = { state: 'running', sinceMs: START, reason: '' } as const;

function node(index: number, changes: Partial<NodeView> = {}): NodeView {
  return {
    index,
    id: `node-${index + 1}`,
    conductor: process,
    sequencer: process,
    role: index === 0 ? 'leader' : 'follower',
    term: 2,
    commitIndex: 1,
    appliedIndex: 1,
    head: head(1),
    client: { number: 7, losses: 0, refusals: 0, lastRefused: null },
    isSequencing: index === 0,
    isHealthy: true,
    isPaused: false,
    commitSeconds: null,
    ...changes,
  };
}

function head(number: number, hash = `0x${number.toString(16).padStart(64, '0')}`): NodeView['head'] {
  return { number, hash, timestamp: START / 1000 + number };
}

function view(afterMs: number, ...changes: Partial<NodeView>[]): ClusterView {
  return { atMs: START + afterMs, nodes: [0, 1, 2].map((index) => node(index, changes[index])), members: null };
}

function texts(events: readonly ClusterEvent[], kind?: ClusterEvent['kind']): string[] {
  return events.filter((event) => kind === undefined || event.kind === kind).map((event) => event.text);
}

describe('what is said about a devnet', () => {
  it('names a new leader once, with its term and its predecessor', () => {
    const log = new ChangeLog(1);
    expect(texts(log.advance(view(0)), 'leader')).toEqual(['node-1 leads in term 2']);
    expect(texts(log.advance(view(250)), 'leader')).toEqual([]);
    const next = view(500, { role: null }, { role: 'leader', term: 3 });
    expect(texts(log.advance(next), 'leader')).toEqual(['node-2 leads in term 3, before it node-1']);
  });

  it('believes the higher term while an old leader has not noticed', () => {
    const log = new ChangeLog(1);
    log.advance(view(0));
    const both = view(250, {}, { role: 'leader', term: 3 });
    expect(texts(log.advance(both), 'leader')).toEqual(['node-2 leads in term 3, before it node-1']);
  });

  it('says that nobody leads only when that lasts, and once', () => {
    const log = new ChangeLog(1);
    log.advance(view(0));
    const none = [{ role: null }, { role: null }, { role: null }];
    expect(texts(log.advance(view(250, ...none)), 'leader')).toEqual([]);
    expect(texts(log.advance(view(500, ...none)), 'leader')).toEqual(['nobody leads']);
    expect(texts(log.advance(view(750, ...none)), 'leader')).toEqual([]);
    expect(texts(log.advance(view(1000)), 'leader')).toEqual(['node-1 leads in term 2']);
  });

  it('measures the gap when blocks go on, and none at the usual pace', () => {
    const log = new ChangeLog(1);
    log.advance(view(0));
    expect(texts(log.advance(view(1100, { head: head(2) })))).toEqual(['block 2']);
    expect(texts(log.advance(view(3600, { head: head(3) })))).toEqual(['block 3', 'no block for 2.5 s, then block 3']);
  });

  it('raises a fork when two hashes are seen at one height, whenever that is', () => {
    const log = new ChangeLog(1);
    log.advance(view(0, { head: head(5) }, { head: head(4) }, { head: head(4) }));
    const other = view(250, { head: head(6) }, { head: head(5, `0x${'ee'.repeat(32)}`) }, { head: head(4) });
    expect(texts(log.advance(other), 'fork')).toEqual(['two blocks at height 5: 0x00000000 and 0xeeeeeeee on node-2']);
  });

  it('remembers what it knew of a node that was silent meanwhile', () => {
    const log = new ChangeLog(1);
    log.advance(view(0));
    log.advance(view(250, { isPaused: null }));
    expect(texts(log.advance(view(500, { isPaused: true })))).toEqual(['node-1 is paused']);
  });

  it('says who left the cluster, once, and nothing while nobody can say', () => {
    const log = new ChangeLog(1);
    const three = { version: 4, servers: new Map([1, 2, 3].map((number) => [`node-${number}`, true])) };
    const two = { version: 6, servers: new Map([1, 2].map((number) => [`node-${number}`, true])) };
    const membership = (members: ClusterView['members']): string[] =>
      texts(log.advance({ ...view(0), members }), 'membership');
    expect(membership(null)).toEqual([]);
    expect(membership(three)).toEqual([]);
    expect(membership(null)).toEqual([]);
    expect(membership(two)).toEqual(['node-3 was removed from the cluster']);
    expect(membership(two)).toEqual([]);
  });

  it('says changes of sequencing, health and pause, but not of what was unknown', () => {
    const log = new ChangeLog(1);
    log.advance(view(0, {}, { isHealthy: null }));
    const events = log.advance(
      view(250, { isSequencing: false, isHealthy: false, isPaused: true }, { isHealthy: true }),
    );
    expect(texts(events)).toEqual(['node-1 stopped sequencing at block 1', 'node-1 is unhealthy', 'node-1 is paused']);
  });

  it('says what an execution client refuses and loses, once, with the block', () => {
    const log = new ChangeLog(1);
    log.advance(view(0));
    const lastRefused = { number: 8, hash: `0xabcdef12${'0'.repeat(56)}`, reason: 'invalid merkle root' };
    const refusing = { number: 7, losses: 0, refusals: 1, lastRefused };
    const refused = log.advance(view(250, { client: refusing }));
    expect(texts(refused)).toEqual(["node-1's execution client refuses block 8 (0xabcdef12): invalid merkle root"]);
    expect(refused[0]).toMatchObject({ kind: 'execution', fields: { node: 'node-1', number: 8 } });
    expect(log.advance(view(500, { client: refusing }))).toEqual([]);
    const lost = { number: 0, losses: 1, refusals: 1, lastRefused: null };
    expect(texts(log.advance(view(750, { client: lost })))).toEqual([
      "node-1's execution client lost its head: it is at block 0",
    ]);
  });
});
