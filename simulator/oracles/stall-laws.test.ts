import { expect, it } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { RaftPosition } from '#conductor/core/raft/status';
import { Suffrage } from '#conductor/core/raft/types';
import type { Machine } from '../machine.ts';
import { stallEndsLeadership } from './stall-laws.ts';

const tick: ConductorEvent = { kind: 'tick' };

/** A server that leads term 1 at 1000 ms by its clock, beside others that vote or do not. */
function leading(others: readonly Suffrage[] = [Suffrage.voter]) {
  const complaints: string[] = [];
  const oracle = stallEndsLeadership(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = [Suffrage.voter, ...others].map((suffrage, at) => ({ id: `s${at}`, address: `s${at}:1`, suffrage }));
  const machine = {
    id: 's0',
    life: 1,
    nowMs: 1000,
    conductor: { status: () => ({ configuration: { configuration: { servers } } }) },
  };
  const turn = (atMs: number, position: Partial<RaftPosition> = {}, life = 1): void => {
    Object.assign(machine, { nowMs: atMs, life });
    oracle.handled?.(machine as unknown as Machine, tick);
    oracle.observed?.(machine as unknown as Machine, { role: 'leader', term: 1, ...position } as RaftPosition);
  };
  turn(1000);
  return { turn, complaints };
}

it('a leader that did not run for longer than the lease and is sure of its office breaks it', () => {
  const { turn, complaints } = leading();
  turn(1500, { isSure: true });
  turn(2010, { isSure: false });
  expect(complaints).toEqual([]);
  turn(2520, { isSure: true });
  expect(complaints).toEqual(['s0 is sure of leading term 1 after it did not run for 510 ms']);
});

it('so does one that did not run for longer than the others’ election timeout and goes on at all', () => {
  const { turn, complaints } = leading();
  turn(2010, { isSure: false });
  expect(complaints).toEqual(['s0 goes on leading term 1 after it did not run for 1010 ms']);
});

it('one that steps down, has been elected again, was restarted, or is the only voter does not', () => {
  const steps = leading();
  steps.turn(2000, { role: 'follower' });
  steps.turn(2900, { term: 2 });
  const restarted = leading();
  restarted.turn(2000, {}, 2);
  const alone = leading([Suffrage.nonvoter]);
  alone.turn(2000);
  expect([steps, restarted, alone].flatMap(({ complaints }) => complaints)).toEqual([]);
});
