/**
 * The law of service at all times: while a majority is connected and one of it has a sequencer that can work, blocks
 * come, whatever else is wrong and for however long. What faults have ended before is not waited for, nor anything while an
 * operator keeps a leader paused. An invalid block that is committed and not proved to be dead is named by an alarm within the
 * same time, and an operator who is told has the chain go on (repair-operator.ts).
 */
import { votersOf } from '#conductor/core/raft/quorum';
import type { Configuration as Membership } from '#conductor/core/raft/types';
import type { Block } from '../blocks.ts';
import { holdsPayload, keepsUp } from '../disk.ts';
import type { Machine } from '../machine.ts';
import type { NodeTroubles } from '../node-troubles.ts';
import type { World } from '../world.ts';
import { repairedMs } from './disagreement-bounds.ts';
import type { Law } from './oracle.ts';
import { SetAside } from './set-aside.ts';

/** How often the whole cluster is looked at. */
const LOOK_MS = 100;
/** Where nobody says anything for so long, nobody runs. */
const UNSEEN_MS = 1000;
/**
 * Within so long somebody leads who can work: several elections that fail, five seconds in which a sequencer that does not
 * start is tried, and its pauses.
 */
const WITHIN_MS = 15_000;
/** So many entries of a leader may wait to be committed, a second of a burst and more. */
const BACKLOG_MAX = 100;
/** An invalid block that a client has called valid while it stopped is named in an alarm so much later at most: its server is tried again first. */
const ALARM_MS = 10_000;
/** A chain that stands so long is worth being looked at. */
const NOTED_MS = 2500;
/** So many blocks may be missing beside the time that it takes to have somebody lead. */
const BLOCKS = 3;
/** A node that is so far behind is brought up from the log at once; one that is further behind within so long, and what its client takes for each block. */
const BEHIND_MAX = 2;
const CAUGHT_UP_MS = 5000;

/** Since when each machine could have had the chain go on, without a break. */
export const servesWhileItCan: Law = (broken, note) => {
  let world: World | null = null;
  let lookedAtMs = -Infinity;
  /** null before there is a chain. */
  let publishedAtMs: number | null = null;
  const sinceMs = new Map<Machine, number>();
  const aside = new SetAside();
  let branch = 0;
  const look = (seen: World, lastMs: number): void => {
    const { nowMs, blocks, configuration } = seen;
    const isNewBranch = blocks.branch !== branch;
    branch = blocks.branch;
    const isHeldBack = seen.l1.isStanding || blocks.isBatcherStanding;
    const isOutside = aside.isLeftToOperators(seen) || isHeldBack || isNewBranch || isOverloaded(seen);
    const memberships = isOutside ? [] : membershipsKnown(seen);
    const tips = committedTips(seen);
    // Where a majority of clients has to take each block, only those with one that can say so are counted.
    const isCounted = (machine: Machine): boolean => configuration.engine < 2 || canSeal(seen, machine, tips);
    const quorum = connectedMajority(seen, memberships, isCounted);
    // Whom any membership leaves without a vote may be the one that cannot lead.
    const mayLead = ({ id }: Machine): boolean => memberships.every((one) => votersOf(one).includes(id));
    for (const machine of seen.machines) {
      const isAble =
        quorum.includes(machine) && mayLead(machine) && !aside.has(machine) && canSeal(seen, machine, tips);
      if (!isAble) sinceMs.delete(machine);
      else if (!sinceMs.has(machine)) sinceMs.set(machine, nowMs + catchUpMs(seen, machine, tips));
    }
    const withinMs = WITHIN_MS + BLOCKS * 1000 * configuration.blockSeconds;
    const beganMs = Math.min(...sinceMs.values());
    const standsMs = nowMs - Math.max(lastMs, beganMs);
    if (standsMs > NOTED_MS) note('a chain stands that could go on');
    const isInvalid = standsMs > withinMs && tips.some((tip) => !seen.verdicts.isSound(tip));
    if (standsMs <= withinMs + (isInvalid ? ALARM_MS : 0)) return;
    if (isBeingRepaired(seen, tips)) return note('an operator is told of an invalid block');
    const [able] = [...sinceMs].find(([, since]) => since === beganMs) ?? [];
    broken(
      `nothing was published for ${Math.round(nowMs - lastMs)} ms, though ${able?.id} could sequence since ${Math.round(beganMs)} and reaches a majority`,
    );
  };
  return {
    watch: (watched) => {
      world = watched;
    },
    started: (machine) => aside.started(machine),
    handles: ['drain', 'rpc'],
    handled: (machine, event) => aside.handled(machine, event),
    answered: (machine, call, outcome) => {
      aside.answered(machine, call, outcome);
      // Who changes the members, or hands leadership on, has the chain wait for that; what is refused changes nothing.
      if (outcome.kind === 'result' && /add|remove|demote|transfer/i.test(call.method)) sinceMs.clear();
    },
    published: (machine, block) => {
      if (world?.verdicts.isSound(block) !== false) publishedAtMs = machine.worldMs;
    },
    observed: ({ worldMs }) => {
      if (world === null || worldMs < lookedAtMs + LOOK_MS || publishedAtMs === null) return;
      // Nobody ran, so that nobody was looked at.
      if (worldMs > lookedAtMs + UNSEEN_MS) sinceMs.clear();
      lookedAtMs = worldMs;
      look(world, publishedAtMs);
    },
  };
};

/** Whether an alarm named a committed head that most clients refuse, so lately that its operator may be at it. */
function isBeingRepaired({ verdicts, operator, nowMs, configuration }: World, tips: readonly Block[]): boolean {
  const told = tips.flatMap((tip) => (verdicts.isSound(tip) ? [] : (operator?.toldAtMs(tip.hash) ?? [])));
  return told.length > 0 && nowMs - Math.min(...told) <= repairedMs(configuration);
}

/** More is written through the log than its leader gets to the others: a block waits for its turn. */
function isOverloaded({ machines }: World): boolean {
  return machines.some(({ conductor, disk }) => {
    const position = conductor?.position();
    return position?.role === 'leader' && disk.lastIndex - position.commitIndex > BACKLOG_MAX;
  });
}

/** Every membership that some conductor knows. */
function membershipsKnown({ machines }: World): readonly Membership[] {
  const memberships = machines.flatMap(({ conductor }) => conductor?.position().configuration.configuration ?? []);
  return memberships.filter((one) => votersOf(one).length > 0);
}

/**
 * Servers that run, keep their disks, are where members look for them and reach each other, as many as there are of such, if they are a majority of the
 * voters by every membership that is known; else nobody.
 */
export function connectedMajority(
  world: World,
  memberships = membershipsKnown(world),
  isCounted: (machine: Machine) => boolean = () => true,
): readonly Machine[] {
  const { machines, links } = world;
  const views = memberships.map(votersOf);
  const able = machines.filter(
    (machine) =>
      views.some((voters) => voters.includes(machine.id)) &&
      machine.isRunning &&
      machine.clock.isRight &&
      keepsUp(machine.disk) &&
      machine.disk.hardState?.recovering === false &&
      world.isWhereItIsLookedFor(machine) &&
      isCounted(machine),
  );
  const reaches = (a: Machine, b: Machine): boolean =>
    a === b || (links.isClean(a.index, b.index) && links.isClean(b.index, a.index));
  const areAllConnected = able.every((a) => able.every((b) => reaches(a, b)));
  let best: readonly Machine[] = areAllConnected ? able : [];
  for (let bits = areAllConnected ? 2 ** able.length : 1; bits < 2 ** able.length; bits++) {
    const group = able.filter((_, at) => ((bits >> at) & 1) === 1);
    if (group.length > best.length && group.every((a) => group.every((b) => reaches(a, b)))) best = group;
  }
  const isMajority = (voters: readonly string[]): boolean =>
    2 * best.filter(({ id }) => voters.includes(id)).length > voters.length;
  return views.every(isMajority) ? best : [];
}

/** Nothing is wrong with its node, its client, its builder and its L1, and it is at the end of the chain, or a little below. */
export function canWork(
  { blocks, spoiled }: World,
  { index, node }: Machine,
  tips: readonly Block[],
  faults: NodeTroubles = node.faults,
  behindMax = BEHIND_MAX,
): boolean {
  const { client, l1, head, isUp } = node;
  const isClientWell = client.isHonest && !client.isSyncing && !client.needsRestart && isFaultless(client.faults);
  // As many peers as are needed are enough.
  const isNodeWell = isUp && isFaultless({ ...faults, onePeer: 0 });
  if (!isNodeWell || spoiled.isSpoiling(index) || !isClientWell) return false;
  if (l1.forkedFrom !== null || l1.seen !== Infinity) return false;
  return tips.every(
    (tip) =>
      !blocks.isDead(tip) &&
      tip.number - head.number <= behindMax &&
      blocks.isAncestor(lower(tip, head), higher(tip, head)),
  );
}

/**
 * The same, but for what its checks complain of and keeps nobody from building: too few peers, a builder that is down or
 * silent (rule 18). It may be as far behind as its log covers (rule 20).
 */
function canSeal(world: World, machine: Machine, tips: readonly Block[]): boolean {
  const { node, disk, conductor } = machine;
  const nextNumber = node.head.number + 1;
  // What is committed below the newest block, and behind a snapshot, is not in its log any more, however little that is.
  const isBelow = Number(conductor?.committedHead()?.number ?? 0) > nextNumber;
  const isCovered = (tip: Block): boolean =>
    tip.number < nextNumber + (isBelow ? 0 : BEHIND_MAX) || holdsPayload(disk, world.blocks.ancestor(tip, nextNumber));
  // Whose rollup-boost says nothing, or that its client is down as well, counts as one that cannot build (rule 18).
  const faults = { ...node.faults, lonely: 0, lonelyClient: 0, partialBoost: 0 };
  return canWork(world, machine, tips, faults, Infinity) && tips.every(isCovered);
}

/** How long it takes to be brought to the end of the chain, where that is more than a little. */
function catchUpMs({ configuration }: World, { node }: Machine, tips: readonly Block[]): number {
  const behind = Math.max(0, ...tips.map((tip) => tip.number - node.head.number));
  return behind > BEHIND_MAX ? CAUGHT_UP_MS + behind * configuration.executionMs : 0;
}

/**
 * What waits for the next block, post or stop of a node, for good where it never has one. None keeps whoever takes over from
 * its work: a payload that is dropped is posted again, a commit made or offered again, the log has what gossip lost, and the others
 * matter when it is stopped. A lost answer is not among them: what is sealed in its place is refused at first.
 */
const soonOver: ReadonlySet<string> = new Set<keyof NodeTroubles>([
  ...(['lostGossip', 'droppedPosts', 'brokenConnections', 'doubledCommits'] as const),
  ...(['failingStops', 'lateBlocks'] as const),
]);

function isFaultless<T extends Readonly<Record<keyof T, number>>>(faults: T): boolean {
  for (const kind in faults) if (faults[kind] !== 0 && !soonOver.has(kind)) return false;
  return true;
}

/** The blocks that the running conductors hold as committed heads. */
function committedTips({ machines, blocks }: World): readonly Block[] {
  return machines.flatMap(({ conductor }) => blocks.find(conductor?.committedHead()?.hash ?? '') ?? []);
}

function lower<T extends { readonly number: number }>(one: T, other: T): T {
  return one.number <= other.number ? one : other;
}

function higher<T extends { readonly number: number }>(one: T, other: T): T {
  return one.number <= other.number ? other : one;
}
