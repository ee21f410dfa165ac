/** How much the laws had to judge in a run, by how often each thing was told. */
import type { RunObserver, TimesTold } from './observer.ts';
import type { LawName } from './oracles/laws.ts';
import type { Oracle } from './oracles/oracle.ts';

/**
 * For each law how many of the things it looks at there were: what it was told, the end of the run where it looks
 * back at that, and, where it waits for an exception, every event that could have thrown one.
 */
export function tallyOf(
  told: TimesTold,
  names: readonly LawName[],
  oracles: readonly Oracle[],
): ReadonlyMap<LawName, number> {
  const hooks = Object.keys(told) as (keyof RunObserver)[];
  return new Map(
    names.map((law, at) => {
      const oracle = oracles[at]!;
      const heard = hooks.filter((hook) => oracle[hook] !== undefined);
      const counts = heard.map((hook) => told[hook === 'threw' ? 'handled' : hook]);
      return [law, counts.reduce((sum, times) => sum + times, oracle.finish === undefined ? 0 : 1)];
    }),
  );
}
