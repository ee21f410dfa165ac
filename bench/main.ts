/** `bun bench/main.ts <name> [--quick] [--only=go|bun]`: runs one benchmark; see README.md. */
import { buildGoNode } from './build-gonode.ts';
import { benchFailover } from './failover.ts';
import { benchGaps } from './gaps/gaps.ts';
import { benchIdle } from './idle.ts';
import { benchMemory } from './memory.ts';
import { parseOptions, type BenchOptions } from './options.ts';
import { benchRaft } from './raft.ts';
import { benchRpc } from './rpc/rpc.ts';
import { benchSimulator } from './sim.ts';
import { benchSite } from './site.ts';

const benchmarks: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  raft: benchRaft,
  failover: benchFailover,
  idle: benchIdle,
  memory: benchMemory,
  rpc: benchRpc,
  gaps: benchGaps,
  sim: benchSimulator,
  site: benchSite,
};

async function main([name = '', ...args]: string[]): Promise<void> {
  const benchmark = benchmarks[name];
  if (benchmark === undefined) {
    console.error(`usage: bun bench/main.ts ${Object.keys(benchmarks).join('|')} [--quick] [--only=go|bun]`);
    process.exitCode = 2;
    return;
  }
  const options = parseOptions(args);
  // The service is compared with op-conductor itself, not with the node built here; the simulator and the docs with nothing.
  const needsGoNode = !['rpc', 'gaps', 'sim', 'site'].includes(name);
  const failure = needsGoNode && options.sides.includes('go') ? await buildGoNode() : null;
  if (failure !== null) console.log(`${failure}; measuring Bun alone`);
  await benchmark(failure === null ? options : { ...options, sides: ['bun'] });
}

await main(process.argv.slice(2));
