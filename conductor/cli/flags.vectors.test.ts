import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '#conductor/errors';
import { runConfig } from './flags-config.ts';
import { helpText } from './flags-help.ts';
import { parseFlags } from './flags-parse.ts';
import { envNameOf, flagTable } from './flags.ts';
import { formatDuration, parseDurationMs } from './flag-values.ts';

interface TheirFlag {
  readonly name: string;
  readonly env: readonly string[];
  readonly type: string;
  readonly default: string | number | boolean;
  readonly required: boolean;
}
interface StartCase {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly exitCode: number | null;
  readonly finalStdoutLine: string | null;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const theirFlags = (JSON.parse(readFileSync(join(folder, 'flags.json'), 'utf8')) as { flags: TheirFlag[] }).flags;
const startCases = (JSON.parse(readFileSync(join(folder, 'startup-errors.json'), 'utf8')) as { cases: StartCase[] })
  .cases;
const scratch = mkdtempSync(join(tmpdir(), 'conductor-flags-'));
afterAll(() => rmSync(scratch, { recursive: true }));

describe("op-conductor's flags", () => {
  test.each(theirFlags)('$name: variable, type, default and whether it is required', (theirs) => {
    const ours = flagTable.find((flag) => flag.name === theirs.name);
    expect(ours).toBeDefined();
    if (ours === undefined) return;
    expect([envNameOf(ours.name)]).toEqual(theirs.env);
    expect(ours.type).toBe(theirs.type === 'text' ? 'string' : theirs.type);
    expect(ours.isRequired).toBe(theirs.required);
    expect(ours.fallback).toBe(String(theirs.default));
  });

  test('the help page names every flag and variable', () => {
    const page = helpText('v1', [{ name: 'devnet', doc: 'x' }]);
    for (const flag of flagTable) {
      expect(page).toContain(`--${flag.name}`);
      expect(page).toContain(`[${envNameOf(flag.name)}]`);
    }
  });
});

/** Faults of the environment, which need a running process to show. */
const needsProcess =
  /port taken|storage dir below|log database|addr not ours|addr a bad name|node down|client down|not enabled|node refuses|sixty tries|stopped by|second bootstrap|help|version|without conductorEnabled/;
/** Ours differs on purpose: see the reasons. */
const oursDiffers: Readonly<Record<string, string>> = {
  'heartbeat timeout 2s': 'the election timeout is raised with it',
  'heartbeat timeout 1001ms': 'the election timeout is raised with it',
  'positional argument': 'a stray word is more often a mistyped command than meant',
  'server id with a slash': 'the id names a folder',
};

function start(one: StartCase): string | null {
  const files: Readonly<Record<string, string>> = {
    'rollup.json': '{"block_time":2}',
    'empty.json': '{}',
    'bad.json': '{',
    'extra.json': '{"block_time":2,"x":1}',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(scratch, name), content);
  const fill = (text: string): string =>
    text
      .replaceAll('<dir>', scratch)
      .replace(/(http|ws):\/\/<closed-port>/, '$1://127.0.0.1:1')
      .replace(/<(consensus|rpc|taken|closed)-port>/g, '25999')
      .replace(/<node-url>/g, 'http://127.0.0.1:1');
  try {
    runConfig(parseFlags(one.argv.map(fill), one.env).values);
    return null;
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigError);
    return (thrown as ConfigError).message;
  }
}

describe('recorded starts', () => {
  for (const one of startCases.filter((each) => !needsProcess.test(each.name))) {
    test(one.name, () => {
      const message = start(one);
      const differs = oursDiffers[one.name];
      if (one.exitCode === 1 && differs === undefined) expect(message, one.finalStdoutLine ?? '').not.toBeNull();
      if (one.exitCode === null && differs === undefined) expect(message).toBeNull();
      if (differs !== undefined) expect(message === null).toBe(one.exitCode !== null);
    });
  }
});

describe("Go's durations", () => {
  test.each([
    ['1.5s', 1500],
    ['2m0s', 120_000],
    ['300ms', 300],
    ['1h2m3s', 3_723_000],
    ['0', 0],
    ['-1s', -1000],
    ['100us', 0.1],
  ])('%s', (text, ms) => expect(parseDurationMs(text)).toBeCloseTo(ms));
  test.each(['', '10', 's', '1d', '1 s', '.s'])('%j is none', (text) => expect(parseDurationMs(text)).toBeUndefined());
  test('are printed as Go prints them', () => {
    expect([120_000, 1000, 500, 1500, 3_600_000].map(formatDuration)).toEqual([
      '2m0s',
      '1s',
      '500ms',
      '1.5s',
      '1h0m0s',
    ]);
  });
});
