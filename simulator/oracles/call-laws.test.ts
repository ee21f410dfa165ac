import { describe, expect, test } from 'vitest';
import { EntryType } from '#conductor/core/raft/types';
import type { MethodName } from '#conductor/core/rpc/methods';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import { activeIsWhatWasTold, everyCallIsAnswered, oneSaysThatItLeads, refusedIsNeverCommitted } from './call-laws.ts';
import type { Law, Oracle } from './oracle.ts';

const done = { kind: 'result', json: 'null' } as const;
const yes = { kind: 'result', json: 'true' } as const;
const no = { kind: 'result', json: 'false' } as const;
const refusal = { kind: 'error', code: -32000, message: 'no', data: JSON.stringify({ outcome: 'refused' }) } as const;
const lost = { kind: 'error', code: -32000, message: 'connection reset' } as const;

/** A law, what it complains of, and calls to be told to it. */
function judging(law: Law) {
  const complaints: string[] = [];
  const oracle: Required<Oracle> = law(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const begin = (machine: Machine, method: Call['method'], values: Call['values'] = [], sinceMs = 0): Call => {
    const call = { method, values, sinceMs };
    oracle.called(machine, call);
    return call;
  };
  return { complaints, oracle, begin };
}

function machineOf(id: string, more: object = {}): Machine {
  return { id, life: 1, nowMs: 0, worldMs: 0, isStartedPaused: false, conductor: null, ...more } as unknown as Machine;
}

const position = (role: 'leader' | 'follower', term: number, commitIndex = 0) =>
  ({ role, term, commitIndex, hasFailed: false }) as unknown as Parameters<Oracle['observed'] & object>[1];

describe('every call is answered', () => {
  const turn = (machine: { nowMs: number }, oracle: Required<Oracle>, ms: number, stepMs = 100): void => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      machine.nowMs += stepMs;
      oracle.observed(machine as Machine, position('follower', 1));
    }
  };

  test('within what a process needs that turns; a frozen one is waited for', () => {
    const { complaints, oracle, begin } = judging(everyCallIsAnswered);
    const machine = machineOf('s0') as Machine & { nowMs: number };
    turn(machine, oracle, 100);
    begin(machine, 'read');
    turn(machine, oracle, 60_000, 30_000);
    expect(complaints).toEqual([]);
    turn(machine, oracle, 16_000);
    expect(complaints[0]).toMatch(/s0 does not answer read/);
  });

  test('a commit sooner than others, also behind one that may take longer', () => {
    const { complaints, oracle, begin } = judging(everyCallIsAnswered);
    const machine = machineOf('s0') as Machine & { nowMs: number };
    turn(machine, oracle, 100);
    begin(machine, 'read');
    begin(machine, 'conductor_commitUnsafePayload');
    turn(machine, oracle, 7000);
    expect(complaints).toEqual([]);
    turn(machine, oracle, 100);
    expect(complaints).toEqual(['s0 does not answer conductor_commitUnsafePayload, which came at 0']);
  });

  test('a new voter later, which is waited for while it gets ahead', () => {
    const { complaints, oracle, begin } = judging(everyCallIsAnswered);
    const machine = machineOf('s0') as Machine & { nowMs: number };
    turn(machine, oracle, 100);
    begin(machine, 'conductor_addServerAsVoter');
    turn(machine, oracle, 25_000);
    expect(complaints).toEqual([]);
    turn(machine, oracle, 100);
    expect(complaints).toEqual(['s0 does not answer conductor_addServerAsVoter, which came at 0']);
  });

  test('an answer ends the wait, and so does the end of the process', () => {
    const { complaints, oracle, begin } = judging(everyCallIsAnswered);
    const machine = machineOf('s0') as Machine & { nowMs: number };
    oracle.answered(machine, begin(machine, 'conductor_leader'), yes);
    begin(machine, 'read');
    oracle.ended(machine);
    turn(machine, oracle, 60_000);
    expect(complaints).toEqual([]);
  });
});

describe('what is refused is never committed', () => {
  const hash = `0x${'ab'.repeat(32)}`;
  const values = [{ payload: { executionPayload: { blockHash: hash } } }] as unknown as Call['values'];
  /** The entry of a block: only its hash matters here, 32 bytes at a fixed place. */
  const data = new Uint8Array(1024).fill(0xab);
  const holder = { ...machineOf('s1'), disk: { everAt: () => ({ index: 1, type: EntryType.command, data }) } };

  const judged = (answers: readonly Parameters<Required<Oracle>['answered']>[2][]): readonly string[] => {
    const { complaints, oracle, begin } = judging(refusedIsNeverCommitted);
    const machine = machineOf('s0');
    const calls = answers.map(() => begin(machine, 'conductor_commitUnsafePayload', values));
    for (const [at, call] of calls.entries()) oracle.answered(machine, call, answers[at]!);
    oracle.observed(holder as unknown as Machine, position('follower', 1, 1));
    return complaints;
  };

  test('where every offer was refused', () => {
    expect(judged([refusal])[0]).toMatch(/is committed, and whoever offered it was told that it is refused/);
    expect(judged([refusal, refusal])).toHaveLength(1);
  });

  test('and no server refuses one that its own log holds because it does not lead', () => {
    const { complaints, oracle, begin } = judging(refusedIsNeverCommitted);
    const entryAt = () => ({ index: 1, type: EntryType.command, data });
    const offer = (reason: string, lastIndex: number): void => {
      const machine = { ...machineOf('s0'), disk: { firstIndex: 1, lastIndex, entryAt } } as unknown as Machine;
      const told = { ...refusal, data: JSON.stringify({ outcome: 'refused', reason }) };
      oracle.answered(machine, begin(machine, 'conductor_commitUnsafePayload', values), told);
    };
    offer('not-leader', 0);
    offer('invalid', 1);
    expect(complaints).toEqual([]);
    offer('not-leader', 1);
    expect(complaints[0]).toMatch(/s0 refuses block 0xabababab \(not-leader\), which is in its own log/);
  });

  test('it may be where one was acknowledged, is unknown, or was lost with its connection', () => {
    expect(judged([refusal, done])).toEqual([]);
    expect(judged([refusal, lost])).toEqual([]);
  });
});

describe('conductor_active is what was told', () => {
  const asking = (act: (machine: Machine, say: (method: MethodName) => void, ask: () => Call) => Call) => {
    const { complaints, oracle, begin } = judging(activeIsWhatWasTold);
    const machine = machineOf('s0');
    oracle.started(machine);
    const say = (method: MethodName): void => oracle.answered(machine, begin(machine, method), done);
    const call = act(machine, say, () => begin(machine, 'conductor_active'));
    return (outcome: typeof yes | typeof no): number => {
      oracle.answered(machine, call, outcome);
      return complaints.length;
    };
  };

  test('true from the start, false after a pause, true after a resume', () => {
    expect(asking((_, __, ask) => ask())(yes)).toBe(0);
    expect(asking((_, __, ask) => ask())(no)).toBe(1);
    const paused = asking((_, say, ask) => (say('conductor_pause'), ask()));
    expect(paused(yes)).toBe(1);
    const resumed = asking((_, say, ask) => (say('conductor_pause'), say('conductor_resume'), ask()));
    expect(resumed(no)).toBe(1);
  });

  test('either while a pause is under way', () => {
    expect(asking((_, say, ask) => [ask(), say('conductor_pause')][0] as Call)(yes)).toBe(0);
    expect(asking((_, say, ask) => [ask(), say('conductor_pause')][0] as Call)(no)).toBe(0);
  });
});

describe('one says that it leads', () => {
  test('unless another has led a later term for longer than a lease', () => {
    const { complaints, oracle, begin } = judging(oneSaysThatItLeads);
    const old = machineOf('s0', { conductor: { position: () => position('leader', 3) } });
    const next = machineOf('s1', { worldMs: 1000 });
    oracle.observed(next, position('leader', 4));
    oracle.answered(old, begin(old, 'conductor_leader', [], 3000), yes);
    oracle.answered(old, begin(old, 'conductor_leader', [], 9000), no);
    expect(complaints).toEqual([]);
    oracle.answered(old, begin(old, 'conductor_leader', [], 4000), yes);
    expect(complaints[0]).toMatch(/s0 says that it leads, in term 3, and s1 has led term 4/);
  });

  test('an override is the operator’s word', () => {
    const { complaints, oracle, begin } = judging(oneSaysThatItLeads);
    const old = machineOf('s0', { conductor: { position: () => position('follower', 3) } });
    oracle.observed(machineOf('s1'), position('leader', 4));
    begin(old, 'conductor_overrideLeader', [true]);
    oracle.answered(old, begin(old, 'conductor_leader', [], 9000), yes);
    expect(complaints).toEqual([]);
  });
});
