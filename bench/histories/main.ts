/**
 * `npm run histories`: real conductors, clients on all of them, faults; what the clients saw is judged by a checker that is
 * not ours. README.md says how. What broke a law stays in .cache/bench/histories with a picture.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SmallDisk } from '../../tests/cluster/small-disk.ts';
import { benchDirectory, removeLeftovers, removeRunDirectoryAtExit, runDirectory } from '../directories.ts';
import { effortOf, KEPT_DIRECTORY, KeptResults } from '../kept-results.ts';
import { takeLock } from '../lock.ts';
import { CommandLineError } from '../options.ts';
import { endOrphansWithUs } from '../orphans.ts';
import { prepareOurs } from '../prepare.ts';
import { writeResults } from '../results.ts';
import { whyNoReboot } from './faults.ts';
import { buildJudge, judgeHistory, notKept } from './judge.ts';
import { parseHistoriesOptions, usage, type HistoriesOptions } from './options.ts';
import { logPath, playHistory } from './play.ts';
import { describeReport, merged, reportOf, type HistoriesReport, type Judged } from './report.ts';

/** As many as a whole run plays; fewer are less effort. */
const WHOLE = 1000;
const INTERRUPTED = 130;
const repository = join(import.meta.dirname, '../..');
const interruption = Promise.withResolvers<null>();
let isInterrupted = false;
let isPlaying = false;

async function main(options: HistoriesOptions): Promise<void> {
  takeLock(join(benchDirectory(), 'lock'));
  removeLeftovers(benchDirectory());
  removeRunDirectoryAtExit();
  endOrphansWithUs();
  const missing = await buildJudge();
  if (missing !== null) throw new CommandLineError(missing);
  const versions = await prepareOurs();
  for (const why of [whyNoSmallDisk(), whyNoReboot()]) if (why !== null) console.log(`left out: ${why}`);
  console.log('left out: steps of the wall clock, which is that of the whole machine');
  isPlaying = true;
  const report = await playAll(options);
  console.log(describeReport(report));
  if (report.unplayed.length > 0 || Object.values(report.notKept).some((times) => times > 0)) process.exitCode = 1;
  if (!options.isTrial) keep(report, versions);
  if (isInterrupted) process.exit(INTERRUPTED);
}

async function playAll({ count, seed: first, minutes }: HistoriesOptions): Promise<HistoriesReport> {
  const startedMs = performance.now();
  const judged: Judged[] = [];
  const unplayed: { seed: number; why: string }[] = [];
  const folder = join(benchDirectory(), 'histories');
  mkdirSync(folder, { recursive: true });
  for (let seed = first; seed < first + count; seed += 1) {
    if (minutes !== null && performance.now() - startedMs > minutes * 60_000) break;
    const path = join(folder, `${seed}.jsonl`);
    try {
      const played = await Promise.race([playHistory(seed, runDirectory(), path), interruption.promise]);
      if (played === null) break;
      const verdict = await judgeHistory(path);
      judged.push({ played, verdict });
      if (played.trouble !== null) unplayed.push({ seed, why: played.trouble });
      tell({ played, verdict }, path);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      console.log(`seed ${seed}: ${why}`);
      unplayed.push({ seed, why });
    }
  }
  return reportOf(judged, unplayed);
}

/** A line of it; its files go when nothing was wrong. */
function tell({ played, verdict }: Judged, path: string): void {
  const { seed, faults, trouble } = played;
  const wrong = [...notKept(verdict), ...(trouble === null ? [] : [trouble])];
  const done = faults.map(({ kind, server }) => `${kind} ${server}`).join(', ');
  console.log(`seed ${seed}: ${wrong.length === 0 ? 'kept' : wrong.join('; ')} (${verdict.calls} calls; ${done})`);
  if (wrong.length === 0) for (const file of [path, logPath(path)]) rmSync(file);
  else console.log(`seed ${seed}: see ${relative(repository, verdict.picture ?? path)}`);
}

/** Into bench/results, together with what is kept of the same commit. */
function keep(report: HistoriesReport, versions: Readonly<Record<string, string>>): void {
  const kept = new KeptResults(KEPT_DIRECTORY);
  const before = kept.report('histories');
  const isSame = before !== null && before.versions['commit'] === versions['commit'];
  const results = isSame ? merged(kept.of<HistoriesReport>('histories') as HistoriesReport, report) : report;
  const effort = Math.min(results.histories / WHOLE, 1);
  const least = before === null ? 0 : effortOf(before);
  writeResults(
    {
      ...{
        isQuick: false,
        effort,
        sides: ['bun'],
        rounds: null,
        matching: null,
        keepsAnyway: isSame && effort >= least,
      },
      ...{ leftOut: [], versions },
    },
    { name: 'histories', method: { histories: results.histories }, results },
  );
}

function whyNoSmallDisk(): string | null {
  const disk = SmallDisk.mount(join(runDirectory(), 'disk'));
  if (typeof disk === 'string') return disk;
  disk[Symbol.dispose]();
  return null;
}

// What was played is kept, the one under way is not; and what was started hears of the end.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isInterrupted || !isPlaying) process.exit(INTERRUPTED);
    isInterrupted = true;
    interruption.resolve(null);
  });

try {
  const options = parseHistoriesOptions(process.argv.slice(2));
  if (options === null) console.log(usage);
  else await main(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof CommandLineError) console.error(usage);
  process.exitCode = 2;
}
