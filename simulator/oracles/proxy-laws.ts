/** The law of proxied calls: whoever asks the node or its client through a conductor is served (rule 23). */
import { methodTable } from '#conductor/core/rpc/methods';
import { proxiesWaitingMax } from '#conductor/core/rpc/proxy';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import { canWork } from './meanwhile-laws.ts';
import type { Law } from './oracle.ts';
import { Reigns } from './reigns.ts';

const targets: ReadonlyMap<string, string> = new Map(
  methodTable.flatMap((row) => ('proxy' in row ? [[row.name, row.proxy.target] as const] : [])),
);

/** From a call to its answer no more passes where nothing is wrong, milliseconds. */
const PROMPT_MS = 250;
/** Answered whoever leads, as it is set on every client. */
const ofEverybody: ReadonlySet<string> = new Set(
  methodTable.flatMap((row) => ('proxy' in row && row.proxy.isForFollowers === true ? [row.name] : [])),
);

/** What there was when a call came. */
interface Waiting {
  /** Calls for the same backend that waited then. */
  readonly others: number;
  /** In which this server could serve it; null where it could not. */
  readonly term: number | null;
}

/**
 * A proxied call is turned away for want of room only while as many others wait as may, and a leader that is sure of its
 * office, whose node and client are well, has an answer, whatever failed before.
 */
export const proxiedIsServed: Law = (broken, note) => {
  let world: World | null = null;
  const waiting = new Map<Machine, Map<Call, Waiting>>();
  const termOfAble = (machine: Machine): number | null => {
    const position = machine.conductor?.position();
    const isAble = position?.role === 'leader' && position.isSure && world !== null && canWork(world, machine, []);
    return isAble ? position.term : null;
  };
  return {
    watch: (watched) => {
      world = watched;
    },
    ended: (machine) => void waiting.delete(machine),
    called: (machine, call) => {
      const target = targets.get(call.method);
      if (target === undefined) return;
      const calls = waiting.get(machine) ?? new Map<Call, Waiting>();
      const others = [...calls.keys()].filter(({ method }) => targets.get(method) === target).length;
      waiting.set(machine, calls.set(call, { others, term: termOfAble(machine) }));
    },
    answered: (machine, call, outcome) => {
      const known = waiting.get(machine)?.get(call);
      if (known === undefined) return;
      waiting.get(machine)?.delete(call);
      const isPrompt = machine.worldMs - call.sinceMs <= PROMPT_MS;
      const isAble = known.term !== null && isPrompt && known.term === termOfAble(machine);
      if (isAble) note('a proxied call is answered by a leader that is well');
      if (outcome.kind === 'result') return;
      if (outcome.message.includes('already wait') && known.others < proxiesWaitingMax)
        broken(`${machine.id} turns ${call.method} away beside ${known.others} others: ${outcome.message}`);
      else if (isAble)
        broken(
          `${machine.id} leads, its node and its client are well, and it answers ${call.method}: ${outcome.message}`,
        );
    },
  };
};

/**
 * What a node or its client says is passed on by whoever leads, or is overridden, and by nobody else: what others hold may be
 * behind, or beside the chain. Nor is it by one whom another has followed in a later term for longer than a lease.
 */
export const proxiedByLeaders: Law = (broken, note) => {
  const reigns = new Reigns();
  return {
    goesByPosition: true,
    observed: (machine, position) => reigns.observed(machine, position),
    ended: (machine) => reigns.ended(machine),
    called: (machine, call) => reigns.called(machine, call),
    answered: (machine, { method, sinceMs }, { kind }) => {
      if (kind !== 'result' || !targets.has(method) || ofEverybody.has(method) || reigns.isOverridden(machine)) return;
      const position = machine.conductor?.position();
      note('a proxied call is passed on');
      // It may have been a leader when it decided on the answer, earlier in the same turn.
      const led = reigns.termOf(machine);
      if (position?.role !== 'leader' && led === undefined)
        return broken(`${machine.id} does not lead, and passes ${method} on`);
      const own = Math.max(led ?? 0, position?.role === 'leader' ? position.term : 0);
      for (const later of reigns.whoLedLater(machine, own, sinceMs))
        broken(`${machine.id} passes ${method} on in term ${own}, and ${later}`);
    },
  };
};
