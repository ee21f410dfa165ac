/** The devnet with real processes: it comes up, survives, stops, resumes, and refuses what it must. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { conductorPage } from '#conductor/cli/documentation';
import { waitFor } from '../../cluster/wait.ts';
import { conflicts, DevnetProcess, freeOffset } from '../devnet-process.ts';

const BLOCKS_MS_MAX = 30_000;
const ORPHAN_MS_MAX = 3_000;
const running: DevnetProcess[] = [];
const folders: string[] = [];

function start(flags: readonly string[] = [], portOffset = freeOffset()): DevnetProcess {
  const devnet = new DevnetProcess(flags, portOffset);
  running.push(devnet);
  return devnet;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'devnet-test-'));
  folders.push(path);
  return path;
}

function noneLeft(devnet: DevnetProcess): Promise<true> {
  return waitFor('every child to be gone', ORPHAN_MS_MAX, () => (devnet.children().length === 0 ? true : null));
}

async function endAll(): Promise<void> {
  for (const devnet of running.splice(0)) {
    devnet.kill('SIGKILL');
    await devnet.ended();
    await noneLeft(devnet);
  }
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
}

// Children are found through /proc.
describe.runIf(process.platform === 'linux')('a devnet from its start until it is told to end', () => {
  let devnet: DevnetProcess;
  beforeAll(async () => {
    devnet = start();
    await devnet.ready();
  });
  afterAll(endAll);

  it('forms a cluster whose sequencer is led by a conductor, and says so line by line', async () => {
    expect(devnet.output).toContain(`\ndocs         ${conductorPage}`);
    expect(devnet.children().length).toBe(6);
    for (const index of [0, 1, 2]) {
      const membership = (await devnet.conductor(index, 'conductor_clusterMembership')) as { servers: unknown[] };
      expect(membership.servers).toMatchObject([{ suffrage: 0 }, { suffrage: 0 }, { suffrage: 0 }]);
      expect(await devnet.conductor(index, 'conductor_active')).toBe(true);
    }
    // On a machine that does much else leadership may move between two questions.
    const leader = await waitFor('the leader, and nobody else, to sequence', BLOCKS_MS_MAX, async () => {
      const leads = await devnet.leader();
      const active = await Promise.all([0, 1, 2].map((index) => devnet.sequencer(index, 'admin_sequencerActive')));
      return active.every((isActive, index) => isActive === (index === leads)) ? leads : null;
    });
    const before = await devnet.head(leader);
    for (const index of [0, 1, 2]) await devnet.reaches(index, before.number + 3, BLOCKS_MS_MAX);
    await waitFor('a line per block', BLOCKS_MS_MAX, () =>
      /event=block .*number=\d+/.test(devnet.output) ? true : null,
    );
    expect(devnet.output).toMatch(/event=leader msg="node-\d leads.*" leader=node-\d/);
  });

  it('says what the execution clients refuse and lose, and its conductors can ask them', async () => {
    const leader = await devnet.leader();
    await devnet.reaches(leader, 4, BLOCKS_MS_MAX);
    const { sequencerEngine } = devnet.nodes[leader]?.ports ?? { sequencerEngine: 0 };
    expect(devnet.childWith('--execution.engine-rpc', `http://127.0.0.1:${sequencerEngine}`)).toBe(
      devnet.childWith('--rpc.port', devnet.nodes[leader]?.ports.conductorRpc ?? 0),
    );
    await devnet.sequencer(leader, 'dev_sealInvalid');
    const refused = new RegExp(
      `event=execution msg="node-${leader + 1}'s execution client refuses block \\d+ .*invalid merkle root"`,
    );
    await waitFor('a refusal in the output', BLOCKS_MS_MAX, () => (refused.test(devnet.output) ? true : null));
    for (const index of [0, 1, 2]) await devnet.sequencer(index, 'dev_loseHead', [128]);
    for (const index of [0, 1, 2]) {
      const lost = new RegExp(`msg="node-${index + 1}'s execution client lost its head: it is at block 0"`);
      await waitFor('a loss in the output', BLOCKS_MS_MAX, () => (lost.test(devnet.output) ? true : null));
    }
  });

  it('ends without a trace', async () => {
    const logs = /^logs +(.+)$/m.exec(devnet.output)?.[1] ?? '';
    expect(readFileSync(join(logs, 'conductor-1.log'), 'utf8')).not.toBe('');
    devnet.kill('SIGTERM');
    const end = await devnet.ended();
    expect(end).toMatchObject({ code: 0, errors: '' });
    expect(end.output).toMatch(/stopped\n$/);
    expect(devnet.children()).toEqual([]);
    expect(existsSync(logs)).toBe(false);
  });
});

describe.runIf(process.platform === 'linux')('a devnet that is harmed', () => {
  let devnet: DevnetProcess;
  let survivors = [0, 1, 2];
  beforeAll(async () => {
    devnet = start();
    await devnet.ready();
  });
  afterAll(endAll);

  it('goes on when the leader dies with its sequencer: another leads, and no height has two hashes', async () => {
    const dead = await devnet.leader();
    const killed = devnet.nodes[dead]?.ports ?? { conductorRpc: 0, sequencerNode: 0 };
    await devnet.reaches(dead, 4, BLOCKS_MS_MAX);
    const publishedByDead = await devnet.published(dead);
    const conductorPid = devnet.childWith('--rpc.port', killed.conductorRpc);
    const sequencerPid = devnet.childWith('--node-port', killed.sequencerNode);
    process.kill(conductorPid, 'SIGKILL');
    process.kill(sequencerPid, 'SIGKILL');
    survivors = [0, 1, 2].filter((index) => index !== dead);
    const next = await devnet.leader(survivors);
    const { number } = await devnet.head(next);
    for (const index of survivors) await devnet.reaches(index, number + 3, BLOCKS_MS_MAX);
    const chains = await Promise.all(survivors.map((index) => devnet.chain(index)));
    const published = await Promise.all(survivors.map((index) => devnet.published(index)));
    expect(published.flat().length).toBeGreaterThanOrEqual(3);
    expect(conflicts([...chains.flat(), ...published.flat(), ...publishedByDead])).toEqual([]);
    expect(devnet.output).toMatch(/event=process msg="node-\d conductor ended by SIGKILL"/);
    expect(devnet.output).not.toContain('event=fork');
  });

  it('leaves nothing behind when it is killed itself, not even a frozen child', async () => {
    const leader = await devnet.leader(survivors);
    const follower = survivors.find((index) => index !== leader) ?? 0;
    process.kill(devnet.childWith('--rpc.port', devnet.nodes[follower]?.ports.conductorRpc ?? 0), 'SIGSTOP');
    const where = /^devnet +forming three conductors in (\S+) /m.exec(devnet.output)?.[1] ?? '';
    expect(existsSync(where)).toBe(true);
    devnet.kill('SIGKILL');
    await devnet.ended();
    await noneLeft(devnet);
    await waitFor('the temporary folder to be gone', ORPHAN_MS_MAX, () => (existsSync(where) ? null : true));
  });
});

describe.runIf(process.platform === 'linux')('conductor devnet', () => {
  afterEach(endAll);

  it('continues the chain of a kept folder, whose second user is refused meanwhile', async () => {
    const path = folder();
    const portOffset = freeOffset();
    const first = start(['--data-dir', path], portOffset);
    await first.ready();
    await first.reaches(2, 4, BLOCKS_MS_MAX);
    const second = start(['--data-dir', path], freeOffset());
    expect(await second.ended()).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`another devnet (process ${first.pid}) runs in ${path}`) as string,
    });
    const chain = await first.chain(2);
    first.kill('SIGINT');
    expect((await first.ended()).code).toBe(0);
    const again = start(['--data-dir', path], portOffset);
    await again.ready();
    expect(again.output).toContain('resuming');
    await again.reaches(2, chain.length + 2, BLOCKS_MS_MAX);
    const continued = await again.chain(2);
    expect(conflicts([...chain, ...continued])).toEqual([]);
    expect(continued.length).toBeGreaterThan(chain.length);
  });

  it('names a port that is taken and the way out, and starts nothing', async () => {
    const portOffset = freeOffset();
    const squatter = Bun.listen({
      hostname: '127.0.0.1',
      port: 7301 + portOffset,
      socket: { data: () => undefined },
    });
    const devnet = start([], portOffset);
    const end = await devnet.ended();
    squatter.stop(true);
    expect(end.code).toBe(1);
    expect(end.errors).toContain(`port ${7301 + portOffset} (metrics, node 2) is held by process ${process.pid}`);
    expect(end.errors).toContain('--port-offset');
    expect(end.output).toBe('');
  });

  it.each([
    ['a damaged manifest', { 'devnet.json': '{' }, /devnet\.json is damaged/],
    ["somebody else's files", { 'thesis.txt': 'x' }, /is not a devnet's/],
    [
      'a damaged chain',
      {
        'devnet.json': JSON.stringify({
          format: 1,
          genesisTime: 1,
          blockSeconds: 1,
          chainId: 901,
          portOffset: 2_000,
          isFormed: true,
        }),
        'sequencer-2/blocks.db': 'no database'.repeat(1_000),
      },
      /sequencer-2\/blocks\.db is damaged/,
    ],
  ])('refuses a folder with %s and starts nothing', async (_what, files, complaint) => {
    const path = folder();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), text);
    }
    const end = await start(['--data-dir', path], 2_000).ended();
    expect(end).toMatchObject({ code: 1, output: '' });
    expect(end.errors).toMatch(complaint);
  });
});
