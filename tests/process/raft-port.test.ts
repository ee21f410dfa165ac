/**
 * The whole conductor behind a raft port that anybody can reach (no TLS): garbage, requests that lie,
 * and a leader that replicates nonsense. It may follow a liar, since the protocol has no proof of
 * identity; it may not crash, hang, grow, or fail to start again.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Entry, RpcRequest } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import { encodeRequest } from '#conductor/core/wire/encode-message';
import { Seeded } from '../cluster/seeded.ts';
import { dial, HOSTILE_REQUESTS, randomGarbage } from './hostile-bytes.ts';
import { LoneConductor } from './lone-conductor.ts';

const MIB = 1024 * 1024;
const CONNECTIONS = 300;
const RESIDENT_BYTES_MAX = 512 * MIB;
const ANSWER_MS_MAX = 10_000;
const liar = { protocolVersion: 3, id: 'liar', address: '127.0.0.1:1' };
const time = new Uint8Array(15);
time[0] = 1;

const folder = mkdtempSync(join(tmpdir(), 'conductor-raft-port-'));
const running: LoneConductor[] = [];
afterAll(async () => {
  for (const one of running) await one[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

function conductor(id: string, flags: readonly string[] = []): LoneConductor {
  const one = new LoneConductor(join(folder, id), id);
  running.push(one);
  one.start(flags);
  return one;
}

/** Sends one request and waits for some answer, or for the end of the connection. */
async function tell(target: LoneConductor, request: RpcRequest): Promise<void> {
  const socket = await dial(target.raftPort);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`a ${request.kind} was neither answered nor refused`)),
    ANSWER_MS_MAX,
  );
  socket.once('data', () => resolve());
  socket.once('close', () => resolve());
  socket.write(Buffer.concat(encodeRequest(request)));
  await promise.finally(() => clearTimeout(timer));
  socket.destroy();
}

async function isWell(target: LoneConductor): Promise<void> {
  expect((await target.call('health_status')).body.result, target.output).toMatch(/^v/);
  if (existsSync('/proc/self/status')) expect(target.residentPeakBytes()).toBeLessThan(RESIDENT_BYTES_MAX);
  expect(target.output).not.toMatch(/assert|TypeError|RangeError|lvl=crit/i);
}

test('a leader stays well under garbage, and leads on', { timeout: 120_000 }, async () => {
  const random = Seeded.announced('raft port');
  const leader = conductor('leader', ['--raft.bootstrap']);
  await leader.answers('conductor_leader', true);
  const sockets: Socket[] = [];
  for (const { bytes } of HOSTILE_REQUESTS) {
    const socket = await dial(leader.raftPort);
    socket.write(bytes);
    sockets.push(socket);
  }
  for (let each = 0; each < CONNECTIONS; each += 1) {
    const socket = await dial(leader.raftPort);
    socket.write(randomGarbage(random));
    sockets.push(socket);
  }
  await isWell(leader);
  const last = Number.MAX_SAFE_INTEGER;
  for (const term of [3, 2 ** 31, 2 ** 40, last]) {
    await tell(leader, {
      ...liar,
      kind: 'vote',
      candidate: null,
      term,
      lastLogIndex: last,
      lastLogTerm: last,
      leadershipTransfer: true,
    });
    await tell(leader, { ...liar, kind: 'prevote', term, lastLogIndex: last, lastLogTerm: last });
    await tell(leader, {
      ...liar,
      kind: 'append',
      leader: null,
      term,
      prevLogIndex: last,
      prevLogTerm: term,
      entries: null,
      leaderCommit: last,
    });
    await tell(leader, { ...liar, kind: 'timeoutNow' });
  }
  for (const socket of sockets) socket.destroy();
  await leader.answers('conductor_leader', true);
  await isWell(leader);
});

test(
  'a new conductor takes what a lying leader replicates without harm to itself, and starts again on it',
  { timeout: 120_000 },
  async () => {
    const random = Seeded.announced('lying leader');
    const victim = conductor('victim');
    await victim.answers('conductor_leader', false);
    const servers = [liar.id, victim.id].map((id) => ({ id, address: liar.address, suffrage: 0 as const }));
    const configuration = encodeConfiguration({ servers });
    const entry = (index: number, type: number, data: Uint8Array | null): Entry => {
      return { index, term: 5, type, data, extensions: null, appendedAt: time };
    };
    // What marks a rollback (rule 6), around nonsense.
    const rollback = Buffer.concat([
      randomGarbage(random).subarray(0, 400),
      Buffer.alloc(200, 0xff),
      randomGarbage(random),
    ]);
    const entries = [
      entry(1, 5, configuration),
      entry(2, 0, new Uint8Array(0)),
      entry(3, 0, null),
      entry(4, 0, rollback),
      entry(5, 77, randomGarbage(random)),
      entry(6, 5, randomGarbage(random)),
      ...Array.from({ length: 60 }, (_, each) => entry(7 + each, 0, randomGarbage(random))),
    ];
    const append = { ...liar, kind: 'append' as const, leader: null, term: 5, prevLogTerm: 0 };
    for (const count of [1, 2, 3, 4, 5, 6, entries.length]) {
      await tell(victim, { ...append, prevLogIndex: 0, entries: entries.slice(0, count), leaderCommit: count });
      await tell(victim, { ...append, prevLogIndex: count, prevLogTerm: 5, entries: null, leaderCommit: 2 ** 50 });
      await isWell(victim);
    }
    // It did follow, or all this would show nothing.
    const members = (await victim.call('conductor_clusterMembership')).body.result as { servers: unknown[] };
    expect(members.servers).toHaveLength(2);
    for (const data of [new Uint8Array(0), randomGarbage(random), rollback]) {
      const snapshot = {
        ...liar,
        kind: 'snapshot' as const,
        snapshotVersion: 1,
        term: 6,
        leader: null,
        lastLogIndex: 1000 + data.length,
        lastLogTerm: 6,
        peers: null,
        configuration: data.length === 0 ? configuration : randomGarbage(random),
        configurationIndex: 1,
        size: data.length,
        data,
      };
      await tell(victim, snapshot);
      await tell(victim, { ...snapshot, configuration });
      await isWell(victim);
    }
    await victim.kill();
    victim.output = '';
    victim.start();
    await victim.answers('conductor_leader', false);
    await isWell(victim);
  },
);
