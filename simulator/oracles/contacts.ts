/**
 * Whom a leader can have heard within its lease, and whom it reaches without fail, as the world knows it: for laws that
 * say what a leader may count on.
 */
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import { isAble } from './leadership-laws.ts';

/** How often the whole cluster is looked at. */
const LOOK_MS = 20;
/** Where nobody is looked at for so long, a server may have come and gone meanwhile. */
const UNSEEN_MS = 100;
/** A leader that was late, or whose clock was odd, takes as long to judge its peers aright; and what is slow may still come in. */
const DOUBT_MS = 3000;
/** For what a leader that is not late needs to read an answer. */
const SLACK_MS = 100;
/** So many entries of a leader may wait to be committed, as one of them may behind others. */
const BACKLOG_MAX = 100;

/** What happened in one term of a leader. */
interface Reign {
  readonly term: number;
  readonly heardAtMs: Map<Machine, number>;
}

export class Contacts {
  readonly #reigns = new Map<Machine, Reign>();
  /** When each machine last had trouble: it may have won in a turn that is over only now. */
  readonly #troubledAtMs = new Map<Machine, number>();
  #lookedAtMs = -Infinity;
  #delayMs = 0;

  /** A process has ended: what it knew is gone. */
  forget(machine: Machine): void {
    this.#reigns.delete(machine);
  }

  /** To be told of every turn of every machine; true when it has looked at the whole cluster. */
  look(world: World, machine: Machine, { role, term }: RaftPosition): boolean {
    const { nowMs } = world;
    this.#delayMs = world.configuration.delayMaxUs / 1000;
    if (role !== 'leader') this.#reigns.delete(machine);
    else if (this.#reigns.get(machine)?.term !== term) {
      const reign = { term, heardAtMs: new Map<Machine, number>() };
      this.#reigns.set(machine, reign);
      this.#lookAt(world, machine, reign);
    }
    if (nowMs < this.#lookedAtMs + LOOK_MS) return false;
    const isLate = nowMs > this.#lookedAtMs + UNSEEN_MS;
    this.#lookedAtMs = nowMs;
    for (const one of world.machines) if (isLate || !isPrompt(one)) this.#troubledAtMs.set(one, nowMs);
    for (const [leader, reign] of this.#reigns) this.#lookAt(world, leader, reign);
    return true;
  }

  /** Ids of those that this leader may have heard within its lease, in its term; null where there is doubt. */
  heardBy(leader: Machine, world: World): readonly string[] | null {
    const { nowMs } = world;
    const reign = this.#reigns.get(leader);
    const troubledAtMs = this.#troubledAtMs.get(leader) ?? -Infinity;
    if (reign === undefined || nowMs < troubledAtMs + DOUBT_MS || !isPrompt(leader)) return null;
    // One that stood still until a moment ago may have answered since the last look.
    this.#lookAt(world, leader, reign);
    const fromMs = nowMs - RAFT_DEFAULTS.leaderLeaseMs - 2 * this.#delayMs - SLACK_MS;
    return [...reign.heardAtMs].flatMap(([{ id }, atMs]) => (atMs >= fromMs ? [id] : []));
  }

  /** Those that a leader reaches and is reached by, itself included, with nothing wrong with any; nobody while it has trouble. */
  ableOf(leader: Machine, world: World): readonly Machine[] {
    const { disk, conductor } = leader;
    const isBehind = disk.lastIndex - (conductor?.position().commitIndex ?? 0) > BACKLOG_MAX;
    if (isBehind || !isPrompt(leader) || !isAble(leader, world)) return [];
    return world.machines.filter(
      (one) => one === leader || (isPrompt(one) && isAble(one, world) && areClean(world, leader, one)),
    );
  }

  #lookAt(world: World, leader: Machine, reign: Reign): void {
    const { nowMs, links } = world;
    for (const machine of world.machines) {
      const isCut = links.isCut(leader.index, machine.index) || links.isCut(machine.index, leader.index);
      if (machine === leader || isCut || !machine.isRunning || machine.isFrozen) continue;
      // Over a bad link an answer may come when nobody is there any more.
      const isPlain = areClean(world, leader, machine) && isPrompt(machine);
      reign.heardAtMs.set(machine, Math.max(reign.heardAtMs.get(machine) ?? 0, nowMs + (isPlain ? 0 : DOUBT_MS)));
    }
  }
}

/** Runs, by a right clock, and waits for no disk. */
function isPrompt({ isRunning, isFrozen, clock, disk }: Machine): boolean {
  return isRunning && !isFrozen && clock.isRight && disk.stalls.size === 0 && disk.extraLatencyMs === 0;
}

function areClean({ links }: World, one: Machine, other: Machine): boolean {
  return links.isClean(one.index, other.index) && links.isClean(other.index, one.index);
}
