/**
 * Random schedules for a test cluster: what a hostile world and its operators do, as plain data that fast-check can
 * generate and shrink, and how to act it out.
 */
import fc from 'fast-check';
import { Suffrage } from '../types.ts';
import type { TestCluster } from './cluster.ts';

export type Step = { readonly waitMs: number } & (
  | {
      readonly kind:
        | 'crash'
        | 'crashAfterWrite'
        | 'start'
        | 'freeze'
        | 'thaw'
        | 'isolate'
        | 'snapshot'
        | 'fillDisk'
        | 'replace'
        | 'remove'
        | 'demote'
        | 'addVoter'
        | 'addNonvoter';
      readonly at: number;
    }
  | { readonly kind: 'cut' | 'lose'; readonly at: number; readonly to: number }
  /** The address of `to` leads `at` to a third server, or to itself. */
  | { readonly kind: 'mislead'; readonly at: number; readonly to: number; readonly target: number }
  | { readonly kind: 'heal' }
  /** To one of those who believe that they lead. */
  | { readonly kind: 'read' | 'barrier'; readonly at: number }
  /** A hand-over, after which the old leader is cut off before it learns that it has been succeeded. */
  | { readonly kind: 'usurp'; readonly to: number; readonly cutAfterMs: number }
  /** To the leader, or to one of those who believe that they lead. */
  | { readonly kind: 'propose'; readonly at: number | null }
  | { readonly kind: 'transfer'; readonly to: number | null }
);

const SERVERS_MAX = 5;

const waitMs = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 50 }) },
  { weight: 2, arbitrary: fc.integer({ min: 50, max: 3000 }) },
);
const at = fc.nat(SERVERS_MAX - 1);

function one<Kind extends string>(...kinds: Kind[]) {
  return fc.record({ kind: fc.constantFrom(...kinds), at, waitMs });
}

export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('propose' as const), at: fc.constant(null), waitMs }) },
  { weight: 4, arbitrary: one('propose') },
  { weight: 8, arbitrary: one('start') },
  { weight: 6, arbitrary: one('crash') },
  { weight: 3, arbitrary: one('crashAfterWrite') },
  { weight: 5, arbitrary: one('freeze') },
  { weight: 7, arbitrary: one('thaw') },
  { weight: 2, arbitrary: one('isolate') },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('cut' as const, 'lose' as const), at, to: at, waitMs }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('heal' as const), waitMs }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('read' as const, 'barrier' as const), at, waitMs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('usurp' as const),
      to: at,
      cutAfterMs: fc.integer({ min: 0, max: 2 }),
      waitMs: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('transfer' as const), to: fc.option(at), waitMs }),
  },
  { weight: 5, arbitrary: one('remove', 'demote', 'addVoter', 'addNonvoter') },
  { weight: 2, arbitrary: one('replace') },
  { weight: 2, arbitrary: one('snapshot') },
  { weight: 1, arbitrary: one('fillDisk') },
);

/** The same, and addresses that lead elsewhere. */
export const stepAmongWrongAddresses: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mislead' as const), at, to: at, target: at, waitMs }) },
);

/** How long an operator waits for a removal before giving up on replacing a server. */
const REMOVAL_MS = 1000;

/** How long a successor is given to be elected, and to commit. */
const SUCCESSION_MS = 20;

/** Acts one step out. `nextText` names proposals, each once. */
export function act(cluster: TestCluster, taken: Step, nextText: () => string): void {
  const ids = [...cluster.servers.keys()];
  const idOf = (number: number): string => ids[number % ids.length]!;
  const leader = cluster.leader();
  switch (taken.kind) {
    case 'propose':
      cluster.propose(leader === null ? ids[0]! : taken.at === null ? leader : believer(cluster, taken.at), nextText());
      break;
    case 'heal':
      cluster.heal();
      break;
    case 'read':
    case 'barrier':
      if (leader) cluster.command(believer(cluster, taken.at), { kind: taken.kind });
      break;
    case 'usurp':
      if (leader) usurp(cluster, leader, idOf(taken.to), taken.cutAfterMs, nextText);
      break;
    case 'transfer':
      if (leader) cluster.command(leader, { kind: 'transfer', target: taken.to === null ? null : idOf(taken.to) });
      break;
    case 'cut':
      cluster.cut(idOf(taken.at), idOf(taken.to));
      break;
    case 'mislead':
      cluster.mislead(idOf(taken.at), idOf(taken.to), idOf(taken.target));
      break;
    case 'lose':
      cluster.loseConnections(idOf(taken.at), idOf(taken.to));
      break;
    case 'remove':
    case 'demote':
    case 'addVoter':
    case 'addNonvoter':
      if (leader) changeMembers(cluster, believer(cluster, taken.at), taken.kind, idOf(taken.at));
      break;
    case 'replace':
      if (leader) replace(cluster, leader, idOf(taken.at));
      break;
    default:
      actOnServer(cluster, taken.kind, idOf(taken.at));
  }
  cluster.run(taken.waitMs);
}

/** The deposed leader, still sure of itself, is asked for a read after its successor has committed something. */
function usurp(cluster: TestCluster, leader: string, to: string, cutAfterMs: number, nextText: () => string): void {
  cluster.command(leader, { kind: 'transfer', target: to });
  cluster.run(cutAfterMs);
  cluster.isolate(leader);
  cluster.run(SUCCESSION_MS);
  const next = cluster.leader();
  if (next) cluster.propose(next, nextText());
  cluster.run(SUCCESSION_MS);
  cluster.command(leader, { kind: 'read' });
}

/** One of the servers that believe that they lead; there is at least one. */
function believer(cluster: TestCluster, number: number): string {
  const leaders = [...cluster.servers.values()].filter(
    ({ node, frozen }) => !frozen && node?.status().role === 'leader',
  );
  return leaders[number % leaders.length]!.id;
}

type ServerStep = 'crash' | 'crashAfterWrite' | 'start' | 'freeze' | 'thaw' | 'isolate' | 'snapshot' | 'fillDisk';

function actOnServer(cluster: TestCluster, kind: ServerStep, id: string): void {
  const server = cluster.servers.get(id)!;
  const isUp = server.node !== null;
  if (kind === 'start') {
    if (!isUp) cluster.start(id);
    // The process ends when its store fails, and its operator makes room.
    else if (server.store.failure !== null && !server.frozen) revive(cluster, id);
  } else if (!isUp) return;
  else if (kind === 'crash') cluster.crash(id);
  else if (kind === 'crashAfterWrite') cluster.crashAfterWrite(id);
  else if (kind === 'freeze') cluster.freeze(id);
  else if (kind === 'thaw') cluster.thaw(id);
  else if (kind === 'isolate') cluster.isolate(id);
  else if (kind === 'fillDisk') server.store.failure = 'disk full';
  else if (!server.frozen && !server.mustDrain) server.node!.takeSnapshot();
}

/** Ends whatever still runs of a server and starts it with room on its disk. */
export function revive(cluster: TestCluster, id: string): void {
  const server = cluster.servers.get(id)!;
  if (server.node) cluster.crash(id);
  server.store.failure = null;
  cluster.start(id);
}

function changeMembers(
  cluster: TestCluster,
  leader: string,
  kind: 'remove' | 'demote' | 'addVoter' | 'addNonvoter',
  id: string,
): void {
  if (kind === 'remove') cluster.command(leader, { kind: 'removeServer', id, previousIndex: 0 });
  else if (kind === 'demote') cluster.command(leader, { kind: 'demoteVoter', id, previousIndex: 0 });
  else {
    const suffrage = kind === 'addVoter' ? Suffrage.voter : Suffrage.nonvoter;
    cluster.command(leader, { kind: 'addServer', id, address: `${id}:1`, suffrage, previousIndex: 0 });
  }
}

/** A server gets a new disk the proper way: removed, wiped, added again. */
function replace(cluster: TestCluster, leader: string, id: string): void {
  if (id === leader) return;
  const removal = cluster.command(leader, { kind: 'removeServer', id, previousIndex: 0 });
  cluster.run(REMOVAL_MS);
  if (cluster.results.get(removal)?.kind !== 'done') return;
  if (cluster.servers.get(id)!.node) cluster.crash(id);
  cluster.wipe(id);
  cluster.start(id);
  const next = cluster.leader();
  if (next) changeMembers(cluster, next, 'addVoter', id);
}
