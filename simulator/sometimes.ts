/**
 * Sometimes-assertions: what ought to happen now and then in enough runs, or the runs do not reach it. Counted,
 * printed by the soak, and demanded of the fixed budget of `npm test`.
 */
import type { Block } from './blocks.ts';
import type { Machine } from './machine.ts';
import type { Oracle } from './oracles/oracle.ts';
import type { World } from './world.ts';

/** An election this soon after the leader's end did not wait for the heartbeat timeout. */
const FAST_MS = 500;

/** Everything that may be counted, in words. */
export const sometimesNames = [
  'leadership is handed on during a partition',
  'two servers believe that they lead',
  'a leader steps down in its own term',
  'a leader is elected within half a second of the end of the last',
  'a snapshot is installed',
  'a snapshot is installed after a disk was lost',
  'a new store becomes a voter again',
  'two or more blocks are posted to a node that lags',
  'a commit left in doubt is acknowledged later',
  'a commit left in doubt is in the log after all',
  'the committed chain moves back with the rollup',
  'a payload above a gap is accepted',
  'an operator overrides the leader',
  'the availability of a run is judged',
  'a linearizable read is judged',
  'leadership is kept through a fault of another',
  'leadership is handed over past one that is known to be unfit',
] as const;

export type SometimesName = (typeof sometimesNames)[number];

const counters: Readonly<Record<string, SometimesName>> = {
  rollbacks_total: 'the committed chain moves back with the rollup',
  payload_gaps_total: 'a payload above a gap is accepted',
};

/** What counts them over one run. */
export function watchForSometimes(count: (name: SometimesName) => void): Oracle {
  let world: World | null = null;
  const states = new Map<Machine, { role: string; term: number; isRecovering: boolean }>();
  const wiped = new Set<Machine>();
  const inDoubt = new Set<Block>();
  let leaderEndedAtMs = -Infinity;
  return {
    goesByPosition: true,
    watch: (watched) => {
      world = watched;
    },
    wiped: (machine) => void wiped.add(machine),
    ended: (machine) => {
      if (states.get(machine)?.role === 'leader') leaderEndedAtMs = machine.worldMs;
      states.delete(machine);
    },
    handles: ['request'],
    handled: (machine, event) => {
      if (event.kind !== 'request') return;
      if (event.request.kind === 'timeoutNow' && world?.links.isAnyCut === true)
        count('leadership is handed on during a partition');
      if (event.request.kind !== 'snapshot') return;
      count('a snapshot is installed');
      if (wiped.has(machine)) count('a snapshot is installed after a disk was lost');
    },
    observed: (machine, { role, term, isRecovering }) => {
      const before = states.get(machine);
      if (before === undefined) return void states.set(machine, { role, term, isRecovering });
      if (before.isRecovering && !isRecovering && wiped.has(machine)) count('a new store becomes a voter again');
      if (role !== before.role) {
        if (role === 'leader') {
          if (machine.worldMs - leaderEndedAtMs < FAST_MS)
            count('a leader is elected within half a second of the end of the last');
          for (const [other, state] of states)
            if (other !== machine && state.role === 'leader') count('two servers believe that they lead');
        } else if (before.role === 'leader' && term === before.term) count('a leader steps down in its own term');
      }
      before.role = role;
      before.term = term;
      before.isRecovering = isRecovering;
    },
    leftInDoubt: (_, block) => void inDoubt.add(block),
    committed: (_, block) => {
      if (inDoubt.delete(block)) count('a commit left in doubt is acknowledged later');
    },
    published: (_, block) => {
      if (world === null) return;
      const parent = world.blocks.parentOf(block);
      if (parent !== null && inDoubt.delete(parent)) count('a commit left in doubt is in the log after all');
    },
    overridden: () => count('an operator overrides the leader'),
    counted: (_, name, by) => {
      const known = counters[name];
      if (known !== undefined) count(known);
      if (name === 'catch_up_payloads_total' && by > 1) count('two or more blocks are posted to a node that lags');
    },
  };
}
