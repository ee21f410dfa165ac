import { describe, expect, test } from 'vitest';
import { EntryType, Suffrage, type Server } from '#conductor/core/raft/types';
import { goTimeFromUnixMs } from '#conductor/core/wire/go-time';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import { changesAreTheCallers, takenChangesCommit } from './membership-laws.ts';
import type { Law, Oracle } from './oracle.ts';

type Position = Parameters<Required<Oracle>['observed']>[1];
type Batch = Parameters<Required<Oracle>['written']>[1];

const done = { kind: 'result', json: 'null' } as const;
const refusal = { kind: 'error', code: -32000, message: 'no' } as const;
const unknown = { kind: 'error', code: -32000, message: 'late', data: JSON.stringify({ outcome: 'unknown' }) } as const;

/** A law, what it complains of, and calls to be told to it. */
function judging(law: Law) {
  const complaints: string[] = [];
  const oracle: Required<Oracle> = law(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const begin = (machine: Machine, method: Call['method'], values: Call['values']): Call => {
    const call = { method, values, sinceMs: 0 };
    oracle.called(machine, call);
    return call;
  };
  return { complaints, oracle, begin };
}

function machineOf(id: string, more: object = {}): Machine {
  return { id, life: 1, nowMs: 0, worldMs: 0, conductor: null, ...more } as unknown as Machine;
}

const voter = (id: string, address = id): Server => ({ id, address, suffrage: Suffrage.voter });
const nonvoter = (id: string, address = id): Server => ({ id, address, suffrage: Suffrage.nonvoter });

function entryOf(index: number, servers: readonly Server[], term = 2, appendedMs = 0): Batch {
  const appendedAt = goTimeFromUnixMs(appendedMs);
  const data = encodeConfiguration({ servers: [...servers] });
  return { entries: [{ entry: { index, term, type: EntryType.configuration, data, appendedAt } }] } as unknown as Batch;
}

describe('changes are their callers’', () => {
  const config = (index: number, term = 1, addresses: readonly string[] = ['a', 'b']) => {
    const servers = addresses.map((address, at) => ({ id: `s${at}`, address, suffrage: Suffrage.voter }));
    return { entry: { index, term, type: EntryType.configuration, data: encodeConfiguration({ servers }) } };
  };

  test('of two for one version one is carried out', () => {
    const { complaints, oracle, begin } = judging(changesAreTheCallers);
    const machine = machineOf('s0');
    const add = () => begin(machine, 'conductor_addServerAsVoter', ['s1', 'a', 7n]);
    const [one, other] = [add(), add()];
    oracle.answered(machine, one, done);
    oracle.answered(machine, other, refusal);
    expect(complaints).toEqual([]);
    oracle.answered(machine, other, done);
    expect(complaints[0]).toMatch(/for version 7/);
  });

  test('without a version anybody may change what another has changed', () => {
    const { complaints, oracle, begin } = judging(changesAreTheCallers);
    const machine = machineOf('s0');
    for (let count = 0; count < 3; count++)
      oracle.answered(machine, begin(machine, 'conductor_removeServer', ['s1', 0n]), done);
    expect(complaints).toEqual([]);
  });

  test('no two servers have one address', () => {
    const { complaints, oracle } = judging(changesAreTheCallers);
    const entries = [config(1, 1, ['a', 'a'])];
    oracle.written(machineOf('s0'), { entries } as unknown as Parameters<Required<Oracle>['written']>[1]);
    expect(complaints[0]).toMatch(/two servers have one address/);
  });

  test('configurations that nobody has asked for are noticed', () => {
    const { complaints, oracle, begin } = judging(changesAreTheCallers);
    const machine = machineOf('s0');
    const write = (index: number, term = 1): void =>
      oracle.written(machine, { entries: [config(index, term)] } as unknown as Parameters<
        Required<Oracle>['written']
      >[1]);
    write(1);
    begin(machine, 'conductor_addServerAsVoter', ['s1', 'a', 0n]);
    for (const index of [2, 3, 3, 2]) write(index);
    expect(complaints).toEqual([]);
    write(4);
    expect(complaints[0]).toMatch(/number 4, after 1 calls/);
  });
});

describe('each change does what a call asked for', () => {
  const THREE = [voter('s0'), voter('s1'), voter('s2')];

  /** A leader of term 2 that knows these members; each change is another entry. */
  const leading = (servers: readonly Server[] = THREE) => {
    const { complaints, oracle, begin } = judging(changesAreTheCallers);
    const position = { role: 'leader', term: 2, configuration: { index: 1, configuration: { servers } } };
    const machine = machineOf('s0', { conductor: { position: () => position } }) as Machine & { nowMs: number };
    oracle.observed(machine, position as unknown as Position);
    let index = 1;
    const clock = { appendedMs: 0 };
    return {
      complaints,
      machine,
      answer: (call: Call, outcome: typeof done | typeof refusal | typeof unknown) =>
        oracle.answered(machine, call, outcome),
      call: (method: Call['method'], ...values: Call['values']) => begin(machine, method, [...values, 0n]),
      /** When each of the next entries was appended. */
      clock,
      write: (...now: readonly Server[]) => oracle.written(machine, entryOf(++index, now, 2, clock.appendedMs)),
    };
  };

  test.each<[string, Call['method'], readonly string[], readonly Server[]]>([
    ['a removal', 'conductor_removeServer', ['s2'], [voter('s0'), voter('s1')]],
    ['a demotion', 'conductor_demoteVoter', ['s2'], [voter('s0'), voter('s1'), nonvoter('s2')]],
    ['a new nonvoter', 'conductor_addServerAsNonvoter', ['s3', 's3'], [...THREE, nonvoter('s3')]],
    ['a new voter is a nonvoter first', 'conductor_addServerAsVoter', ['s3', 's3'], [...THREE, nonvoter('s3')]],
    ['a move', 'conductor_addServerAsVoter', ['s2', 'new'], [voter('s0'), voter('s1'), voter('s2', 'new')]],
    ['by the other method', 'conductor_addServerAsNonvoter', ['s2', 'new'], [...THREE.slice(0, 2), voter('s2', 'new')]],
    ['nothing', 'conductor_addServerAsNonvoter', ['s2', 's2'], THREE],
  ])('%s', (_, method, values, now) => {
    const asked = leading();
    asked.call(method, ...values);
    asked.write(...now);
    expect(asked.complaints).toEqual([]);
    const unasked = leading();
    unasked.call('conductor_addServerAsVoter', 's9', 's9');
    unasked.write(...now);
    expect(unasked.complaints).toHaveLength(now === THREE ? 0 : 1);
  });

  test.each(['conductor_addServerAsNonvoter', 'conductor_addServerAsVoter'] as const)('%s takes no vote', (method) => {
    const { complaints, call, write } = leading();
    call(method, 's2', 's2');
    write(voter('s0'), voter('s1'), nonvoter('s2'));
    expect(complaints).toEqual(['s0 writes configuration 2, in which s2 is a nonvoter at s2: nobody asked for that']);
  });

  test('a nonvoter becomes a voter by no other call', () => {
    const { complaints, call, write } = leading([voter('s0'), nonvoter('s1')]);
    call('conductor_addServerAsNonvoter', 's1', 's1');
    write(voter('s0'), voter('s1'));
    expect(complaints).toHaveLength(1);
  });

  test('not after a refusal, and perhaps where the outcome is unknown', () => {
    const { complaints, call, answer, write } = leading();
    answer(call('conductor_removeServer', 's2'), unknown);
    write(voter('s0'), voter('s1'));
    expect(complaints).toEqual([]);
    answer(call('conductor_removeServer', 's1'), refusal);
    write(voter('s0'));
    expect(complaints).toHaveLength(1);
  });

  test('no other one while a new voter is on its way', () => {
    const { complaints, call, write, machine } = leading([voter('s0'), voter('s1')]);
    call('conductor_addServerAsVoter', 's2', 's2');
    call('conductor_addServerAsVoter', 's3', 's3');
    write(voter('s0'), voter('s1'), nonvoter('s2'));
    machine.nowMs = 3000;
    write(voter('s0'), voter('s1'), nonvoter('s2'), nonvoter('s3'));
    expect(complaints).toEqual(['s0 writes configuration 3, which is about s3, while s2 is on its way']);
  });

  test.each(['is a voter', 'was given up', 'took too long'])('another one when it %s', (how) => {
    const { complaints, call, answer, write, machine } = leading([voter('s0')]);
    const first = call('conductor_addServerAsVoter', 's1', 's1');
    call('conductor_addServerAsVoter', 's2', 's2');
    write(voter('s0'), nonvoter('s1'));
    if (how === 'is a voter') write(voter('s0'), voter('s1'));
    if (how === 'was given up') answer(first, refusal);
    if (how === 'took too long') machine.nowMs = 4000;
    write(voter('s0'), how === 'is a voter' ? voter('s1') : nonvoter('s1'), nonvoter('s2'));
    expect(complaints).toEqual([]);
  });

  test.each([
    [3899, 1],
    [4000, 0],
  ])('appended %i ms later, both written late: %i', (appendedMs, count) => {
    const { complaints, call, write, machine, clock } = leading([voter('s0'), voter('s1')]);
    call('conductor_addServerAsVoter', 's2', 's2');
    call('conductor_addServerAsVoter', 's3', 's3');
    machine.nowMs = 700;
    write(voter('s0'), voter('s1'), nonvoter('s2'));
    clock.appendedMs = appendedMs;
    machine.nowMs = 4100;
    write(voter('s0'), voter('s1'), nonvoter('s2'), nonvoter('s3'));
    expect(complaints).toHaveLength(count);
  });

  test('what a follower writes is another’s', () => {
    const { complaints, oracle } = judging(changesAreTheCallers);
    const position = { role: 'follower', term: 2, configuration: { index: 1, configuration: { servers: THREE } } };
    const machine = machineOf('s1', { conductor: { position: () => position } });
    oracle.observed(machine, position as unknown as Position);
    oracle.called(machineOf('s0'), { method: 'conductor_removeServer', values: ['s2', 0n], sinceMs: 0 });
    oracle.written(machine, entryOf(2, [voter('s0'), voter('s1')]));
    expect(complaints).toEqual([]);
  });
});

describe('changes that are taken commit', () => {
  /** A leader of three servers, of which nothing is wrong with any; the test sets what is. */
  const leading = () => {
    const clock = { nowMs: 0 };
    const position = {
      role: 'leader',
      term: 2,
      commitIndex: 1,
      configuration: { index: 1, configuration: { servers: [voter('s0'), voter('s1'), voter('s2')] } },
    };
    const machines = ['s0', 's1', 's2'].map((id, index) => ({
      id,
      index,
      isRunning: true,
      isFrozen: false,
      clock: { isRight: true },
      disk: { failures: 0, extraLatencyMs: 0, stalls: new Set(), lastIndex: 1, hardState: { recovering: false } },
      conductor: { position: () => position },
    }));
    const world = {
      get nowMs() {
        return clock.nowMs;
      },
      machines,
      configuration: { delayMaxUs: 3000 },
      links: { isClean: () => true, isCut: () => false },
      isWhereItIsLookedFor: () => true,
    };
    const { complaints, oracle } = judging(takenChangesCommit);
    const leader = machines[0] as unknown as Machine;
    oracle.watch(world as unknown as World);
    const pass = (ms: number): void => {
      for (const endMs = clock.nowMs + ms; clock.nowMs < endMs; clock.nowMs += 10)
        oracle.observed(leader, position as unknown as Position);
    };
    const take = (...servers: readonly Server[]): void => oracle.written(leader, entryOf(2, servers));
    return { complaints, machines, position, pass, take };
  };
  const removed = [voter('s0'), voter('s1')];

  test('one that needs whom the leader has not heard for a lease is not taken', () => {
    const { complaints, machines, pass, take } = leading();
    pass(5000);
    machines[1]!.isRunning = false;
    pass(500);
    take(...removed);
    expect(complaints).toEqual([]);
    pass(300);
    take(...removed);
    expect(complaints[0]).toMatch(
      /s0 takes configuration 2 .* voters s0, s1, and has lately heard of no others than s0/,
    );
  });

  test('nor one that needs whom it has never heard in its term', () => {
    const { complaints, machines, position, pass, take } = leading();
    pass(5000);
    machines[1]!.isRunning = false;
    position.term = 2.5;
    pass(10);
    position.term = 2;
    pass(10);
    take(...removed);
    expect(complaints).toHaveLength(1);
  });

  test('who just joins is not needed', () => {
    const { complaints, pass, take } = leading();
    pass(5000);
    take(voter('s0'), voter('s1'), voter('s2'), voter('s3'));
    expect(complaints).toEqual([]);
  });

  test('a leader that was late, or whose disk is, is not judged', () => {
    for (const wrong of [{ isFrozen: true }, { clock: { isRight: false } }]) {
      const { complaints, machines, pass, take } = leading();
      pass(5000);
      machines[1]!.isRunning = false;
      const before = { ...machines[0]! };
      Object.assign(machines[0]!, wrong);
      pass(1000);
      Object.assign(machines[0]!, before);
      take(...removed);
      expect(complaints).toEqual([]);
    }
  });

  test('one that is taken is committed within five seconds', () => {
    const { complaints, position, pass, take } = leading();
    pass(5000);
    take(...removed);
    pass(4900);
    expect(complaints).toEqual([]);
    pass(300);
    expect(complaints[0]).toMatch(/s0 has configuration 2 in its log since 5000, and does not commit it/);
    position.commitIndex = 2;
  });

  test('unless the leader is replaced, or a voter that it needs is gone meanwhile', () => {
    for (const end of ['committed', 'replaced', 'gone']) {
      const { complaints, machines, position, pass, take } = leading();
      pass(5000);
      take(...removed);
      if (end === 'committed') position.commitIndex = 2;
      if (end === 'replaced') position.role = 'follower';
      if (end === 'gone') machines[1]!.isRunning = false;
      pass(100);
      machines[1]!.isRunning = true;
      pass(10_000);
      expect(complaints).toEqual([]);
    }
  });
});
