/** Lets the simulator hunt for a mutant, and believes it only where the core without the mutant passes. */
import { execute } from '../../simulator/run.ts';
import { runFromText } from '../../simulator/run-value.ts';
import { hunt } from './hunting.ts';
import type { HuntOrder, Outcome } from './outcome.ts';

export async function huntMutant(order: HuntOrder): Promise<Outcome> {
  const result = await hunt(order);
  if (result.kind !== 'killed' || order.path === null || isInnocent(result.shrunk)) return result;
  // Shrinking has led to a run that the core fails anyway: what was found first still counts, if it does.
  if (isInnocent(result.found)) return { ...result, shrunk: result.found, shrunkEvents: result.events };
  return huntMutant({ ...order, skip: [...order.skip, result.round] });
}

/** Whether the core as it is passes that run: only then was it the mutant that failed. */
function isInnocent(text: string): boolean {
  return execute(runFromText(text)).violation === null;
}
