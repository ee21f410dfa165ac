/** What is said of members that op-conductor reaches and we never can, as at the name of a service where a port belongs. */
import { addressFault } from '#conductor/adapters/tcp/address';
import { Suffrage, type Configuration } from '#conductor/core/raft/types';

/** One sentence for each such member. */
export function addressWarnings({ servers }: Configuration): string[] {
  return servers.flatMap(({ id, address, suffrage }) => {
    const fault = addressFault(address);
    if (fault === null) return [];
    const method = suffrage === Suffrage.voter ? 'conductor_addServerAsVoter' : 'conductor_addServerAsNonvoter';
    return [
      `Server ${id} can never be reached from here: ${fault}. First give it an address with a number as its port, by ${method} with the same id on the op-conductor that leads.`,
    ];
  });
}
