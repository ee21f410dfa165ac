/**
 * The laws of what conductors show: answers of methods that only read, gauges and readiness, which people, roll-outs and
 * alerts go by (rules 22 and 25). Nobody calls here: each conductor is looked at, as if somebody asked and scraped it at once.
 */
import { Suffrage } from '#conductor/core/raft/types';
import type { MethodName } from '#conductor/core/rpc/methods';
import { votersOf } from '#conductor/core/raft/quorum';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Shown } from '../conductor-process.ts';
import type { Configuration } from '../configuration.ts';
import { keepsUp } from '../disk.ts';
import { isAlone } from '../gossip.ts';
import type { Machine } from '../machine.ts';
import { ShownPositions } from '../shown-positions.ts';
import type { World } from '../world.ts';
import { Lasting } from './lasting.ts';
import { canWork } from './meanwhile-laws.ts';
import type { Law } from './oracle.ts';
import { Told } from './told.ts';
import { isToldToEnd } from './told-to-end.ts';

/** How often a conductor is asked everything: where its position has changed, and where it has not, milliseconds. */
const LOOK_MS = 500;
const LOOK_AGAIN_MS = 2000;

/**
 * Answers, gauges and readiness of one moment agree, and with what operators have ordered: paused is what was answered last,
 * active is neither paused nor stopped, nobody stops unasked, and who says that it leads names itself.
 */
export const answersAgree: Law = (broken, note) => {
  const told = new Told();
  const ending = new Set<Machine>();
  const positions = new ShownPositions();
  const lookedAtMs = new Map<Machine, number>();
  return {
    started: (machine) => {
      told.started(machine);
      ending.delete(machine);
    },
    handles: ['drain', 'bootstrap', 'rpc'],
    handled: (machine, event) => {
      told.handled(machine, event);
      if (isToldToEnd(event)) ending.add(machine);
    },
    called: (machine, call) => told.called(machine, call),
    answered: (machine, call, outcome) => told.answered(machine, call, outcome),
    observed: (machine, position) => {
      told.observed(machine, position);
      const pauseMs = positions.isAgain(machine, position) ? LOOK_AGAIN_MS : LOOK_MS;
      if (machine.worldMs < (lookedAtMs.get(machine) ?? -Infinity) + pauseMs) return;
      lookedAtMs.set(machine, machine.worldMs);
      const shown = machine.shows();
      if (shown === null) return;
      const { isPaused } = told.of(machine);
      if (isPaused === true) note('a conductor that is paused is asked how it stands');
      const isEnding = ending.has(machine) || position.hasFailed;
      const problem = disagreementOf(shown, machine.id) ?? disobedienceOf(shown, { isPaused, isEnding });
      if (problem !== null) broken(`${machine.id} ${problem}`);
    },
  };
};

/** Answers that are gauges, too. */
const gaugeOf: Readonly<Partial<Record<MethodName, string>>> = {
  conductor_paused: 'paused',
  conductor_active: 'active',
  conductor_sequencerHealthy: 'sequencer_healthy',
  conductor_leaderOverridden: 'leader_overridden',
};

function disagreementOf({ answers, gauges, readiness }: Shown, ownId: string): string | null {
  for (const [method, gauge] of Object.entries(gaugeOf) as [MethodName, string][])
    if (answers.get(method) !== (gauges.get(gauge) === 1))
      return `answers ${method} with ${String(answers.get(method))}, and its gauge ${gauge} is ${gauges.get(gauge)}`;
  const [isActive, isPaused, isStopped] = (['active', 'paused', 'stopped'] as const).map((what) =>
    answers.get(`conductor_${what}`),
  );
  if (isActive !== (isPaused === false && isStopped === false))
    return `says active: ${String(isActive)}, paused: ${String(isPaused)}, stopped: ${String(isStopped)}`;
  const voters = (answers.get('conductor_clusterMembership') as Members).servers.filter(
    ({ suffrage }) => suffrage === Suffrage.voter,
  );
  if (gauges.get('raft_voters') !== voters.length)
    return `names ${voters.length} voters, and its gauge raft_voters is ${gauges.get('raft_voters')}`;
  const { committed, givenUp } = answers.get('conductor_clusterNodes') as ClusterNodes;
  if (givenUp?.done === true && givenUp.hash === committed?.hash)
    return `says that block ${givenUp.hash.slice(0, 10)} has been given up, and that it is the newest one`;
  if (gauges.get('raft_recovering') === 1 && readiness === '') return 'is recovering, and says that it is ready';
  return disagreementOnLeader({ answers, gauges, readiness }, ownId);
}

interface ClusterNodes {
  readonly committed: { readonly hash: string } | null;
  readonly givenUp: { readonly hash: string; readonly done: boolean } | null;
}

interface Members {
  readonly servers: readonly { readonly suffrage: number }[];
}

function disagreementOnLeader({ answers, gauges, readiness }: Shown, ownId: string): string | null {
  const saysItLeads = answers.get('conductor_leader') === true;
  if (saysItLeads && gauges.get('leader') !== 1) return 'says that it leads, and its gauge leader is 0';
  if (answers.get('conductor_leaderOverridden') === true)
    return saysItLeads ? null : 'is overridden, and does not say that it leads';
  const { id } = answers.get('conductor_leaderWithID') as { readonly id: string };
  const leads = saysItLeads || gauges.get('raft_is_leader') === 1;
  if (leads && id !== ownId) return `leads, and names ${id === '' ? 'nobody' : id} as the leader`;
  if (id !== '') return null;
  if (gauges.get('raft_leader_known') === 1) return 'names no leader, and its gauge raft_leader_known is 1';
  return readiness === '' ? 'names no leader, and says that it is ready' : null;
}

interface Orders {
  /** What it was told last; null while that is in doubt. */
  readonly isPaused: boolean | null;
  readonly isEnding: boolean;
}

function disobedienceOf({ answers }: Shown, { isPaused, isEnding }: Orders): string | null {
  const saysPaused = answers.get('conductor_paused');
  if (isPaused !== null && saysPaused !== isPaused)
    return `was told ${isPaused ? 'to pause' : 'to go on'}, and says paused: ${String(saysPaused)}`;
  if (!isEnding && answers.get('conductor_stopped') === true) return 'says that it is stopped, and nobody has told it';
  return null;
}

/** A health check, the answer that it waits for, twice, and the age that a head may have. */
function noticedMs({ healthSeconds, unsafeSeconds }: Configuration): number {
  return 2000 * (healthSeconds + Math.max(1, healthSeconds)) + 1000 * unsafeSeconds;
}

/** A head this much below the oldest that is allowed is no reason to be called old, by any clock that is right, seconds. */
const AGE_SPARE_SECONDS = 1;

/**
 * Whose node or client has been down for long is not called healthy; and whose node is well, its head new, is not called
 * unhealthy for long.
 */
export const healthIsTold: Law = (broken, note) => {
  let world: World | null = null;
  const lasting = new Lasting<'down' | 'wronged'>();
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine) => {
      const seen = world;
      if (seen === null) return;
      const forMs = lasting.look(machine, () => {
        if (!machine.node.isUp) return ['down'];
        return isWell(seen, machine) && calledHealthy(machine) === false ? ['wronged'] : [];
      });
      const maxMs = noticedMs(seen.configuration);
      const downMs = forMs?.get('down') ?? 0;
      const wrongedMs = forMs?.get('wronged') ?? 0;
      if (wrongedMs > maxMs)
        broken(`the node of ${machine.id} is well, and has been called unhealthy for ${Math.round(wrongedMs)} ms`);
      if (downMs <= maxMs) return;
      note('a conductor is asked of the health of a node that is down');
      if (calledHealthy(machine) === true)
        broken(`the node of ${machine.id} has been down for ${Math.round(downMs)} ms, and is called healthy`);
    },
  };
};

/** What conductor_sequencerHealthy says; null where it is not answered at once. */
function calledHealthy({ conductor, nowMs }: Machine): boolean | null {
  const outcome = conductor?.answerNow('conductor_sequencerHealthy', nowMs);
  return outcome?.kind === 'result' ? outcome.json === 'true' : null;
}

/** Nothing is wrong with it, nor with the network around it or the disk that its conductor waits for, and its head is new. */
function isWell(world: World, machine: Machine): boolean {
  const { node, clock, disk } = machine;
  if (!keepsUp(disk) || disk.stalls.size > 0 || isAlone(world, machine)) return false;
  if (world.nowMs < node.unsetUntilMs || !clock.isRight || !canWork(world, machine, [])) return false;
  const ageSeconds = clock.unixMs(world.nowMs) / 1000 - node.head.timestamp;
  return ageSeconds <= world.configuration.unsafeSeconds - AGE_SPARE_SECONDS;
}

/** Who is cut off has waited for its leader, and has asked for votes in vain, several times: within so long it knows of no leader. */
const CUT_OFF_MS = 10_000;
/** Who recovers says so at once. */
const RECOVERING_MS = 500;
/** A node that lacks more blocks than this is not ready (rule 25). */
const LAG_BLOCKS_MAX = 10;

type Unready = 'down' | 'cut off' | 'recovering' | 'far behind';

/** Nobody calls itself ready that could not take over: cut off from every majority, without its vote, its node down or far behind, for long. */
export const unreadyIsTold: Law = (broken, note) => {
  let world: World | null = null;
  const lasting = new Lasting<Unready>();
  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine, position) => {
      const seen = world;
      if (seen === null) return;
      const nodeMs = noticedMs(seen.configuration);
      const maxMs = { down: nodeMs, 'far behind': nodeMs, 'cut off': CUT_OFF_MS, recovering: RECOVERING_MS };
      const forMs = lasting.look(machine, () => {
        const reasons = whyNotReady(seen, machine, position);
        for (const why of reasons) note(`readiness is asked of one that is ${why}`);
        return machine.conductor?.readiness() === '' ? reasons : [];
      });
      for (const [why, ms] of forMs ?? [])
        if (ms > maxMs[why])
          broken(`${machine.id} has been ${why} for ${Math.round(ms)} ms, and says that it is ready`);
    },
  };
};

function whyNotReady(world: World, machine: Machine, position: RaftPosition): Unready[] {
  const { node, disk, conductor } = machine;
  const reasons: Unready[] = [];
  if (!node.isUp) reasons.push('down');
  if (disk.hardState?.recovering === true) reasons.push('recovering');
  if (isCutOff(world, machine, position)) reasons.push('cut off');
  const committed = conductor?.committedHead() ?? null;
  // By what op-node tells: one whose event loop stands tells of the head that it had.
  if (committed !== null && Number(committed.number) - node.toldHead.number > LAG_BLOCKS_MAX)
    reasons.push('far behind');
  return reasons;
}

/**
 * Whether a voter, with all whom it may hear or be heard by, is no majority by any membership that is known, and nobody of
 * them leads.
 */
function isCutOff({ machines, links }: World, machine: Machine, { configuration }: RaftPosition): boolean {
  if (!votersOf(configuration.configuration).includes(machine.id)) return false;
  const reached = machines.filter(
    (other) =>
      other === machine ||
      (other.isRunning && !(links.isCut(machine.index, other.index) && links.isCut(other.index, machine.index))),
  );
  if (reached.length === machines.length) return false;
  if (reached.some(({ conductor }) => conductor?.position().role === 'leader')) return false;
  return machines.every(({ conductor }) => {
    const voters = votersOf(conductor?.position().configuration.configuration ?? configuration.configuration);
    return 2 * reached.filter(({ id }) => voters.includes(id)).length <= voters.length;
  });
}
