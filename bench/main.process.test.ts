/** The command line of the benchmarks, and what is left when one is killed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../tests/cluster/wait.ts';
import { isAlive } from '#conductor/adapters/process/process-identity';

const GONE_MS_MAX = 10_000;

function bench(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const command = [process.execPath, join(import.meta.dirname, 'main.ts'), ...words];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: { ...process.env, ...env } });
  return { exitCode, output: stdout.toString(), complaints: stderr.toString() };
}

test('--help ends with 0, and what is not known with 2', () => {
  expect(bench(['--help'])).toMatchObject({ exitCode: 0, output: expect.stringContaining('exit codes') });
  expect(bench(['nothing'])).toMatchObject({ exitCode: 2, complaints: expect.stringContaining('usage') });
});

test('a variable that names no program ends the run with 2 before anything is built or measured', () => {
  for (const variable of ['OP_CONDUCTOR_BIN', 'CONDUCTOR_BIN']) {
    const { exitCode, output, complaints } = bench(['rpc', '--quick'], { [variable]: '/nowhere/program' });
    expect([exitCode, output]).toEqual([2, '']);
    expect(complaints).toMatch(new RegExp(`^${variable} names /nowhere/program.*\n$`));
  }
});

test.runIf(process.platform === 'linux')('what a benchmark started ends with it, after kill −9 too', async () => {
  const script = `
    import { endOrphansWithUs } from ${JSON.stringify(join(import.meta.dirname, 'orphans.ts'))};
    endOrphansWithUs();
    const child = Bun.spawn(['sh', '-c', 'sleep 600 & echo $!; wait'], { env: process.env, stdout: 'pipe' });
    for await (const chunk of child.stdout) console.log(child.pid, new TextDecoder().decode(chunk).trim());`;
  const owner = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const { value } = await owner.stdout.getReader().read();
  const pids = new TextDecoder().decode(value).trim().split(' ').map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  owner.kill('SIGKILL');
  await waitFor('its processes to end', GONE_MS_MAX, () => (pids.some(isAlive) ? null : true));
});
