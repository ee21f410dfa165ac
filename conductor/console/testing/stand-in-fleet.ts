/**
 * A process with many clusters of stand-ins, for measurements of the console: `bun stand-in-fleet.ts COUNT BLOCK_MS`
 * prints one line of JSON with the URLs of each, and has all of them commit a block in turn until it is ended.
 */
import { StandInCluster } from './stand-in-cluster.ts';

const [count, blockMs] = process.argv.slice(2).map(Number);
if (!(Number(count) > 0 && Number(blockMs) > 0)) throw new RangeError('usage: stand-in-fleet.ts COUNT BLOCK_MS');

const fleet = Array.from({ length: count! }, (_, at) => new StandInCluster({ name: `chain-${at + 1}` }));
for (const cluster of fleet) cluster.elect(0);
process.stdout.write(`${JSON.stringify(fleet.map(({ servers }) => servers.map(({ url }) => url)))}\n`);

// Spread over the block time, as the clocks of chains are.
for (const [at, cluster] of fleet.entries())
  setTimeout(() => setInterval(() => cluster.commit(), blockMs), (at * blockMs!) / fleet.length);
