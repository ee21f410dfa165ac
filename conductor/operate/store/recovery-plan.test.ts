import { describe, expect, test } from 'vitest';
import { Suffrage, type Configuration } from '#conductor/core/raft/types';
import { planRecovery, type Situation } from './recovery-plan.ts';
import type { StoreReport } from './store-report.ts';
import type { Survivor } from './survey.ts';
import { votersOf } from './testing/stores.ts';

interface Facts extends Partial<StoreReport> {
  readonly kind?: Survivor['kind'];
  readonly configuration?: Configuration;
}

function survivor(serverId: string, { kind = 'store', configuration = votersOf(3), ...facts }: Facts = {}): Survivor {
  const report: StoreReport = {
    serverId,
    format: 1,
    term: 3,
    votedTerm: 3,
    isRecovering: false,
    firstIndex: 1,
    lastIndex: 10,
    lastTerm: 3,
    snapshotIndex: 0,
    membership: { index: 1, configuration },
    head: null,
    ...facts,
  };
  return { path: `/stores/${serverId}`, kind, report };
}

const plan = (survivors: readonly Survivor[], more: Partial<Situation> = {}) =>
  planRecovery({ survivors, answering: [], address: null, ...more });

const refusal = (outcome: ReturnType<typeof plan>) => (outcome.kind === 'refused' ? outcome.message : outcome.kind);

describe('a lost majority', () => {
  test('one surviving disk of three becomes the only voter, in a term beyond its own', () => {
    expect(plan([survivor('n2')])).toMatchObject({
      kind: 'planned',
      index: 11,
      term: 4,
      configuration: { servers: [{ id: 'n2', address: '127.0.0.1:2', suffrage: Suffrage.voter }] },
      dropped: [{ id: 'n1' }, { id: 'n3' }],
    });
  });

  test('the highest last term wins over the longest log, then the longest log; the term goes beyond all', () => {
    const five = votersOf(5);
    const long = survivor('n1', { configuration: five, lastTerm: 3, lastIndex: 99, term: 8 });
    const late = survivor('n2', { configuration: five, lastTerm: 4, lastIndex: 5 });
    expect(plan([long, late])).toMatchObject({ kind: 'planned', chosen: { path: '/stores/n2' }, term: 9, index: 6 });
    const longer = survivor('n1', { configuration: five, lastTerm: 4, lastIndex: 6 });
    expect(plan([late, longer])).toMatchObject({ chosen: { path: '/stores/n1' } });
  });

  test('a term that no election can have reached is left behind, also where every disk is sound', () => {
    const forged = 2 ** 52;
    const three = ['n1', 'n2', 'n3'].map((id) => survivor(id, { term: forged }));
    expect(plan(three)).toMatchObject({ kind: 'planned', term: 4, dropped: [{ id: 'n2' }, { id: 'n3' }] });
    expect(plan([survivor('n1', { term: forged }), survivor('n2', { term: 8 })])).toMatchObject({ term: 9 });
    expect(plan([survivor('n1', { term: 1_000_003 })])).toMatchObject({ term: 1_000_004 });
    const alone = { servers: [votersOf(3).servers[0]!] };
    expect(plan([survivor('n1', { term: forged, configuration: alone })])).toMatchObject({ kind: 'planned', term: 4 });
    expect(refusal(plan(three, { answering: ['n3'] }))).toMatch(/majority is not lost/);
  });

  test('a server may get another address', () => {
    const outcome = plan([survivor('n2')], { address: 'new-host:50050' });
    expect(outcome).toMatchObject({ configuration: { servers: [{ id: 'n2', address: 'new-host:50050' }] } });
  });

  test('a store that is alone already is done, unless it was restored and would wait for ever', () => {
    const alone = { servers: votersOf(1).servers };
    expect(plan([survivor('n1', { configuration: alone })]).kind).toBe('done');
    expect(plan([survivor('n1', { configuration: alone, isRecovering: true })]).kind).toBe('planned');
    expect(plan([survivor('n1', { configuration: alone })], { address: 'moved:1' }).kind).toBe('planned');
  });
});

describe('refused', () => {
  test('while a majority can still vote: two directories of three, or one and a server that answers', () => {
    expect(refusal(plan([survivor('n1'), survivor('n2')]))).toMatch(/majority is not lost.*n1 and n2 can still vote/);
    expect(refusal(plan([survivor('n1')], { answering: ['n3'] }))).toMatch(/majority is not lost.*n1 and n3/);
    expect(refusal(plan([survivor('n1')], { answering: ['n2', 'n3'] }))).toMatch(/majority is not lost/);
  });

  test('a server with a restored or new store, and a backup, cannot vote and do not count', () => {
    expect(plan([survivor('n1'), survivor('n2', { isRecovering: true })]).kind).toBe('planned');
    expect(plan([survivor('n1'), survivor('n2', { kind: 'backup' })]).kind).toBe('planned');
  });

  test('while any other member answers, even without a majority', () => {
    const five = survivor('n1', { configuration: votersOf(5) });
    expect(refusal(plan([five], { answering: ['n4'] }))).toMatch(/n4 still answers.*Stop it.*--lost/);
  });

  test('where the most is held by a backup or by op-conductor', () => {
    const backup = survivor('n2', { kind: 'backup', lastIndex: 11 });
    expect(refusal(plan([survivor('n1'), backup]))).toMatch(/backup.*holds more.*conductor restore/);
    const go = survivor('n1', { kind: 'op-conductor', format: null });
    expect(refusal(plan([go]))).toMatch(/conductor import/);
  });

  test('for stores of two clusters', () => {
    const other = { servers: votersOf(3).servers.map((server) => ({ ...server, id: `other-${server.id}` })) };
    const stranger = survivor('other-n1', { configuration: other, lastIndex: 99 });
    expect(refusal(plan([survivor('n1'), stranger]))).toMatch(/stores of two clusters/);
    const empty = survivor('n2', { configuration: { servers: [] }, lastIndex: 0, lastTerm: 0, isRecovering: true });
    expect(plan([survivor('n1'), empty]).kind).toBe('planned');
  });

  test('for a server that was removed, and one that never was in a cluster', () => {
    expect(refusal(plan([survivor('n9')]))).toMatch(/does not name n9/);
    expect(refusal(plan([survivor('n1', { configuration: { servers: [] } })]))).toMatch(/never belonged/);
    expect(refusal(plan([]))).toMatch(/No store was named/);
  });
});
