/**
 * `npm run bench -- profiles`: where the leader's time goes while blocks of each size are committed. A profile is taken
 * through the conductor's own --pprof flags and kept as folded stacks in profiles/ beside the results, a flame graph's input.
 */
import { freePorts } from '../../tests/cluster/free-ports.ts';
import { Seeded } from '../../tests/cluster/seeded.ts';
import { amountAt, type BenchRun } from '../options.ts';
import { runDirectory } from '../directories.ts';
import { writeResults } from '../results.ts';
import { BlockMaker } from '../rpc/blocks.ts';
import { commitAll } from '../rpc/commit-load.ts';
import { Conductors } from '../rpc/conductors.ts';
import { foldProfile, type CpuProfile } from './fold.ts';

const NODES = 3;
const CELLS = [
  { name: 'commit-1kB', bytes: 1_000, piece: 500 },
  { name: 'commit-100kB', bytes: 100_000, piece: 100 },
  { name: 'commit-1MB', bytes: 1_000_000, piece: 10 },
];
/** Before each profile: code is compiled while it runs. */
const WARM_UP_PIECES = 3;
const SECONDS = { full: 8, quick: 3 };
const SHOWN = 12;

export async function benchProfiles(options: BenchRun): Promise<void> {
  const seconds = amountAt(options, SECONDS);
  const [port] = freePorts(1) as [number];
  const flags = ['--pprof.enabled', '--pprof.addr=127.0.0.1', `--pprof.port=${port}`];
  const flagsOf = (id: string): readonly string[] => (id === 'sequencer-0' ? flags : []);
  await using cluster = await Conductors.start({ side: 'bun', count: NODES, parent: runDirectory(), flagsOf });
  const maker = new BlockMaker(Seeded.announced('profiles'));
  const results: object[] = [];
  const files: Record<string, string> = {};
  for (const { name, bytes, piece } of CELLS) {
    const commitPiece = async (): Promise<void> => {
      const { refusal } = await commitAll(cluster, maker.prepare({ bytes, blocks: piece }), 1);
      if (refusal !== '') throw new Error(`a block was refused: ${refusal}`);
    };
    for (let at = 0; at < WARM_UP_PIECES; at += 1) await commitPiece();
    const end = new AbortController();
    const taken = takeProfile(port, seconds).finally(() => end.abort());
    let commits = 0;
    for (; !end.signal.aborted; commits += piece) await commitPiece();
    const { folded, ...profile } = foldProfile(await taken);
    files[`profiles/${name}.folded`] = folded;
    results.push({ name, commits, ...profile });
    console.log(
      `${name}: leader busy ${profile.busyMs} of ${profile.totalMs} ms, ${commits} commits; self time in ms:`,
    );
    for (const { frame, ms } of profile.self.slice(0, SHOWN)) console.log(`  ${String(ms).padStart(8)}  ${frame}`);
  }
  writeResults(options, { name: 'profiles', method: { seconds, nodes: NODES }, results, files });
}

async function takeProfile(port: number, seconds: number): Promise<CpuProfile> {
  const response = await fetch(`http://127.0.0.1:${port}/debug/pprof/profile?seconds=${seconds}`);
  if (!response.ok) throw new Error(`no profile: ${await response.text()}`);
  return (await response.json()) as CpuProfile;
}
