/** The operators' tool with `--rpc` alone, all conductors on one host: whose URL is which, and one operator at a time. */
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { conductorCommand } from '../cluster/conductor-command.ts';
import type { Implementation } from '../cluster/node-process.ts';
import { operate } from './operate-command.ts';
import { OperatedCluster, type Status } from './operated-cluster.ts';
import { OperatorTerminal } from './operator-terminal.ts';

const LONG_MS = 180_000;

test.for<Implementation>(['bun', 'go'])(
  'followers (%s) are known by the ids given with their URLs; two operators exclude each other',
  { timeout: LONG_MS },
  async (implementation, { skip }) => {
    if (implementation === 'go' && !existsSync(process.env['OP_CONDUCTOR_BIN'] ?? ''))
      skip('OP_CONDUCTOR_BIN names no op-conductor');
    await using operated = new OperatedCluster([implementation, implementation, implementation]);
    const { cluster } = operated;
    await cluster.form();
    const leader = await cluster.leader();
    const [first, second] = cluster.others(leader);
    if (first === undefined || second === undefined) throw new RangeError('three conductors');
    const urls = [leader, first, second].map(({ addresses }) => `http://${addresses.rpc}`);
    const plain = urls.join(',');

    const told = await operate('pause', second.id, '--rpc', plain);
    expect(told, told.output).toMatchObject({ code: 2 });
    expect(told.errors).toContain(`write the ids before the URLs, --rpc ${second.id}=http://…`);
    const [leaderUrl = '', firstUrl = '', secondUrl = ''] = urls;
    // One is given, the leader tells its own, and the third is who is left.
    const named = `${leaderUrl},${firstUrl},${second.id}=${secondUrl}`;
    const { servers } = JSON.parse((await operate('status', '--json', '--rpc', named)).output) as Status;
    expect(servers.map(({ id }) => id)).toEqual([leader.id, first.id, second.id]);
    const wrong = await operate('status', '--rpc', `${first.id}=${leaderUrl},${second.id}=${secondUrl}`);
    expect(wrong.output).toContain(`the server called ${first.id} here leads as ${leader.id}: correct its id`);

    const asked = new OperatorTerminal([...conductorCommand(), 'transfer', second.id, '--rpc', named]);
    await asked.shows('Go on?');
    const kept = await operate('pause', second.id, '--rpc', `${second.id}=${secondUrl},${leaderUrl},${firstUrl}`);
    expect(kept, kept.output).toMatchObject({ code: 3 });
    expect(kept.errors).toContain('conductor transfer is under way on the conductor at');
    expect((await operated.run('pause', second.id, '--dry-run')).code).toBe(0);
    asked.kill('SIGKILL');
    await asked.ended();
    // The lock of the one that is gone is taken over.
    const done = await operate('transfer', second.id, '--yes', '--rpc', named);
    expect(done, `${done.output}${done.errors}`).toMatchObject({ code: 0 });
    expect((await cluster.steady()).id).toBe(second.id);
    expect(cluster.brokenLaws()).toEqual([]);
  },
);
