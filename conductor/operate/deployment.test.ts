import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { begunOn } from './begun-deployment.ts';
import { runDeployment } from './deployment.ts';
import { journalPath } from './journal.ts';
import { Output } from './output.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';

const folder = mkdtempSync(join(tmpdir(), 'deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [server] = new MemoryCluster().config.servers;

class Lines extends Output {
  readonly lines: string[] = [];

  override complain(text: string): void {
    this.lines.push(text.trim());
  }
}

async function deploy(
  command: string,
  limits: { timeoutMs?: number | null; isStopped?(): boolean } = {},
  to = folder,
): Promise<readonly string[]> {
  if (server === undefined) throw new RangeError('no server');
  const output = new Lines(true);
  await runDeployment(
    { command, server, variables: { PROGRAM: 'conductor' }, output, clusterFile: join(to, 'conductor.toml') },
    { timeoutMs: null, isStopped: () => false, tell: () => undefined, ...limits },
  );
  return output.lines;
}

/** Whether a process of that number still runs. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    return !stat.includes(') Z');
  } catch {
    return false;
  }
}

test('it runs in the folder, knows the server, and what it says is told', async () => {
  expect(await deploy('echo "$SERVER_ID $PROGRAM $NODE_URL"; echo no >&2; pwd')).toEqual(
    expect.arrayContaining(['node-1 conductor http://host-1:9545', 'no', expect.stringContaining('deployment-')]),
  );
});

test('it is noted from its beginning to its end, however that is', async () => {
  if (server === undefined) throw new RangeError('no server');
  const clusterFile = join(folder, 'conductor.toml');
  const noted = (): number | undefined => begunOn(clusterFile, server)?.pid;
  let shell = 0;
  const said = deploy('echo $$; sleep 600', { isStopped: () => (shell = noted() ?? 0) > 0 });
  await expect(said).rejects.toMatchObject({ kind: 'interrupted' });
  expect(shell).toBeGreaterThan(0);
  expect(noted()).toBeUndefined();
  await expect(deploy('exit 7')).rejects.toThrow('ended with code 7');
  expect(existsSync(journalPath(clusterFile))).toBe(false);
});

test('what cannot be noted is not left running', async () => {
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'conductor.journal.json'), 'damaged');
  const file = join(elsewhere, 'ran');
  await expect(deploy(`sleep 1; touch ${file}`, {}, elsewhere)).rejects.toThrow('is damaged');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(existsSync(file)).toBe(false);
});

test('it rejects unless the command ends with 0', async () => {
  await expect(deploy('exit 7')).rejects.toThrow('"exit 7" ended with code 7');
  await expect(deploy('kill -KILL $$')).rejects.toThrow('ended with signal SIGKILL');
  await expect(deploy('true', {}, join(folder, 'none'))).rejects.toThrow('could not be started');
});

test('what it leaves running with its output open is not waited for, and goes on', async () => {
  const file = join(folder, 'daemon');
  expect(await deploy(`sleep 600 & echo $! > ${file}; echo started`)).toEqual(['started']);
  const pid = Number(readFileSync(file, 'utf8'));
  expect(runs(pid)).toBe(true);
  process.kill(pid, 'SIGKILL');
});

test('it is ended in time, with all that it started, or when somebody wants it', async () => {
  const file = join(folder, 'child');
  const command = `sleep 600 & echo $! > ${file}; wait`;
  const timedOut = deploy(command, { timeoutMs: 300 });
  await expect(timedOut).rejects.toMatchObject({
    kind: 'deadline',
    message: expect.stringContaining('longer than 0.3 s'),
  });
  await expect.poll(() => runs(Number(readFileSync(file, 'utf8'))), { timeout: 20_000 }).toBe(false);
  writeFileSync(file, '');
  const stopped = deploy(command, { isStopped: () => readFileSync(file, 'utf8').includes('\n') });
  await expect(stopped).rejects.toMatchObject({ kind: 'interrupted' });
  await expect.poll(() => runs(Number(readFileSync(file, 'utf8'))), { timeout: 20_000 }).toBe(false);
});
