/**
 * The eight states of a conductor, by whether it leads, whether its node is healthy and whether its sequencer is
 * active, and how one comes after another. Events happen to it; actions are what its control loop does.
 */

export type StateId = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H';

/** Healthy: nothing to do. Intermediate: its control loop is about to act. Error: nothing it could do, so it logs. */
export type StateClass = 'healthy' | 'intermediate' | 'error';

export interface ConductorState {
  readonly id: StateId;
  readonly isLeader: boolean;
  readonly isHealthy: boolean;
  readonly isActive: boolean;
  readonly kind: StateClass;
}

export interface Exit {
  readonly from: StateId;
  readonly to: StateId;
  readonly kind: 'event' | 'action';
  readonly label: string;
}

function state(id: StateId, bits: string, kind: StateClass): ConductorState {
  const [isLeader, isHealthy, isActive] = [...bits].map((bit) => bit === 'T') as [boolean, boolean, boolean];
  return { id, isLeader, isHealthy, isActive, kind };
}

export const states: readonly ConductorState[] = [
  state('A', 'FFF', 'error'),
  state('B', 'TFF', 'intermediate'),
  state('C', 'FFT', 'intermediate'),
  state('D', 'TFT', 'intermediate'),
  state('E', 'FTF', 'healthy'),
  state('F', 'TTF', 'intermediate'),
  state('G', 'FTT', 'intermediate'),
  state('H', 'TTT', 'healthy'),
];

function exits(kind: Exit['kind'], label: string, ...pairs: readonly string[]): readonly Exit[] {
  return pairs.map((pair) => ({ from: pair[0] as StateId, to: pair[1] as StateId, kind, label }));
}

export const stateExits: readonly Exit[] = [
  ...exits('event', 'is elected leader', 'AB', 'CD', 'EF', 'GH'),
  ...exits('event', 'becomes unhealthy', 'EA', 'FB', 'GC', 'HD'),
  ...exits('event', 'becomes healthy', 'AE', 'BF', 'CG', 'DH'),
  ...exits('action', 'gives up leadership', 'BA', 'DC', 'FE', 'HG'),
  ...exits('action', 'starts sequencing', 'BD', 'FH'),
  ...exits('action', 'stops sequencing', 'DB', 'CA', 'GE'),
  ...exits('action', 'stops sequencing and transfers leadership', 'DA'),
  ...exits('action', 'after a network stall, waits for the node to reach the tip', 'DD'),
];

/** "leader, healthy, not sequencing". */
export function describeState({ isLeader, isHealthy, isActive }: ConductorState): string {
  return `${isLeader ? 'leader' : 'follower'}, ${isHealthy ? 'healthy' : 'not healthy'}, ${isActive ? 'sequencing' : 'not sequencing'}`;
}

const actions: Readonly<Record<StateId, string>> = {
  A: 'It only logs an error, so set up an alert for it.',
  B: 'Transfers leadership to a healthy peer. If there is none, it starts the sequencer, because after an outage every head is old.',
  C: 'Stops the sequencer.',
  D: 'After a start, it waits for blocks, at most one unsafe interval. Otherwise it stops and transfers leadership; if no peer can take over, it continues and raises an alarm.',
  E: 'Nothing: this is the normal state of a follower.',
  F: 'Starts the sequencer at the committed head.',
  G: 'Stops the sequencer.',
  H: 'Nothing: this is the normal state of the leader.',
};

/** What the control loop does in it, as a sentence. */
export function meaningOf({ id }: ConductorState): string {
  return actions[id];
}

export function exitsOf(id: StateId): readonly Exit[] {
  return stateExits.filter(({ from }) => from === id);
}

/** The anchor of a state's row in the table. */
export function stateRowId(id: StateId): string {
  return `conductor-state-${id.toLowerCase()}`;
}
