/**
 * The laws of members: a change is what its caller asked for, one at a time, and no leader takes one into its log that
 * those it reaches could not commit (thesis §4.1 and §4.2; rule 9).
 */
import { decodeConfiguration } from '#conductor/core/wire/configuration';
import { votersOf } from '#conductor/core/raft/quorum';
import {
  EntryType,
  Suffrage,
  type Configuration as Members,
  type Entry,
  type Server,
} from '#conductor/core/raft/types';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import { Contacts } from './contacts.ts';
import type { Law } from './oracle.ts';
import { isOwn, OwnChanges } from './own-changes.ts';

const changeMethods: readonly Call['method'][] = [
  'conductor_addServerAsVoter',
  'conductor_addServerAsNonvoter',
  'conductor_removeServer',
  'conductor_demoteVoter',
];
/** The first configuration of a cluster is nobody's call. */
const FOUNDED = 1;
/** A new voter is a nonvoter first. */
const ENTRIES_PER_CHANGE = 2;

/** Less than a leader waits for a new voter to catch up, by its own clock (four fifths of a request). */
const ON_ITS_WAY_MS = 3900;

/** What one process knows of its members, and was asked to change. */
interface Asked {
  /** Calls that may still have their change. */
  readonly calls: Set<Call>;
  members: Members | null;
  staged: Staged | null;
}

/** A voter that is on its way, in this term, and the calls that want it. */
interface Staged {
  readonly id: string;
  readonly term: number;
  /** When it was written, by the machine's clock. */
  readonly writtenMs: number;
  /** When its leader appended that, by its wall clock: with a slow disk the write comes later, by more or less. */
  readonly appendedMs: number;
  readonly calls: ReadonlySet<Call>;
}

/** Whether it was on its way still when its leader appended what is written now. */
function isOnItsWay({ writtenMs, appendedMs }: Staged, nowMs: number, nextAppendedMs: number): boolean {
  return nowMs < writtenMs + ON_ITS_WAY_MS && nextAppendedMs < appendedMs + ON_ITS_WAY_MS;
}

/** What became of one server. */
interface Change {
  readonly id: string;
  readonly before: Server | undefined;
  readonly after: Server | undefined;
}

/**
 * Changes of the membership are linearizable to those who make them: each entry of the log does to one server what a
 * call asked for, and nothing else; none is made while a new voter is brought up; of two calls that name the same
 * version one at most has its change; and nobody is given the address of another.
 */
export const changesAreTheCallers: Law = (broken) => {
  const entries = new Set<string>();
  const doneAt = new Map<bigint, Call>();
  const asked = new Map<Machine, Asked>();
  let calls = 0;
  const askedOf = (machine: Machine): Asked => {
    const known = asked.get(machine) ?? { calls: new Set<Call>(), members: null, staged: null };
    asked.set(machine, known);
    return known;
  };
  const judge = (machine: Machine, { index, term, appendedAt }: Entry, change: Change): void => {
    const known = askedOf(machine);
    const { id, after } = change;
    const askers = [...known.calls].filter((call) => asksFor(call, change));
    if (askers.length === 0)
      broken(`${machine.id} writes configuration ${index}, in which ${id} is ${saying(after)}: nobody asked for that`);
    const { staged } = known;
    const appendedMs = msOf(appendedAt);
    if (staged?.term === term && staged.id !== id && isOnItsWay(staged, machine.nowMs, appendedMs))
      broken(`${machine.id} writes configuration ${index}, which is about ${id}, while ${staged.id} is on its way`);
    const isStaged =
      after?.suffrage === Suffrage.nonvoter && askers.every(({ method }) => method === 'conductor_addServerAsVoter');
    known.staged = isStaged ? { id, term, writtenMs: machine.nowMs, appendedMs, calls: new Set(askers) } : null;
  };
  return {
    called: (machine, call) => {
      if (!changeMethods.includes(call.method)) return;
      calls++;
      askedOf(machine).calls.add(call);
    },
    answered: (machine, call, outcome) => {
      if (!changeMethods.includes(call.method)) return;
      const known = askedOf(machine);
      if (known.staged?.calls.has(call) === true) known.staged = null;
      if (!mayStillHappen(outcome)) known.calls.delete(call);
      const version = call.values.at(-1);
      if (outcome.kind !== 'result' || typeof version !== 'bigint' || version === 0n) return;
      const other = doneAt.get(version);
      if (other !== undefined)
        broken(
          `${machine.id} carries out ${call.method} for version ${version}, for which ${other.method} was carried out`,
        );
      doneAt.set(version, call);
    },
    ended: (machine) => void asked.delete(machine),
    observed: (machine, { configuration: { index, configuration } }) => {
      askedOf(machine).members = index === 0 ? null : configuration;
    },
    written: (machine, batch) => {
      const { id } = machine;
      for (const { entry } of batch.entries ?? []) {
        if (entry.type !== EntryType.configuration) continue;
        const members = decodeConfiguration(entry.data ?? new Uint8Array());
        if (new Set(members.servers.map(({ address }) => address)).size < members.servers.length)
          broken(`${id} writes configuration ${entry.index}, in which two servers have one address`);
        entries.add(`${entry.index} ${entry.term}`);
        if (entries.size > FOUNDED + ENTRIES_PER_CHANGE * calls)
          broken(
            `${id} writes configuration ${entry.index}, number ${entries.size}, after ${calls} calls for a change`,
          );
        const known = askedOf(machine);
        const before = known.members;
        known.members = members;
        if (before === null || !isOwn(machine, entry)) continue;
        for (const change of changesBetween(before, members)) judge(machine, entry, change);
      }
    },
  };
};

function changesBetween(before: Members, after: Members): readonly Change[] {
  const ids = new Set([...before.servers, ...after.servers].map(({ id }) => id));
  const find = ({ servers }: Members, sought: string): Server | undefined => servers.find(({ id }) => id === sought);
  return [...ids]
    .map((id) => ({ id, before: find(before, id), after: find(after, id) }))
    .filter((one) => one.before?.address !== one.after?.address || one.before?.suffrage !== one.after?.suffrage);
}

/** Whether a call may have had this done to that server. */
function asksFor({ method, values: [id, address] }: Call, change: Change): boolean {
  const { before, after } = change;
  if (id !== change.id) return false;
  if (method === 'conductor_removeServer') return after === undefined;
  if (method === 'conductor_demoteVoter')
    return after?.suffrage === Suffrage.nonvoter && after.address === before?.address;
  const isVoter = method === 'conductor_addServerAsVoter';
  // A new voter is taken out again where another server has its address.
  if (after === undefined) return isVoter && before?.suffrage === Suffrage.nonvoter;
  const mayVote = isVoter || before?.suffrage === Suffrage.voter;
  const keepsVote = after.suffrage === Suffrage.voter || before?.suffrage !== Suffrage.voter;
  return after.address === address && keepsVote && (mayVote || after.suffrage === Suffrage.nonvoter);
}

/** A moment as Go writes it, in milliseconds since the year 1. */
function msOf(appendedAt: Uint8Array): number {
  const view = new DataView(appendedAt.buffer, appendedAt.byteOffset, appendedAt.byteLength);
  return Number(view.getBigInt64(1)) * 1000 + view.getInt32(9) / 1e6;
}

function saying(server: Server | undefined): string {
  if (server === undefined) return 'no member any more';
  return `a ${server.suffrage === Suffrage.voter ? 'voter' : 'nonvoter'} at ${server.address}`;
}

/** The caller does not know: what it asked for may come later. */
function mayStillHappen(outcome: Outcome): boolean {
  const data = outcome.kind === 'error' ? outcome.data : undefined;
  return data !== undefined && (JSON.parse(data) as { readonly outcome?: string }).outcome === 'unknown';
}

/** From the append of a change to its commit: the longest pause between two tries to reach a voter, and a round. */
const COMMITTED_MAX_MS = 5000;

/** A change that a leader has in its log, and by whom it could be committed from then on. */
interface Taken {
  readonly index: number;
  readonly atMs: number;
  readonly voters: readonly string[];
}

/**
 * A leader takes no change of the members into its log that those it reaches could not commit: it could neither be
 * committed nor taken back. One that it has taken is committed soon, while it leads on and a majority stays as it was.
 */
export const takenChangesCommit: Law = (broken, note) => {
  let world: World | null = null;
  const contacts = new Contacts();
  const changes = new OwnChanges();
  const taken = new Map<Machine, Taken>();
  const follow = (seen: World): void => {
    for (const [machine, { index, atMs, voters }] of taken) {
      const isOver = (machine.conductor?.position().commitIndex ?? 0) >= index;
      const able = contacts.ableOf(machine, seen).filter(({ id }) => voters.includes(id));
      if (isOver || 2 * able.length <= voters.length) taken.delete(machine);
      else if (seen.nowMs - atMs > COMMITTED_MAX_MS)
        broken(`${machine.id} has configuration ${index} in its log since ${Math.round(atMs)}, and does not commit it`);
    }
  };
  return {
    watch: (watched) => {
      world = watched;
    },
    ended: (machine) => {
      changes.ended(machine);
      taken.delete(machine);
      contacts.forget(machine);
    },
    observed: (machine, position) => {
      if (world === null) return;
      changes.observed(machine, position);
      if (position.role !== 'leader') taken.delete(machine);
      if (contacts.look(world, machine, position)) follow(world);
    },
    written: (machine, batch) => {
      if (world === null) return;
      for (const { entry, before, after } of changes.of(machine, batch)) {
        const voters = votersOf(after);
        const heard = contacts.heardBy(machine, world);
        if (heard === null) continue;
        note('a change of the members is judged at its append');
        // One that just joins is not expected to help.
        const counted = voters.filter(
          (id) => id === machine.id || heard.includes(id) || !votersOf(before).includes(id),
        );
        if (2 * counted.length <= voters.length)
          broken(
            `${machine.id} takes configuration ${entry.index} into its log, with the voters ${voters.join(', ')}, and has lately heard of no others than ${counted.join(', ')}`,
          );
        taken.set(machine, { index: entry.index, atMs: world.nowMs, voters });
      }
    },
  };
};
