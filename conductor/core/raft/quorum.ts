/**
 * Majority arithmetic over the voters of a configuration (thesis §3.6, §4.3). Pure functions;
 * nonvoters never count, and a server that is not a voter never counts itself.
 */
import { Suffrage, type Configuration } from './types.ts';

/** Configurations never change, and are asked for their voters with every event. */
const votersByConfiguration = new WeakMap<Configuration, readonly string[]>();

export function votersOf(configuration: Configuration): readonly string[] {
  const known = votersByConfiguration.get(configuration);
  if (known !== undefined) return known;
  const voters = configuration.servers.filter(({ suffrage }) => suffrage === Suffrage.voter).map(({ id }) => id);
  votersByConfiguration.set(configuration, voters);
  return voters;
}

/** Whether anybody but this server votes. */
export function hasOtherVoters(configuration: Configuration, self: string): boolean {
  const voters = votersOf(configuration);
  return voters.length > 1 || (voters.length === 1 && voters[0] !== self);
}

/** Smallest number of voters that is a majority; 1 for none, so that nothing is ever decided by nobody. */
export function quorumSize(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/** Whether the voters that satisfy `holds` are a majority of all voters. False without voters. */
export function hasQuorum(configuration: Configuration, holds: (id: string) => boolean): boolean {
  const voters = votersOf(configuration);
  return voters.filter(holds).length >= quorumSize(voters.length);
}

/**
 * The largest index stored durably by a majority of voters: the value at the quorum's place when match
 * indexes are sorted descending. 0 without voters.
 */
export function quorumMatch(configuration: Configuration, matchOf: (id: string) => number): number {
  const voters = votersOf(configuration);
  if (voters.length === 0) return 0;
  // Sorted as they come: this is asked with every event, and voters are few.
  const sorted: number[] = [];
  for (const id of voters) {
    const match = matchOf(id);
    let at = sorted.length;
    sorted.push(match);
    for (; at > 0 && sorted[at - 1]! < match; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = match;
  }
  return sorted[quorumSize(voters.length) - 1]!;
}
