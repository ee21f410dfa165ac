import { expect, test } from 'vitest';
import { parseFlags } from '#conductor/cli/flags-parse';
import { profilingConfig, startProfiling } from './profiling.ts';

/** What is written, and the warnings at the start. */
async function start(...words: readonly string[]) {
  const { values } = parseFlags(words, {}, [], () => undefined);
  const config = profilingConfig(values);
  const warnings: unknown[] = [];
  const logger = { log: (level: string, _: string, fields?: unknown) => level === 'warn' && warnings.push(fields) };
  // What is due is written at the end.
  if (config.file === null) await startProfiling(config, { logger, isLeading: () => false }).stop();
  return { file: config.file, warnings };
}

test.each(['goroutine', 'threadcreate', 'block', 'mutex', 'allocs'])(
  '--pprof.type=%s, which op-conductor takes without effect, is a warning',
  async (type) => {
    const { file, warnings } = await start(`--pprof.type=${type}`, '--pprof.path=/tmp/x');
    expect(file).toBeNull();
    expect(warnings).toEqual([
      { reason: `--pprof.type=${type} is a profile of Go's runtime, which is not here: cpu and heap are written` },
    ]);
  },
);

test('so is a type without a path', async () => {
  const { file, warnings } = await start('--pprof.type=cpu');
  expect(file).toBeNull();
  expect(warnings).toEqual([{ reason: '--pprof.type needs --pprof.path, the file to write' }]);
});

test('without a type nothing is written, and nothing said', async () => {
  expect(await start('--pprof.path=/tmp/x')).toEqual({ file: null, warnings: [] });
});

test('cpu and heap are written where there is a path', async () => {
  expect((await start('--pprof.type=heap', '--pprof.path=/tmp/x')).file).toEqual({ type: 'heap', path: '/tmp/x' });
});
