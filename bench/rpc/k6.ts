/**
 * Runs k6 scripts. k6 comes from PATH, or is built once with Go into the git-ignored .tools folder; where
 * neither works there is a sentence that says so, and whoever needs it skips.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findGoProgram, needGoProgram, type Found, type GoProgram } from '../go-build.ts';

const program: GoProgram = { name: 'k6', module: 'go.k6.io/k6@v1.8.1', package: '.' };

/** The part of k6's end-of-test summary that is read here. */
interface K6Summary {
  readonly metrics: Readonly<
    Record<
      string,
      {
        readonly values: Readonly<Record<string, number>>;
        readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
      }
    >
  >;
}

/** The end of a run. */
export interface K6Run {
  readonly summary: K6Summary;
  /** Thresholds of the script that were missed. */
  readonly failedThresholds: readonly string[];
}

/** Path of a k6 that is here already, or null. */
export function findK6(): string | null {
  return Bun.which('k6') ?? findGoProgram(program);
}

/** As `findK6`, after building it where Go is installed. */
export async function needK6(): Promise<Found> {
  const path = findK6();
  return path === null ? needGoProgram(program) : { path };
}

/** Runs a script of ./k6 with settings in its environment; throws with its output when it could not run. */
export async function runK6(
  path: string,
  script: string,
  settings: Readonly<Record<string, string>>,
  directory: string,
): Promise<K6Run> {
  const summaryPath = join(directory, `k6-${process.pid}-${Date.now()}.json`);
  const child = Bun.spawn(
    [
      path,
      'run',
      '--quiet',
      '--no-color',
      '--no-usage-report',
      '--address',
      '',
      join(import.meta.dirname, 'k6', script),
    ],
    { env: { ...process.env, ...settings, SUMMARY_PATH: summaryPath }, stdout: 'pipe', stderr: 'pipe' },
  );
  const [output, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  if (!existsSync(summaryPath)) throw new Error(`k6 did not run ${script}:\n${(output + errors).slice(-2000)}`);
  const summary = JSON.parse(readFileSync(summaryPath, 'utf8')) as K6Summary;
  rmSync(summaryPath);
  const failedThresholds = Object.entries(summary.metrics).flatMap(([metric, { thresholds = {} }]) =>
    Object.entries(thresholds)
      .filter(([, { ok }]) => !ok)
      .map(([limit]) => `${metric} ${limit}`),
  );
  return { summary, failedThresholds };
}
