/**
 * The laws of moving back (rule 6), judged at the moment at which a conductor applies it, whatever faults are under
 * way: an acknowledged block is taken back only because L1 took its origin, or because nobody can have it.
 */
import type { Block, Blocks } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Law, Oracle } from './oracle.ts';

/** A voter is heard when it has run and been reached for so long: a status, and its answer to a question. */
const HEARD_MS = 1500;
/** How often it is looked who can be heard. */
const LOOK_MS = 100;

interface Moved {
  readonly world: World;
  /** Whose conductor shows it. */
  readonly machine: Machine;
  /** Acknowledged, on the chain before and not on it any more; L1 has not taken it. */
  readonly block: Block;
}

/** Calls back for each acknowledged living block that the committed chain has left. */
function movedBack(judge: (moved: Moved) => void): Oracle {
  const acknowledged = new Set<Block>();
  const seen = new Map<string, { readonly life: number; readonly head: Block; readonly commitIndex: number }>();
  const left = new Set<Block>();
  let world: World | null = null;
  return {
    watch: (watched) => {
      world = watched;
    },
    committed: (_, block) => void acknowledged.add(block),
    wiped: ({ id }) => void seen.delete(id),
    observed: (machine, { commitIndex }) => {
      const { id, life, conductor } = machine;
      const before = seen.get(id);
      if (world === null || (before?.life === life && before.commitIndex === commitIndex)) return;
      // A process that has just started applies its log once more: until it is where the last one was, it shows the past.
      if (before !== undefined && before.life !== life && commitIndex < before.commitIndex) return;
      const head = world.blocks.find(conductor?.committedHead()?.hash ?? '');
      if (head === null) return;
      seen.set(id, { life, head, commitIndex });
      if (before === undefined || before.head === head || world.blocks.isAncestor(before.head, head)) return;
      for (const block of leftBetween(world.blocks, before.head, head)) {
        if (left.has(block) || !acknowledged.has(block) || world.blocks.isDead(block)) continue;
        left.add(block);
        judge({ world, machine, block });
      }
    },
  };
}

/** What was on the chain of `before` and is not on that of `after`, highest first. */
function leftBetween(blocks: Blocks, before: Block, after: Block): Block[] {
  const left: Block[] = [];
  for (let at: Block | null = before; at !== null && !blocks.isAncestor(at, after); at = blocks.parentOf(at))
    left.push(at);
  return left;
}

/**
 * The chain moves back past no block that most clients take, whatever sick clients say of it; and, where conductors
 * keep what clients said, past none whose VALID a voter that can be heard has stored.
 */
export const movesOnProof: Law = (broken, note) => {
  /** Machines whose conductor was told VALID and has written since, by block. */
  const stored = new Map<Block, Set<Machine>>();
  const told = new Map<Machine, { readonly life: number; readonly blocks: Block[] }>();
  const heard = new Heard();
  const moves = movedBack(({ world, machine, block }) => {
    note('the committed chain moves back past a living block');
    if (world.verdicts.isSound(block, world.nowMs - HEARD_MS))
      broken(
        `${machine.id} takes back block ${block.number} of s${block.builder}, which L1 has not left and most clients take`,
      );
    for (const keeper of stored.get(block) ?? [])
      if (keeper === machine || heard.isHeard(machine, keeper))
        broken(`${machine.id} takes back block ${block.number}, and ${keeper.id} has stored that it is valid`);
  });
  return {
    ...moves,
    ...heard.oracle(moves),
    judged: (machine, block, status) => {
      if (status !== 'VALID' || !machine.node.client.isHonest) return;
      const { life } = machine;
      const known = told.get(machine);
      if (known?.life === life) known.blocks.push(block);
      else told.set(machine, { life, blocks: [block] });
    },
    written: (machine) => {
      const known = told.get(machine);
      if (known?.life !== machine.life) return;
      for (const block of known.blocks.splice(0)) stored.set(block, (stored.get(block) ?? new Set()).add(machine));
    },
    wiped: (machine) => {
      moves.wiped?.(machine);
      for (const keepers of stored.values()) keepers.delete(machine);
    },
  };
};

/**
 * The chain moves back past no block that the client of a voter that can be heard holds as valid: for long enough that
 * the voter could have said so.
 */
export const heldBlocksStay: Law = (broken) => {
  const heard = new Heard();
  const moves = movedBack(({ world, machine, block }) => {
    for (const other of world.machines) {
      const { client } = other.node;
      const isHeld = world.nowMs - client.heldSinceMs(block) >= HEARD_MS && heard.isSpeaking(other);
      if (isHeld && (other === machine || heard.isHeard(machine, other)))
        broken(`${machine.id} takes back block ${block.number}, which the client of ${other.id} holds as valid`);
    }
  });
  return { ...moves, ...heard.oracle(moves) };
};

/** Since when each pair of conductors can hear each other, looked at now and then. */
class Heard {
  #world: World | null = null;
  #lookedAtMs = -Infinity;
  /** By the indexes of both machines, and by that of the machine; Infinity while it does not hold. */
  #pairSinceMs: number[][] = [];
  #clientSinceMs: number[] = [];

  /** One that has just ended is not heard any more, though it was when that was last looked at. */
  isHeard(a: Machine, b: Machine): boolean {
    return a.isRunning && b.isRunning && this.#isLong(this.#pairSinceMs[a.index]?.[b.index]);
  }

  /** Whether its client has answered, and truthfully, for so long. */
  isSpeaking({ index }: Machine): boolean {
    return this.#isLong(this.#clientSinceMs[index]);
  }

  #isLong(sinceMs = Infinity): boolean {
    return (this.#world?.nowMs ?? 0) - sinceMs >= HEARD_MS;
  }

  /** What has it look, beside what else an oracle does with the same. */
  oracle({ watch, observed, started }: Oracle): Pick<Oracle, 'watch' | 'observed' | 'started'> {
    return {
      // A process that has just begun has said nothing yet, however short it was down.
      started: (machine) => {
        this.#look(machine);
        started?.(machine);
      },
      watch: (world) => {
        this.#world = world;
        this.#pairSinceMs = world.machines.map(() => world.machines.map(() => Infinity));
        this.#clientSinceMs = world.machines.map(() => Infinity);
        watch?.(world);
      },
      observed: (machine, position) => {
        if (machine.worldMs >= this.#lookedAtMs + LOOK_MS) this.#look();
        observed?.(machine, position);
      },
    };
  }

  /** `begun`: who has just been started. */
  #look(begun?: Machine): void {
    const world = this.#world;
    if (world === null) return;
    const { machines, links, nowMs } = world;
    this.#lookedAtMs = nowMs;
    const note = (since: number[], at: number, holds: boolean): void => {
      since[at] = holds ? Math.min(since[at] ?? Infinity, nowMs) : Infinity;
    };
    const areWell = machines.map(
      (one) => one !== begun && one.isRunning && one.disk.failures === 0 && one.disk.extraLatencyMs === 0,
    );
    for (const a of machines) {
      const { client, isUp } = a.node;
      note(this.#clientSinceMs, a.index, a !== begun && isUp && client.isHonest && client.faults.frozen === 0);
      const since = this.#pairSinceMs[a.index]!;
      for (const b of machines) {
        const isWell = areWell[a.index]! && areWell[b.index]!;
        note(since, b.index, isWell && links.isClean(a.index, b.index) && links.isClean(b.index, a.index));
      }
    }
  }
}
