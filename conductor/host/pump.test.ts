/** A leader whose store fails outside of a write: whole servers in one process, over TCP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { openStore } from '#conductor/adapters/sqlite/store';
import { eventually } from '#conductor/adapters/tcp/testing/endpoint';
import type { RaftNotice } from '#conductor/core/raft/events';
import { RAFT_DEFAULTS } from '#conductor/core/raft/options';
import { ListMachine } from '#conductor/core/raft/testing/list-machine';
import { Suffrage } from '#conductor/core/raft/types';
import type { TidyStore } from './pump.ts';
import { RaftHost } from './testing/raft-host.ts';

/** So long that nobody campaigns but who is told to. */
const electionTimeoutMs = 60_000;

type Call = 'maintain' | 'read' | 'write';

/** A server whose store does as it should until `break` is called. */
class Server {
  readonly id: string;
  readonly address: string;
  readonly host: RaftHost;
  readonly notices: RaftNotice[] = [];
  readonly fatal: unknown[] = [];
  #broken: readonly Call[] = [];

  constructor(id: string) {
    const directory = mkdtempSync(join(tmpdir(), 'conductor-pump-'));
    const port = freePort();
    this.id = id;
    this.address = `127.0.0.1:${port}`;
    const times = {
      heartbeatTimeoutMs: electionTimeoutMs,
      electionTimeoutMs,
      leaderLeaseMs: electionTimeoutMs,
    };
    this.host = new RaftHost({
      // Whatever is older than the newest entry is read from the store.
      options: { ...RAFT_DEFAULTS, ...times, cacheBytesMax: 0, id, address: this.address },
      store: this.#breakable(openStore({ directory, serverId: id })),
      stateMachine: new ListMachine(),
      listen: { hostname: '127.0.0.1', port },
      onNotice: (notice) => this.notices.push(notice),
      onFatal: (error) => this.fatal.push(error),
    });
    onTestFinished(async () => {
      await this.host.stop();
      rmSync(directory, { recursive: true, force: true });
    });
  }

  break(...calls: Call[]): void {
    this.#broken = calls;
  }

  #breakable(store: TidyStore): TidyStore {
    const check = (call: Call): void => {
      if (this.#broken.includes(call)) throw new StoreError('disk-full', `cannot ${call}`);
    };
    return {
      load: () => store.load(),
      write: (batch) => {
        check('write');
        store.write(batch);
      },
      read: (from, to, bytesMax) => {
        check('read');
        return store.read(from, to, bytesMax);
      },
      readSnapshot: () => store.readSnapshot(),
      maintain: () => {
        check('maintain');
        return store.maintain?.() ?? false;
      },
      close: () => store.close(),
    };
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  probe.stop(true);
  return probe.port;
}

const added = ({ id, address }: Server) =>
  ({ kind: 'addServer', id, address, suffrage: Suffrage.voter, previousIndex: 0 }) as const;
const someData = { kind: 'propose', data: new Uint8Array(8) } as const;

/** Three servers, of which the first leads. */
async function cluster(): Promise<[Server, ...Server[]]> {
  const servers: [Server, ...Server[]] = [new Server('n1'), new Server('n2'), new Server('n3')];
  for (const { host } of servers) await host.start();
  const [leader, ...others] = servers;
  const { id, address } = leader;
  await leader.host.command({ kind: 'bootstrap', servers: [{ id, address, suffrage: Suffrage.voter }] });
  await eventually('n1 to lead', () => leader.host.status().isReady);
  for (const other of others) expect(await leader.host.command(added(other))).toMatchObject({ kind: 'done' });
  expect(await leader.host.command(someData)).toMatchObject({ kind: 'done' });
  return servers;
}

test.each<[Call, ...Call[]]>([['maintain'], ['read'], ['write', 'maintain']])(
  'a leader whose store fails in %s hands over and answers (rule 15)',
  async (first, ...later) => {
    const [leader, ...others] = await cluster();
    leader.break(first, ...later);
    if (first === 'read') {
      const late = new Server('n4');
      await late.host.start();
      void leader.host.command(added(late));
    } else void leader.host.command(someData);
    await eventually('another to lead', () => others.some(({ host }) => host.status().role === 'leader'));
    const isWhy = (notice: RaftNotice): boolean =>
      notice.kind === 'role' && notice.role === 'follower' && notice.reason === `the store failed: cannot ${first}`;
    await eventually('the first one to say why it leads no longer', () => leader.notices.some(isWhy));
    expect(await leader.host.command(someData)).toMatchObject({ kind: 'refused' });
    expect(leader.fatal, 'told once').toEqual([expect.objectContaining({ message: `cannot ${first}` })]);
  },
);
