/**
 * A model of what conductors do by themselves, in every order: who is elected, who starts, who stops, who hands over.
 * Small enough that all that can follow from a state is looked at; written for tests, apart from the tool's own reasoning.
 */

/** What a conductor is in truth; one in charge starts its sequencer when it leads, and stops it when it does not. */
export type Conductor = 'down' | 'inCharge' | 'paused' | 'overridden' | 'pausedOverridden';

/** One moment of the whole. */
export interface World {
  readonly conductors: readonly Conductor[];
  /** Position of the raft leader; null where there is none. */
  readonly leader: number | null;
  /** Whose op-nodes build. */
  readonly builds: readonly boolean[];
}

/** All that can follow. */
export interface Future {
  /** Most op-nodes that build at one moment. */
  readonly most: number;
  /** "starter beside builder", for each start that can happen while another builds. */
  readonly overlaps: ReadonlySet<string>;
}

const isInCharge = (conductor: Conductor | undefined): boolean =>
  conductor === 'inCharge' || conductor === 'overridden';

const known = new Map<string, Future>();

/** Explores everything that conductors may do from here on; remembered, for many worlds lead to the same. */
export function futureOf(world: World): Future {
  const key = keyOf(world);
  const found = known.get(key);
  if (found !== undefined) return found;
  const overlaps = new Set<string>();
  let most = 0;
  const seen = new Set<string>();
  const open = [world];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(keyOf(next))) continue;
    seen.add(keyOf(next));
    most = Math.max(most, next.builds.filter(Boolean).length);
    open.push(...movesOf(next, overlaps));
  }
  const future = { most, overlaps };
  known.set(key, future);
  return future;
}

function movesOf(world: World, overlaps: Set<string>): World[] {
  const { conductors, leader, builds } = world;
  const positions = conductors.map((_, at) => at);
  // One that does not lead is stopped before anybody else has begun.
  const astray = positions.find((at) => at !== leader && builds[at] === true && conductors[at] === 'inCharge');
  if (astray !== undefined) return [building(world, astray, false)];
  const alive = positions.filter((at) => conductors[at] !== 'down');
  const moves: World[] = [];
  // Under an override it may be stopped or left alone.
  for (const at of positions)
    if (at !== leader && builds[at] === true && conductors[at] === 'overridden') moves.push(building(world, at, false));
  if (leader === null || conductors[leader] === 'down')
    return [...moves, ...(alive.length * 2 > conductors.length ? alive.map((at) => ({ ...world, leader: at })) : [])];
  if (!isInCharge(conductors[leader])) return moves;
  if (builds[leader] !== true) {
    for (const at of positions) if (at !== leader && builds[at] === true) overlaps.add(`${leader} beside ${at}`);
    moves.push(building(world, leader, true));
  }
  // It hands over when its sequencer is not well, which it stops before.
  const stopped = building(world, leader, false);
  for (const at of alive) if (at !== leader && isInCharge(conductors[at])) moves.push({ ...stopped, leader: at });
  return moves;
}

/** The world with one op-node told to begin or to stop. */
export function building(world: World, at: number, does: boolean): World {
  return { ...world, builds: world.builds.map((was, one) => (one === at ? does : was)) };
}

/** The world with another conductor at a position. */
export function withConductor(world: World, at: number, conductor: Conductor): World {
  return { ...world, conductors: world.conductors.map((was, one) => (one === at ? conductor : was)) };
}

function keyOf({ conductors, leader, builds }: World): string {
  return `${conductors.join()} ${leader} ${builds.join()}`;
}
