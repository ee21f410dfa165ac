/**
 * Every recorded start of op-conductor, run with our program: the same exit code, and an error that names
 * what op-conductor names, unless a row of the table of differences says otherwise.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flagTable } from '#conductor/cli/flags';
import { startDifferenceOf } from '#conductor/cli/startup-differences';
import { StartupWorld, type Outcome, type RecordedStart } from '../startup-world.ts';

const vectors = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../../../conductor/cli/testdata');
const { cases } = JSON.parse(readFileSync(join(vectors, 'startup-errors.json'), 'utf8')) as { cases: RecordedStart[] };

/** What op-conductor puts in front of its reasons. */
const WRAPPERS =
  /^((failed to (setup|start|read config|create conductor|initialize \w+( control)?|create raft( consensus| tcp transport)?|create \w+ rpc client|connect to sequencer|load rollup config|start [\w-]+ server)|operation failed permanently after \d+ attempts|invalid config): )+/;
/** Share of the words of their reason that ours must have where it is worded differently. */
const SHARED_WORDS_MIN = 0.5;
const AT_ONCE = 3;

const folder = mkdtempSync(join(tmpdir(), 'conductor-starts-'));
const world = new StartupWorld(folder);
const outcomes = new Map<string, Promise<Outcome>>();

beforeAll(async () => {
  await world.open();
  // A few at once; those that share a storage directory one after the other.
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve<unknown>(null));
  const laneOf = new Map<string, number>();
  for (const [position, one] of cases.entries()) {
    const storage = one.argv.find((word) => word.startsWith('--raft.storage.dir=')) ?? one.name;
    const lane = laneOf.get(storage) ?? position % AT_ONCE;
    laneOf.set(storage, lane);
    const outcome = (lanes[lane] as Promise<unknown>).then(() => world.run(one));
    outcomes.set(one.name, outcome);
    lanes[lane] = outcome.catch(() => null);
  }
});

afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The message of a "lvl=crit" line, unquoted. */
function reasonIn(line: string): string {
  const text = /message=("(?:[^"\\]|\\.)*"|\S+)/.exec(line)?.[1] ?? '';
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

/** Ours has their reason as it is, or else what it names and most of its words. */
function expectAsClear(ours: string, opConductor: string): void {
  const reason = opConductor.replace(WRAPPERS, '');
  if (ours.includes(reason)) return;
  const named = flagTable.map((flag) => flag.name).filter((name) => reason.includes(`-${name}`));
  for (const name of named) expect(ours).toContain(name);
  const words = [...new Set(reason.toLowerCase().match(/[a-z]{4,}/g))].filter(
    (word) => !/^(consensus|failed)$/.test(word),
  );
  const shared = words.filter((word) => ours.toLowerCase().includes(word));
  expect(shared.length / words.length, `${ours}\nagainst: ${reason}`).toBeGreaterThanOrEqual(SHARED_WORDS_MIN);
}

describe('recorded starts', { timeout: 240_000 }, () => {
  test.each(cases)('$name', async (one) => {
    const { exitCode, output } = await (outcomes.get(one.name) as Promise<Outcome>);
    const lines = output.trimEnd().split('\n');
    const difference = startDifferenceOf(one.name);
    if (difference !== undefined) {
      expect(output).toMatch(difference.says);
      expect(exitCode).toBe(difference.exitCode);
      return;
    }
    expect(exitCode, output).toBe(one.exitCode);
    if (one.exitCode === 1) {
      const last = lines.at(-1) as string;
      expect(last).toContain('lvl=crit msg="Application failed" message=');
      expectAsClear(reasonIn(last), reasonIn(one.finalStdoutLine ?? ''));
    }
    if (one.firstStdoutLine !== null) expect(lines[0]).toContain(one.firstStdoutLine);
    if (one.exitCode === 0 && one.finalStdoutLine?.includes('OpConductor stopped') === true)
      expect(lines.at(-1)).toContain('lvl=info msg="OpConductor stopped"');
    if (one.exitCode === null) expect(output).not.toContain('lvl=crit');
    for (const variable of /env_var="([A-Z_]+)/.exec(one.warnings?.join('\n') ?? '')?.slice(1) ?? [])
      expect(output).toMatch(new RegExp(`lvl=warn msg="Unknown env var" .*env_var=${variable}`));
  });
});
