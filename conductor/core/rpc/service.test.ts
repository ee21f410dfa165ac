import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope } from '../payload/envelope.ts';
import { ConductorWorld } from '../testing/conductor-world.ts';
import type { CallResult } from '../node/calls.ts';
import type { RaftResult } from '../raft/events.ts';
import { RpcService } from './service.ts';
import type { Command, ServiceHost } from './service-host.ts';
import type { Outcome } from './message.ts';

const nothing = (): void => undefined;
const quiet = {
  logger: { log: nothing },
  events: { publish: nothing },
  metrics: { count: nothing, gauge: nothing, observe: nothing },
};
const loneLeader = {
  position: () => ({ role: 'leader', isSure: true }),
  status: () => ({ role: 'leader', leaderId: 'a', configuration: { index: 1, configuration: { servers: [] } } }),
};
const block = buildBlock({ parent: null, timestamp: 1000, transactions: [] });

describe('an override (rule 27)', () => {
  test('claims leadership in answers, and admits no commit on a node that does not lead', () => {
    const world = new ConductorWorld();
    expect(world.ask('conductor_overrideLeader', [true])).toEqual({ result: null });
    expect(world.ask('conductor_leader')).toEqual({ result: true });
    expect(world.ask('conductor_commitUnsafePayload', [{ payload: formatEnvelope(block) }])).toMatchObject({
      error: { code: -32000, data: { outcome: 'refused', reason: 'not-leader' } },
    });
  });
});

describe('membership-race: of two changes that name the same version', () => {
  const version = (world: ConductorWorld): bigint =>
    BigInt((world.ask('conductor_clusterMembership').result as { readonly version: number }).version);

  test('the second is refused and changes nothing; with the new version it is done', () => {
    const world = ConductorWorld.bootstrapped();
    const seen = version(world);
    expect(world.ask('conductor_addServerAsNonvoter', ['b', 'b:1', seen])).toEqual({ result: null });
    for (const [method, values] of [
      ['conductor_addServerAsNonvoter', ['c', 'c:1', seen]],
      ['conductor_removeServer', ['b', seen]],
    ] as const)
      expect(world.ask(method, values).error?.message).toContain(`configuration changed since ${seen}`);
    expect(version(world)).toBeGreaterThan(Number(seen));
    expect(world.ask('conductor_removeServer', ['b', version(world)])).toEqual({ result: null });
  });

  test('a version beyond all numbers is none', () => {
    const world = ConductorWorld.bootstrapped();
    expect(world.ask('conductor_removeServer', ['a', 2n ** 64n - 1n]).error?.message).toContain(
      'configuration changed',
    );
  });

  test('one that stays impossible until its deadline is refused with the reason', () => {
    const world = ConductorWorld.bootstrapped();
    expect(world.ask('conductor_addServerAsNonvoter', ['b', 'b:1', 0n])).toEqual({ result: null });
    const { lastIndex } = world.conductor.status();
    const { error } = world.ask('conductor_addServerAsVoter', ['b', 'b:1', 0n]);
    expect(error?.message).toContain('too few answer and are up to date: b');
    expect(world.conductor.status().lastIndex).toBe(lastIndex);
  });

  test('0 is unconditional, and an unknown id is an error that writes nothing', () => {
    const world = ConductorWorld.bootstrapped();
    const { lastIndex } = world.conductor.status();
    expect(world.ask('conductor_removeServer', ['nobody', 0n]).error?.message).toContain('nobody');
    expect(world.conductor.status().lastIndex).toBe(lastIndex);
  });
});

describe('conductor_active (rule 22)', () => {
  test('is neither paused nor stopped, whatever the sequencer does', () => {
    const world = ConductorWorld.bootstrapped();
    world.node.isSequencing = true;
    expect(world.ask('conductor_active')).toEqual({ result: false });
    world.ask('conductor_resume');
    world.node.isSequencing = false;
    expect(world.ask('conductor_active')).toEqual({ result: true });
    world.ask('conductor_pause');
    expect(world.ask('conductor_active')).toEqual({ result: false });
    world.ask('conductor_resume');
    world.ask('conductor_stop');
    expect(world.ask('conductor_active')).toEqual({ result: false });
  });
});

describe('conductor_resume', () => {
  test('does not undo a pause that came while it asked the node', () => {
    const world = ConductorWorld.bootstrapped();
    world.held.add('admin_sequencerActive');
    world.push({ kind: 'rpc', answerId: 900, method: 'conductor_resume', values: [], from: 'test', as: 'alice' });
    expect(world.ask('conductor_pause')).toEqual({ result: null });
    world.release();
    expect(world.ask('conductor_paused')).toEqual({ result: true });
    world.ask('conductor_resume');
    expect(world.ask('conductor_paused')).toEqual({ result: false });
  });
});

describe('proxied methods (rule 23)', () => {
  test.each(['admin_sequencerActive'] as const)(
    '%s is answered by the leader only, checked after the backend has answered',
    (method) => {
      const world = new ConductorWorld();
      const answer = world.ask(method, []);
      expect(world.asked).toContain(method);
      expect(answer.error?.message).toBe('refusing to proxy request to non-leader sequencer');
      expect(ConductorWorld.bootstrapped().ask(method, [])).toHaveProperty('result');
    },
  );

  test('miner_setMaxDASize is answered whoever leads, as in op-conductor: the next leader has the limits, too', () => {
    for (const world of [new ConductorWorld(), ConductorWorld.bootstrapped()]) {
      expect(world.ask('miner_setMaxDASize', [1n, 2n])).toHaveProperty('result');
      expect(world.asked).toContain('miner_setMaxDASize');
    }
  });
});

describe('conductor_transferLeaderToServer', () => {
  test('names the latest version or none, and is refused for a different one', () => {
    const world = ConductorWorld.bootstrapped();
    const { servers, version } = world.ask('conductor_clusterMembership').result as {
      readonly servers: readonly { readonly id: string; readonly addr: string }[];
      readonly version: number;
    };
    const [{ id, addr } = { id: '', addr: '' }] = servers;
    const why = (named: bigint): string =>
      world.ask('conductor_transferLeaderToServer', [id, addr, named]).error?.message ?? '';
    expect(why(0n)).toContain('cannot transfer leadership to itself');
    expect(why(BigInt(version))).toContain('cannot transfer leadership to itself');
    expect(why(BigInt(version) + 1n)).toContain('configuration changed');
  });
});

describe('conductor_transferLeaderToServer and the address beside the id', () => {
  const servers = ['a', 'b', 'c'].map((id) => ({ id, address: `${id}:50050`, suffrage: 0 }));

  function transfer(address: string) {
    const world = { commands: [] as Command[], answers: [] as Outcome[], warnings: [] as unknown[] };
    const rpc = new RpcService({
      ports: {
        logger: { log: (level: string, _: string, fields: unknown) => level === 'warn' && world.warnings.push(fields) },
        events: { publish: nothing },
        metrics: { count: nothing, gauge: nothing, observe: nothing },
      },
      control: { isPaused: false, isStopped: false },
      time: { nowMs: 0 },
      raft: {
        position: () => ({ role: 'leader', isSure: true }),
        status: () => ({ id: 'a', role: 'leader', configuration: { index: 3, configuration: { servers } } }),
      },
      override: { isOn: false },
      command: (command: Command) => void world.commands.push(command),
      outbox: { answer: (_: number, outcome: Outcome) => void world.answers.push(outcome) },
    } as unknown as ServiceHost);
    const values = ['b', address, 0n];
    const method = 'conductor_transferLeaderToServer';
    rpc.handle({ kind: 'rpc', answerId: 1, method, values, from: '', as: '' });
    return world;
  }

  test.each(['B:50050', 'b.cluster.local:50050', '10.0.0.2:50050'])('%s may be the same place: the id counts', (at) => {
    const { commands, answers, warnings } = transfer(at);
    expect(commands).toEqual([{ kind: 'transfer', target: 'b' }]);
    expect(answers).toEqual([]);
    expect(warnings).toEqual([{ id: 'b', named: at, address: 'b:50050' }]);
  });

  test('the address that the member has is not worth a warning', () => {
    expect(transfer('b:50050')).toMatchObject({ commands: [{ target: 'b' }], warnings: [] });
  });

  test.each(['c:50050', 'a:50050', 'b:50051', '10.0.0.2:1', 'b', ''])('%j is another place: refused', (at) => {
    const { commands, answers } = transfer(at);
    expect(commands).toEqual([]);
    expect(answers).toMatchObject([{ message: `server b has the address b:50050, not ${at}` }]);
  });
});

describe('a change that nothing decides', () => {
  test.each([
    ['conductor_removeServer', ['b', 0n], 5000],
    ['conductor_demoteVoter', ['b', 0n], 5000],
    ['conductor_addServerAsNonvoter', ['b', 'b:1', 0n], 5000],
    // The log itself gives it up after 20 s.
    ['conductor_addServerAsVoter', ['b', 'b:1', 0n], 22_000],
  ] as const)('%s is answered as one that may still happen, once', (method, values, deadlineMs) => {
    const answers: Outcome[] = [];
    const ends: ((result: RaftResult) => void)[] = [];
    const time = { nowMs: 0 };
    const rpc = new RpcService({
      ports: quiet,
      control: { isPaused: false, isStopped: false },
      time,
      raft: loneLeader,
      override: { isOn: false },
      command: (_: Command, then: (result: RaftResult) => void) => void ends.push(then),
      chain: { rollbackIndex: 0 },
      outbox: {
        call: (_: unknown, then: (result: CallResult) => void) => then({ kind: 'result', value: null }),
        answer: (_: number, outcome: Outcome) => void answers.push(outcome),
      },
    } as unknown as ServiceHost);
    rpc.handle({ kind: 'rpc', answerId: 1, method, values, from: '', as: '' });
    expect(rpc.nextDeadlineMs()).toBe(deadlineMs);
    time.nowMs = deadlineMs - 1;
    rpc.tick();
    expect(answers).toEqual([]);
    time.nowMs = deadlineMs;
    rpc.tick();
    expect(answers).toMatchObject([{ kind: 'error', message: 'no result in time; the change may still happen' }]);
    expect(rpc.nextDeadlineMs()).toBe(Infinity);
    ends[0]!({ kind: 'done', requestId: 1, index: 2, term: 1, value: null });
    expect(answers).toHaveLength(1);
  });
});

describe('conductor_transferLeader without a name (rule 18)', () => {
  function service(exclude: readonly string[]) {
    const world = { commands: [] as Command[], ends: [] as ((result: RaftResult) => void)[], answers: [] as Outcome[] };
    const host = {
      ports: quiet,
      control: { isPaused: false, isStopped: false },
      time: { nowMs: 0 },
      raft: loneLeader,
      override: { isOn: false },
      transferTarget: () => ({ target: null, exclude }),
      command: (command: Command, then: (result: RaftResult) => void) => {
        world.commands.push(command);
        world.ends.push(then);
      },
      outbox: { answer: (_: number, outcome: Outcome) => void world.answers.push(outcome) },
    } as unknown as ServiceHost;
    const rpc = new RpcService(host);
    rpc.handle({ kind: 'rpc', answerId: 1, method: 'conductor_transferLeader', values: [], from: '', as: '' });
    return { world };
  }

  const asked = { kind: 'done', requestId: 1, index: 1, term: 1, value: null } as const;

  test('passes over peers known to be unhealthy or paused', () => {
    const { world } = service(['b', 'c']);
    expect(world.commands).toEqual([{ kind: 'ask' }]);
    world.ends[0]!(asked);
    expect(world.commands.slice(1)).toEqual([{ kind: 'transfer', target: null, exclude: ['b', 'c'] }]);
  });

  test('asks nobody where nobody would be passed over', () => {
    expect(service([]).world.commands).toEqual([{ kind: 'transfer', target: null, exclude: [] }]);
  });

  test('says so when that leaves nobody', () => {
    const { world } = service(['b', 'c']);
    world.ends[0]!(asked);
    world.ends[1]!({ kind: 'refused', requestId: 2, reason: 'no-peer', message: 'cannot find peer' });
    expect(world.answers).toMatchObject([
      { message: expect.stringContaining('cannot find peer: b, c cannot be expected to sequence') as string },
    ]);
  });

  test('of a node that does not lead is success without effect', () => {
    const { world } = service([]);
    world.ends[0]!({ kind: 'refused', requestId: 1, reason: 'not-leader', message: 'node is not the leader' });
    expect(world.answers).toEqual([{ kind: 'result', json: 'null' }]);
  });
});
