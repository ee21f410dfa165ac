/**
 * Where in the kept results a goal's numbers are: one function per kind of measurement, each gives the numbers of
 * both sides in the order of their rounds. Null: that benchmark was not run, or has no such cell.
 */
import type { Implementation } from '../tests/cluster/node-process.ts';
import type { ResultRow } from './gaps/gaps.ts';
import type { Reading } from './judge.ts';
import type { BenchmarkName } from './benchmarks.ts';
import type { ClusterName } from './disagreement/clusters.ts';
import type { Sample } from './disagreement/rounds.ts';
import type { ResultRow as DisagreementRow } from './disagreement/verdict.ts';
import type { KeptResults } from './kept-results.ts';
import type { CommitLoad } from './rpc/commit-load.ts';
import type { ScriptMeasured } from './rpc/k6-script-rounds.ts';
import type { CommitMeasured } from './rpc/commits.ts';
import type { ReadMeasured } from './rpc/reads.ts';
import type { SteadyMeasured } from './steady/steady.ts';
import type { Measured as Validated, Mode } from './validation/cells.ts';

/** Where one quantity is found. */
export interface FindReading {
  /** The benchmark that keeps it. */
  readonly source: BenchmarkName;
  /** Null where that was not measured. */
  readonly in: (kept: KeptResults) => Reading | null;
}

interface RpcResults {
  readonly reads: readonly ReadMeasured[];
  readonly commits: readonly CommitMeasured[];
}

/** Rounds of one read method at a number of users. */
export function reads(method: string, users: number, pick: (one: ReadMeasured) => number): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<RpcResults>('rpc')?.reads.filter((one) => one.method === method && one.users === users);
    return measured === undefined ? null : bySide(measured, pick);
  };
  return { source: 'rpc', in: find };
}

/** Rounds of commits of one size by so many clients. A refused round is a fault of ours, and no number of theirs. */
export function commits(bytes: number, clients: number, pick: (load: CommitLoad) => number): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const all = kept.of<RpcResults>('rpc')?.commits;
    const measured = all?.filter((one) => one.bytes === bytes && one.clients === clients);
    if (measured === undefined || measured.length === 0) return null;
    const refusal = measured.find(({ side, load }) => side === 'bun' && load.refusal !== '')?.load.refusal;
    const answered = measured.filter(({ load }) => load.refusal === '');
    const reading = bySide(answered, ({ load }) => pick(load)) ?? { ours: [] };
    return refusal === undefined ? reading : { ...reading, fault: `refused: ${refusal}` };
  };
  return { source: 'rpc', in: find };
}

/** Milliseconds from the kill of a leader of the bare replicated log to the next commit by another. */
export const logFailover: FindReading = { source: 'failover', in: findLogFailover };

function findLogFailover(kept: KeptResults): Reading | null {
  const measured = kept.of<{ readonly side: Implementation; readonly samplesMs: readonly number[] }[]>('failover');
  const of = (wanted: Implementation): readonly number[] =>
    measured?.find(({ side }) => side === wanted)?.samplesMs ?? [];
  return measured === null ? null : { ours: of('bun'), theirs: of('go') };
}

/** Samples of one harm of a benchmark that hurts whole services: on development sequencers or on the real net. */
export function harmed(source: 'gaps' | 'realnet', harm: string, pick: 'gapMs' | 'startMs'): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const rows = kept.of<readonly ResultRow[]>(source)?.filter((row) => row.harm === harm);
    if (rows === undefined || rows.length === 0) return null;
    const of = (wanted: string): number[] =>
      rows
        .filter(({ side }) => side === wanted)
        .flatMap(({ samples }) => samples.map((sample) => sample[pick] ?? Infinity));
    const broken = rows.find(({ side }) => side === 'bun')?.samples.flatMap((sample) => sample.broken)[0];
    const reading = { ours: of('bun'), theirs: of('go') };
    return broken === undefined ? reading : { ...reading, fault: broken };
  };
  return { source, in: find };
}

/**
 * Times of one row of *disagreement* on one of our clusters, beside op-conductor's. A chain that never went on counts as
 * Infinity; what was broken is a fault.
 */
export function disagreed(row: string, cluster: ClusterName, pick: 'ms' | 'thenMs'): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const all = kept.of<readonly DisagreementRow[]>('disagreement')?.filter((one) => one.row === row);
    const of = (wanted: ClusterName): readonly Sample[] => all?.find((one) => one.cluster === wanted)?.samples ?? [];
    const times = (wanted: ClusterName): number[] => of(wanted).map((sample) => sample[pick] ?? Infinity);
    if (all === undefined || of(cluster).length === 0) return null;
    const broken = of(cluster).flatMap(({ faults }) => faults)[0];
    const reading = { ours: times(cluster), theirs: times('go') };
    return broken === undefined ? reading : { ...reading, fault: broken };
  };
  return { source: 'disagreement', in: find };
}

/** One quantity of nets that validate their commits, by that of nets that do not, pass by pass: percent. */
export function validationCost(bytes: number, pick: (one: Validated) => number): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<readonly Validated[]>('validation')?.filter((one) => one.bytes === bytes);
    const of = (mode: Mode): number[] => measured?.filter((one) => one.mode === mode).map(pick) ?? [];
    const [off, leader] = [of('off'), of('leader')];
    if (off.length === 0 || leader.length === 0) return null;
    return { ours: leader.map((value, pass) => (value / (off[pass] ?? Number.NaN)) * 100) };
  };
  return { source: 'validation', in: find };
}

/** The same quantity of nets of one mode. */
export function validated(bytes: number, mode: Mode, pick: (one: Validated) => number): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<readonly Validated[]>('validation');
    const ours = measured?.filter((one) => one.bytes === bytes && one.mode === mode).map(pick) ?? [];
    return ours.length === 0 ? null : { ours };
  };
  return { source: 'validation', in: find };
}

/** Percent of our rounds of a harm that stayed within the limit which the benchmark itself sets. */
export function withinLimit(harm: string): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const row = kept.of<readonly ResultRow[]>('gaps')?.find((one) => one.harm === harm && one.side === 'bun');
    if (row === undefined || row.samples.length === 0) return null;
    const times = row.samples.map(({ gapMs, startMs }) => (row.measure === 'gap' ? gapMs : (startMs ?? Infinity)));
    return { ours: [(times.filter((ms) => ms <= row.limitMs).length / times.length) * 100] };
  };
  return { source: 'gaps', in: find };
}

/** A cluster at one block a second, after a load. */
export function steady(pick: (one: SteadyMeasured) => readonly number[]): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<readonly SteadyMeasured[]>('steady');
    if (measured === null) return null;
    const of = (wanted: Implementation): number[] => measured.filter(({ side }) => side === wanted).flatMap(pick);
    return { ours: of('bun'), theirs: of('go') };
  };
  return { source: 'steady', in: find };
}

/** One of the values that a script's rounds have; thresholds that were missed are a fault. */
export function script(source: 'leader-kill' | 'fan-out' | 'soak', value: string): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<readonly ScriptMeasured[]>(source);
    if (measured === null) return null;
    const reading = bySide(measured, ({ values }) => values[value] ?? Number.NaN) ?? { ours: [] };
    const missed = measured.filter(({ side }) => side === 'bun').flatMap((one) => one.failedThresholds)[0];
    return missed === undefined ? reading : { ...reading, fault: `missed ${missed}` };
  };
  return { source, in: find };
}

function bySide<T extends { readonly side: Implementation }>(
  measured: readonly T[],
  pick: (one: T) => number,
): Reading | null {
  const of = (wanted: Implementation): number[] => measured.filter(({ side }) => side === wanted).map(pick);
  return measured.length === 0 ? null : { ours: of('bun'), theirs: of('go') };
}

interface SiteResults {
  readonly builds: readonly { readonly wallSeconds: number }[];
  /** Milliseconds from edit to sight, by page. */
  readonly edits: Readonly<Record<string, readonly number[]>>;
}

/** Numbers of the docs: of builds, or of edits. */
export function site(pick: (results: SiteResults) => readonly number[]): FindReading {
  const find = (kept: KeptResults): Reading | null => {
    const measured = kept.of<SiteResults>('site');
    return measured === null ? null : { ours: pick(measured) };
  };
  return { source: 'site', in: find };
}
