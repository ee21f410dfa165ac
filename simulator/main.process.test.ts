import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** `npm run sim -- …`, as it ends. */
function sim(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('npm run sim', () => {
  it('replays a run: the same story each time, and 0 when every law held', () => {
    const first = sim('replay', 'v1~seed-7~crash-em-0-0-1');
    expect(first).toMatchObject({ status: 0, stderr: '' });
    expect(first.stdout).toMatch(/s0 is killed, for 1 ms\n/);
    expect(first.stdout).toMatch(
      /every law held; \d+ blocks were published\ntrace [0-9a-f]{16}\nv1~seed-7~crash-em-0-0-1\n$/,
    );
    expect(sim('replay', 'v1~seed-7~crash-em-0-0-1').stdout).toBe(first.stdout);
  });

  it('replays to a moment after the last event, and no further', () => {
    const { stdout, status } = sim('replay', 'v1~seed-7~crash-em-0-0-1', '--after', '2300');
    expect(status).toBe(0);
    expect(stdout).toMatch(/\ntrace [0-9a-f]{16}\n/);
    const times = [...stdout.matchAll(/^ +(\d+\.\d{3}) {2}/gm)].map(([, time]) => Number(time));
    const killedAt = Number(/ (\d+\.\d{3}) {2}conductor s0 is killed/.exec(stdout)![1]);
    expect(Math.max(...times)).toBeGreaterThan(killedAt + 1);
    expect(Math.max(...times)).toBeLessThanOrEqual(killedAt + 2.3);
  });

  it('soaks for as long as it is told, with its rate and what never happened', () => {
    const { status, stdout } = sim('soak', '--minutes', '0.02', '--seed', '5', '--kind', 'single');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^soaking with seed 5\n\d+ runs, \d+ virtual seconds \(\d+ per second\)/);
    expect(stdout).toContain('  never: event allDown');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('a soak that %s ends tells what it did, with 130', async (signal) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), 'soak', '--seed', '5']);
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += String(chunk);
      if (stdout.startsWith('soaking')) child.kill(signal);
    });
    const [status] = (await once(child, 'close')) as [number | null];
    expect(status).toBe(130);
    expect(stdout).toMatch(/^soaking with seed 5\n\d+ runs, \d+ virtual seconds/);
    expect(stdout).toContain('  never: ');
  });

  it('makes a table into the file it is told, and of few runs into none of the documentation', () => {
    const documented = readFileSync(join(import.meta.dirname, '..', 'content', 'data', 'simulation.json'), 'utf8');
    const folder = mkdtempSync(join(tmpdir(), 'simulator-table-'));
    try {
      const out = join(folder, 'table.json');
      const kept = sim('table', '--runs', '1', '--out', out);
      expect(kept).toMatchObject({ status: 0, stderr: '' });
      expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ command: 'npm run sim -- table --runs 1' });
      const shown = sim('table', '--runs', '1');
      expect(shown.stdout).toBe(`${kept.stdout}\nnot kept: simulation.json is of 1000 runs; --out FILE keeps it\n`);
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(readFileSync(join(import.meta.dirname, '..', 'content', 'data', 'simulation.json'), 'utf8')).toBe(
      documented,
    );
  });

  it.each([
    [[], 'usage:'],
    [['replay'], 'usage:'],
    [['replay', 'v1~seed-x'], '"seed-x" is no setting of a run'],
    [['replay', 'v1~', '--after', '-5'], 'usage:'],
    [['replay', 'v1~', 'v1~'], 'usage:'],
    [['soak', '--minutes', '-1'], 'usage:'],
    [['soak', '--shard', '1/2', '--seed', '5'], 'usage:'],
    [['soak', '--shard', '3/2', '--corpus', '/nowhere', '--seed', '5'], '--shard 3/2: i/n'],
    [['soak', '--merge', '/nowhere'], 'there are no shards to merge'],
    [['soak', '--minutes', 'ten'], 'usage:'],
    [['soak', '--kind', 'constructor'], 'usage:'],
    [['soak', '--hours', '1'], 'usage:'],
    [['table', '--runs', '0'], 'usage:'],
    [['table', '--out', ''], 'usage:'],
    [['table', '--out', '/no/such/table.json'], 'there is no folder /no/such'],
    [['table', '--out', import.meta.dirname], 'is a folder'],
  ])('%j is a misuse: a sentence, and 2', (args, sentence) => {
    const { status, stderr, stdout } = sim(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
    expect(stdout).toBe('');
  });
});
