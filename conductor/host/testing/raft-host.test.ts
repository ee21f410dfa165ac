/** Whole servers in one process: RaftNode, SQLite and TCP together, with and without mutual TLS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { ListMachine } from '#conductor/core/raft/testing/list-machine';
import { Suffrage } from '#conductor/core/raft/types';
import { RaftHost } from './raft-host.ts';
import { openStore } from '#conductor/adapters/sqlite/store';
import { eventually } from '#conductor/adapters/tcp/testing/endpoint';
import { ThrowawayCa } from '#conductor/adapters/tcp/testing/throwaway-ca';
import type { TlsSettings } from '#conductor/adapters/tcp/tls';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-host-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A port that was free a moment ago: the address must be known before the server listens. */
function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  probe.stop(true);
  return probe.port;
}

async function startHost(
  id: string,
  tls?: TlsSettings,
): Promise<{ host: RaftHost; machine: ListMachine; address: string }> {
  const port = freePort();
  const address = `127.0.0.1:${port}`;
  const machine = new ListMachine();
  const host = new RaftHost({
    options: { ...RAFT_DEFAULTS, id, address, requestTimeoutMs: 1000 },
    store: openStore({ directory: temporaryFolder(), serverId: id }),
    stateMachine: machine,
    listen: { hostname: '127.0.0.1', port },
    ...(tls ? { tls } : {}),
  });
  await host.start();
  closers.push(() => host.stop());
  return { host, machine, address };
}

async function bootstrap(tls?: TlsSettings): Promise<RaftHost> {
  const { host, address } = await startHost('n1', tls);
  await host.command({ kind: 'bootstrap', servers: [{ id: 'n1', address, suffrage: Suffrage.voter }] });
  await eventually('n1 to lead', () => host.status().isReady);
  return host;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

it('a server forms a cluster, commits everywhere, and hands leadership over', async () => {
  const leader = await bootstrap();
  const follower = await startHost('n2');
  const added = {
    kind: 'addServer',
    id: 'n2',
    address: follower.address,
    suffrage: Suffrage.voter,
    previousIndex: 0,
  } as const;
  expect(await leader.command(added)).toMatchObject({ kind: 'done' });
  expect(await leader.command({ kind: 'propose', data: text('hello') })).toMatchObject({
    kind: 'done',
    value: 'hello',
  });
  await eventually('n2 to apply', () => follower.machine.applied.at(-1)?.command === 'hello');
  expect(await leader.command({ kind: 'read' })).toMatchObject({ kind: 'done' });
  expect(await leader.command({ kind: 'transfer', target: null })).toMatchObject({ kind: 'done', value: 'n2' });
  await eventually('n2 to lead', () => follower.host.status().role === 'leader');
});

it('with mutual TLS only servers whose certificate carries their id take part', async () => {
  const folder = temporaryFolder();
  const ca = new ThrowawayCa();
  const settings = (name: string, issuer = ca): TlsSettings => {
    const { certPem, keyPem } = issuer.issue({ commonName: name, dnsNames: [name] });
    const file = (kind: string, pem: string): string => {
      const path = join(folder, `${name}-${kind}-${Math.random()}.pem`);
      writeFileSync(path, pem);
      return path;
    };
    return { certFile: file('cert', certPem), keyFile: file('key', keyPem), caFile: file('ca', ca.caPem) };
  };
  const leader = await bootstrap(settings('n1'));
  const add = async (id: string, tls: TlsSettings) => {
    const { address, machine } = await startHost(id, tls);
    const result = await leader.command({ kind: 'addServer', id, address, suffrage: Suffrage.voter, previousIndex: 0 });
    return { kind: result.kind, machine };
  };
  const member = await add('n2', settings('n2'));
  expect(member.kind).toBe('done');
  expect(await leader.command({ kind: 'propose', data: text('sealed') })).toMatchObject({ kind: 'done' });
  await eventually('n2 to apply', () => member.machine.applied.at(-1)?.command === 'sealed');
  const impostor = await add('n3', settings('somebody-else'));
  expect(impostor, 'a certificate for another name').toMatchObject({ kind: 'refused', machine: { applied: [] } });
  expect(await leader.command({ kind: 'propose', data: text('on') }), 'the others go on').toMatchObject({
    kind: 'done',
  });
});
