import { describe, expect, test } from 'vitest';
import { Cluster } from './cluster.ts';
import type { LocalStates, Outcome } from './local-states.ts';
import { scopes } from './scope.ts';

type Going = Extract<Outcome, { readonly kind: 'state' }>;

function going(outcome: Outcome | undefined): Going {
  if (outcome?.kind !== 'state') throw new Error(`no state came of it: ${JSON.stringify(outcome)}`);
  return outcome;
}

function fresh(): { readonly locals: LocalStates; readonly start: number } {
  const cluster = new Cluster(scopes.base);
  return { locals: cluster.locals, start: cluster.start()[0]! };
}

const vote = { protocolVersion: 3, id: 'n0', address: 'n0:1', kind: 'vote', term: 2 } as const;

/** A server that has won an election with the vote of the next one, and what came of that vote. */
function elected() {
  const { locals, start } = fresh();
  const candidate = going(locals.take(start, { kind: 'handOver' }).whole);
  const grant = locals.messages.number({ ...vote, granted: true });
  const { whole, cut } = locals.take(candidate.next, { kind: 'response', from: 1, lane: 'vote', message: grant });
  return { locals, candidate, whole: going(whole), cut: cut.map(going) };
}

describe('one server', () => {
  test('votes for itself durably before anybody hears of it', () => {
    const { locals, start } = fresh();
    const { whole, cut } = locals.take(start, { kind: 'handOver' });
    expect(going(whole).sent.map(({ to, lane }) => `${to} ${lane}`)).toEqual(['1 vote', '2 vote']);
    expect(locals.get(going(whole).next)).toMatchObject({ role: 'candidate', term: 2 });
    expect(cut.map((outcome) => going(outcome).sent)).toEqual([[]]);
    const died = locals.get(going(cut[0]).next);
    expect(died).toMatchObject({ role: 'follower', term: 2, log: ['1.5'], deeds: { votes: new Map() } });
  });

  test('that becomes leader may die when its first entry has left and is not durable, or is', () => {
    const { locals, whole, cut } = elected();
    expect(locals.get(whole.next)).toMatchObject({ role: 'leader', log: ['1.5', '2.1'], deeds: { led: [2] } });
    expect(whole.sent.map(({ to, lane }) => `${to} ${lane}`)).toEqual(['1 replicate', '2 replicate']);
    expect(cut.map(({ sent }) => sent)).toEqual([whole.sent, whole.sent]);
    expect(cut.map(({ next }) => locals.get(next).log)).toEqual([['1.5'], ['1.5', '2.1']]);
    expect(cut.map(({ next }) => locals.get(next).role)).toEqual(['follower', 'follower']);
  });

  test('that has won waits for no further votes', () => {
    const { locals, candidate, whole } = elected();
    expect(locals.get(candidate.next).waiting).toEqual([['open'], [], ['open'], []]);
    expect(locals.get(whole.next).waiting).toEqual([[], ['open'], ['over'], ['open']]);
  });

  test('dies at rest: what it had promised is kept, what it led is not', () => {
    const { locals, whole } = elected();
    const again = locals.get(locals.restart(whole.next));
    expect(again).toMatchObject({ role: 'follower', term: 2, log: ['1.5', '2.1'], commitIndex: 0 });
    expect(again.deeds).toEqual({ votes: new Map([[2, 0]]), led: [2] });
  });

  test('is mirrored with everything it owes to its peers', () => {
    const { locals, start } = fresh();
    const { lastLogIndex, lastLogTerm } = { lastLogIndex: 1, lastLogTerm: 1 };
    const asked = { ...vote, candidate: 'n0:1', lastLogIndex, lastLogTerm, leadershipTransfer: false };
    const message = locals.messages.number(asked);
    const { whole } = locals.take(start, { kind: 'request', from: 1, lane: 'vote', message });
    const voted = going(whole).next;
    const mirror = locals.mirror(voted);
    expect(locals.get(voted).deeds.votes).toEqual(new Map([[2, 1]]));
    expect(locals.get(mirror).deeds.votes).toEqual(new Map([[2, 2]]));
    expect(locals.mirror(mirror)).toBe(voted);
    expect(locals.mirror(start)).toBe(start);
    const other = locals.take(start, { kind: 'request', from: 2, lane: 'vote', message });
    expect(going(other.whole).next).toBe(mirror);
  });

  test('is asked once for what comes of an input', () => {
    const { locals, start } = fresh();
    const first = locals.take(start, { kind: 'handOver' });
    const { handled, size } = locals;
    expect(locals.take(start, { kind: 'handOver' })).toBe(first);
    expect({ handled: locals.handled, size: locals.size }).toEqual({ handled, size });
  });
});
