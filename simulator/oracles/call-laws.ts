/**
 * The laws of calls: what callers are told is so, whoever they ask and whatever is wrong meanwhile (rules 5, 14, 22 and
 * 34). They are judged by the calls themselves, from outside.
 */
import { identityOf } from '#conductor/core/payload/block-summary';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import { Committed } from './committed.ts';
import { holdsPayload } from '../disk.ts';
import { offered } from './offered.ts';
import type { Law } from './oracle.ts';
import { Reigns } from './reigns.ts';
import { Told } from './told.ts';
import type { World } from '../world.ts';

/** So long a process may turn, by its own clock, before a call has its answer: a question to a peer, and then a change. */
const ANSWERED_MAX_MS = 15_000;
/** A new voter is waited for as long as it gets ahead with the log, up to 20 s. */
const ADDED_MAX_MS = 25_000;
/** A commit has five seconds until its outcome is unknown (rule 5). */
const COMMIT_ANSWERED_MAX_MS = 7000;
const maxMsOf: Partial<Record<string, number>> = {
  conductor_commitUnsafePayload: COMMIT_ANSWERED_MAX_MS,
  conductor_addServerAsVoter: ADDED_MAX_MS,
};
/** Longer pauses between two of its turns are not its own: it is frozen, or writes. */
const TURN_MAX_MS = 250;

interface Turning {
  life: number;
  lastMs: number;
  /** What it has turned for. */
  sumMs: number;
}

/** Every call is answered while its process turns, also when that no longer leads. */
export const everyCallIsAnswered: Law = (broken) => {
  const turning = new Map<Machine, Turning>();
  const waiting = new Map<Machine, Map<Call, number>>();
  const turn = (machine: Machine): number => {
    const { life, nowMs } = machine;
    const known = turning.get(machine);
    if (known?.life !== life) {
      turning.set(machine, { life, lastMs: nowMs, sumMs: 0 });
      return 0;
    }
    known.sumMs += Math.max(0, Math.min(nowMs - known.lastMs, TURN_MAX_MS));
    known.lastMs = nowMs;
    return known.sumMs;
  };
  return {
    called: (machine, call) => {
      const calls = waiting.get(machine) ?? new Map<Call, number>();
      waiting.set(machine, calls.set(call, turning.get(machine)?.sumMs ?? 0));
    },
    answered: (machine, call) => void waiting.get(machine)?.delete(call),
    ended: (machine) => {
      waiting.delete(machine);
      turning.delete(machine);
    },
    observed: (machine) => {
      const sumMs = turn(machine);
      for (const [{ method, sinceMs }, fromMs] of waiting.get(machine) ?? []) {
        if (sumMs - fromMs > (maxMsOf[method] ?? ANSWERED_MAX_MS))
          return broken(`${machine.id} does not answer ${method}, which came at ${Math.round(sinceMs)}`);
      }
    },
  };
};

/** What became of the offers of one block. */
interface Offers {
  /** Without an answer. */
  open: number;
  /** One was acknowledged, or its outcome is not known. */
  mayBeIn: boolean;
}

/** Refusals that say nothing of the block itself. */
const ofTheServer: ReadonlySet<string | undefined> = new Set(['not-leader', 'leadership-lost', 'timeout']);

/**
 * A block of which every offer was refused is not committed, then or later; and no server refuses one that its own log holds
 * for a reason that has nothing to do with the block (rule 5), unless the chain may have moved back past it.
 */
export const refusedIsNeverCommitted: Law = (broken, note) => {
  const offers = new Map<string, Offers>();
  const inLog = new Set<string>();
  const committed = new Committed();
  let world: World | null = null;
  const mayBeGivenUp = (hash: string): boolean => {
    const block = world?.blocks.find(hash);
    return !!block && world?.verdicts.hasToStay(block) === false;
  };
  const judge = (hash: string): void => {
    const known = offers.get(hash);
    if (known?.open === 0 && !known.mayBeIn && inLog.has(hash))
      broken(`block ${hash.slice(0, 10)} is committed, and whoever offered it was told that it is refused`);
  };
  return {
    goesByPosition: true,
    watch: (watched) => {
      world = watched;
    },
    called: (_, call) => {
      const hash = offered(call);
      if (hash === null) return;
      const known = offers.get(hash) ?? { open: 0, mayBeIn: false };
      known.open++;
      offers.set(hash, known);
    },
    answered: ({ id, disk }, call, outcome) => {
      const hash = offered(call);
      const known = hash === null ? undefined : offers.get(hash);
      if (hash === null || known === undefined) return;
      known.open--;
      const { outcome: kind, reason } = outcomeOf(outcome);
      if (kind !== 'refused') known.mayBeIn = true;
      else note('an offered block is refused');
      if (kind === 'refused' && ofTheServer.has(reason) && holdsPayload(disk, { hash }) && !mayBeGivenUp(hash))
        broken(`${id} refuses block ${hash.slice(0, 10)} (${reason}), which is in its own log`);
      judge(hash);
    },
    observed: (machine, position) =>
      committed.advance(machine, position, ({ data }) => {
        const hash = data === null ? undefined : identityOf(data)?.hash;
        if (hash === undefined) return;
        inLog.add(hash);
        judge(hash);
      }),
  };
};

function outcomeOf(outcome: Outcome): { readonly outcome?: string; readonly reason?: string } {
  const data = outcome.kind === 'error' ? outcome.data : undefined;
  return data === undefined ? {} : (JSON.parse(data) as ReturnType<typeof outcomeOf>);
}

/** conductor_active is false from the answer to a pause to the next resume, and true otherwise, until the process ends (rule 22). */
export const activeIsWhatWasTold: Law = (broken, note) => {
  const told = new Told();
  const asked = new Map<Call, number>();
  return {
    started: (machine) => told.started(machine),
    handles: ['drain', 'bootstrap'],
    handled: (machine, event) => told.handled(machine, event),
    observed: (machine, position) => told.observed(machine, position),
    called: (machine, call) => {
      told.called(machine, call);
      const { isPaused, epoch } = told.of(machine);
      if (call.method === 'conductor_active' && isPaused !== null) asked.set(call, epoch);
    },
    answered: (machine, call, outcome) => {
      told.answered(machine, call, outcome);
      const { isPaused, epoch } = told.of(machine);
      if (asked.get(call) !== epoch || outcome.kind !== 'result') return void asked.delete(call);
      asked.delete(call);
      note('a conductor is asked whether it is active');
      if (outcome.json !== String(isPaused === false))
        broken(`${machine.id} is ${isPaused === true ? 'paused' : 'not paused'}, and says active: ${outcome.json}`);
    },
  };
};

/** Who is asked whether it leads does not say so when another has led a later term for longer than a lease (rules 14 and 34). */
export const oneSaysThatItLeads: Law = (broken) => {
  const reigns = new Reigns();
  return {
    goesByPosition: true,
    observed: (machine, position) => reigns.observed(machine, position),
    ended: (machine) => reigns.ended(machine),
    called: (machine, call) => reigns.called(machine, call),
    answered: (machine, call, outcome) => {
      const isYes = call.method === 'conductor_leader' && outcome.kind === 'result' && outcome.json === 'true';
      if (!isYes || reigns.isOverridden(machine)) return;
      const own = machine.conductor?.position().term ?? 0;
      for (const later of reigns.whoLedLater(machine, own, call.sinceMs))
        broken(`${machine.id} says that it leads, in term ${own}, and ${later}`);
    },
  };
};
