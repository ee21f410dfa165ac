import { describe, expect, it } from 'vitest';
import { exitsOf, stateExits, stateRowId, states, type ConductorState, type StateId } from './op-conductor-states.ts';

const byId = new Map(states.map((state) => [state.id, state]));

function bits({ isLeader, isHealthy, isActive }: ConductorState): string {
  return [isLeader, isHealthy, isActive].map((bit) => (bit ? 'T' : 'F')).join('');
}

/** What an exit must change, by its label. */
const changes: Readonly<Record<string, Partial<ConductorState>>> = {
  'is elected leader': { isLeader: true },
  'gives up leadership': { isLeader: false },
  'becomes unhealthy': { isHealthy: false },
  'becomes healthy': { isHealthy: true },
  'starts sequencing': { isActive: true },
  'stops sequencing': { isActive: false },
  'stops sequencing and transfers leadership': { isActive: false, isLeader: false },
  'after a network stall, waits for the node to reach the tip': {},
};

describe('the states of a conductor', () => {
  it('are all eight combinations, once each', () => {
    expect(new Set(states.map(bits)).size).toBe(8);
    expect(new Set(states.map(({ id }) => stateRowId(id))).size).toBe(8);
  });

  it('have 22 exits to others and one to itself, no two with the same ends', () => {
    expect(stateExits.filter(({ from, to }) => from !== to)).toHaveLength(22);
    expect(stateExits.filter(({ from, to }) => from === to)).toEqual([expect.objectContaining({ from: 'D', to: 'D' })]);
    expect(new Set(stateExits.map(({ from, to }) => from + to)).size).toBe(23);
  });

  it('lose and gain health in every state: a health check passes or fails whatever else is so', () => {
    for (const state of states) {
      const label = state.isHealthy ? 'becomes unhealthy' : 'becomes healthy';
      expect(exitsOf(state.id).filter((exit) => exit.kind === 'event' && exit.label === label)).toHaveLength(1);
    }
  });

  it.each(stateExits.map((exit) => [`${exit.from}→${exit.to}`, exit] as const))(
    '%s changes what its label says, and only that',
    (_, { from, to, label }) => {
      const change = changes[label]!;
      expect(change).toBeDefined();
      expect(bits({ ...byId.get(from)!, ...change })).toBe(bits(byId.get(to)!));
    },
  );

  it('every state but those of a follower at rest has an action as an exit', () => {
    const acting = states.filter(({ id }) => exitsOf(id).some(({ kind }) => kind === 'action')).map(({ id }) => id);
    const resting: StateId[] = ['A', 'E'];
    expect(acting).toEqual(states.map(({ id }) => id).filter((id) => !resting.includes(id)));
  });
});
