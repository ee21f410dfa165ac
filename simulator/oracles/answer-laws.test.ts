import { describe, expect, test } from 'vitest';
import { Suffrage } from '#conductor/core/raft/types';
import type { ConductorEvent } from '#conductor/core/events';
import type { Machine } from '../machine.ts';
import { noNodeTroubles } from '../node-troubles.ts';
import type { World } from '../world.ts';
import { answersAgree, healthIsTold, unreadyIsTold } from './answer-laws.ts';
import type { Law, Oracle } from './oracle.ts';

const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: id, suffrage: Suffrage.voter }));
const configuration = { index: 1, configuration: { servers } };

/** Three servers with nothing wrong; s0 is looked at by the law, and says what `answers`, `gauges` and `readiness` have. */
function judging(law: Law) {
  const complaints: string[] = [];
  const time = { nowMs: 1_000_000 };
  const cuts = new Set<string>();
  const answers: Record<string, unknown> = {
    conductor_leader: false,
    conductor_leaderWithID: { id: 's1', addr: 's1', suffrage: 0 },
    conductor_active: true,
    conductor_paused: false,
    conductor_stopped: false,
    conductor_sequencerHealthy: true,
    conductor_leaderOverridden: false,
    conductor_clusterMembership: { servers, version: 1 },
    conductor_clusterNodes: { committed: { hash: '0xaa' }, givenUp: { hash: '0xbb', done: true } },
  };
  const gauges: Record<string, number> = {
    leader: 0,
    leader_overridden: 0,
    active: 1,
    paused: 0,
    sequencer_healthy: 1,
    raft_voters: 3,
    raft_is_leader: 0,
    raft_leader_known: 1,
    raft_recovering: 0,
  };
  const said = { readiness: '' };
  const position = { role: 'follower', hasFailed: false, configuration };
  const roles = ['follower', 'follower', 'follower'];
  const machines = servers.map(({ id }, index) => ({
    id,
    index,
    life: 1,
    isRunning: true,
    isStartedPaused: false,
    clock: { isRight: true, unixMs: () => time.nowMs },
    disk: { hardState: { recovering: false }, failures: 0, extraLatencyMs: 0, stalls: new Set() },
    node: {
      isUp: true,
      faults: noNodeTroubles(),
      unsetUntilMs: -Infinity,
      get toldHead() {
        return this.head;
      },
      get head() {
        return { number: 20 - lacks.blocks, timestamp: Math.floor(time.nowMs / 1000) - lacks.seconds };
      },
      l1: { forkedFrom: null, seen: Infinity },
      client: { isHonest: true, isSyncing: false, needsRestart: false, faults: {} },
    },
    conductor: {
      committedHead: () => ({ number: 20n, hash: '' }),
      position: () => ({ ...position, role: roles[index]! }),
      readiness: () => said.readiness,
      answerNow: (method: string) => ({ kind: 'result', json: JSON.stringify(answers[method]) }),
    },
    shows: () => ({
      answers: new Map(Object.entries(answers)),
      gauges: new Map(Object.entries(gauges)),
      readiness: said.readiness,
    }),
    get worldMs() {
      return time.nowMs;
    },
    get nowMs() {
      return time.nowMs;
    },
  }));
  const lacks = { blocks: 0, seconds: 0 };
  const world = {
    get nowMs() {
      return time.nowMs;
    },
    machines,
    configuration: { healthSeconds: 1, unsafeSeconds: 3 },
    spoiled: { isSpoiling: () => false },
    links: { isCut: (from: number, to: number) => cuts.has(`${from}${to}`) },
  };
  const oracle = law(
    (message) => void complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch?.(world as unknown as World);
  const looked = machines[0] as unknown as Machine;
  oracle.started?.(looked);
  /** Time passes, in which s0 turns now and then; returns how much there is to complain of. */
  const pass = (ms: number, stepMs = 100): number => {
    for (const endMs = time.nowMs + ms; time.nowMs < endMs && complaints.length === 0;) {
      time.nowMs += stepMs;
      oracle.observed(looked, position as never);
    }
    return complaints.length;
  };
  const handled = (event: object): void => oracle.handled(looked, event as ConductorEvent);
  const call = (method: string) => {
    const made = { method, values: [], sinceMs: time.nowMs } as never;
    oracle.called(looked, made);
    return (kind: 'result' | 'error') => oracle.answered(looked, made, { kind, json: 'null' } as never);
  };
  return { complaints, answers, gauges, said, position, roles, machines, lacks, cuts, pass, handled, call, oracle };
}

describe('answers agree', () => {
  test('with each other, as they are', () => {
    expect(judging(answersAgree).pass(5000)).toBe(0);
  });

  test.each<[string, Record<string, unknown>, Record<string, number>, RegExp]>([
    ['a gauge of health', { conductor_sequencerHealthy: false }, {}, /conductor_sequencerHealthy with false/],
    ['a gauge of activity', {}, { active: 0 }, /its gauge active is 0/],
    ['paused and active', { conductor_paused: true }, { paused: 1 }, /says active: true, paused: true/],
    ['stopped and active', { conductor_stopped: true }, {}, /stopped: true/],
    ['voters', {}, { raft_voters: 2 }, /names 3 voters/],
    ['a gauge of the lead', { conductor_leader: true }, {}, /its gauge leader is 0/],
    ['a leader’s own name', {}, { raft_is_leader: 1 }, /leads, and names s1/],
    ['a leader that is known', { conductor_leaderWithID: { id: '' } }, {}, /names no leader, and its gauge/],
    [
      'an override',
      { conductor_leaderOverridden: true },
      { leader_overridden: 1 },
      /is overridden, and does not say that it leads/,
    ],
    [
      'readiness without a leader',
      { conductor_leaderWithID: { id: '' } },
      { raft_leader_known: 0 },
      /names no leader, and says that it is ready/,
    ],
    [
      'a block that has been given up',
      { conductor_clusterNodes: { committed: { hash: '0xbb' }, givenUp: { hash: '0xbb', done: true } } },
      {},
      /block 0xbb has been given up, and that it is the newest one/,
    ],
    ['readiness of who recovers', {}, { raft_recovering: 1 }, /is recovering, and says that it is ready/],
  ])('not where %s does not', (_, answers, gauges, complaint) => {
    const { pass, complaints, ...shown } = judging(answersAgree);
    Object.assign(shown.answers, answers);
    Object.assign(shown.gauges, gauges);
    expect(pass(1000)).toBe(1);
    expect(complaints[0]).toMatch(complaint);
  });

  const paused = { answers: { conductor_paused: true, conductor_active: false }, gauges: { paused: 1, active: 0 } };

  test('with what was ordered last; while an order is under way either is right', () => {
    const { pass, call, handled, complaints, ...shown } = judging(answersAgree);
    const answer = call('conductor_pause');
    handled({ kind: 'rpc', method: 'conductor_pause' });
    expect(pass(2000)).toBe(0);
    Object.assign(shown.answers, paused.answers);
    Object.assign(shown.gauges, paused.gauges);
    expect(pass(2000)).toBe(0);
    answer('result');
    expect(pass(2000)).toBe(0);
    call('conductor_resume')('result');
    pass(2000);
    expect(complaints).toEqual(['s0 was told to go on, and says paused: true']);
  });

  test('who founds a cluster is paused by that', () => {
    const { pass, handled, ...shown } = judging(answersAgree);
    handled({ kind: 'bootstrap' });
    Object.assign(shown.answers, paused.answers);
    Object.assign(shown.gauges, paused.gauges);
    expect(pass(2000)).toBe(0);
  });

  test('nobody stops who is not told to', () => {
    const stops = (isTold: boolean): readonly string[] => {
      const { pass, handled, complaints, ...shown } = judging(answersAgree);
      if (isTold) handled({ kind: 'drain', reason: 'SIGTERM' });
      Object.assign(shown.answers, { conductor_stopped: true, conductor_active: false });
      Object.assign(shown.gauges, { active: 0 });
      pass(2000);
      return complaints;
    };
    expect(stops(true)).toEqual([]);
    expect(stops(false)).toEqual(['s0 says that it is stopped, and nobody has told it']);
  });
});

describe('health is told', () => {
  test('of a node that is down, within two checks and an unsafe interval in which the process turns', () => {
    const { pass, machines, complaints } = judging(healthIsTold);
    machines[0]!.node.isUp = false;
    expect(pass(60_000, 2000)).toBe(0);
    expect(pass(7000)).toBe(0);
    expect(pass(500)).toBe(1);
    expect(complaints[0]).toMatch(/the node of s0 has been down for 7\d\d\d ms, and is called healthy/);
  });

  test('of one that comes back in time nothing is said', () => {
    const { pass, machines } = judging(healthIsTold);
    for (let times = 0; times < 5; times++) {
      machines[0]!.node.isUp = false;
      expect(pass(6000)).toBe(0);
      machines[0]!.node.isUp = true;
      expect(pass(500)).toBe(0);
    }
  });

  test('one that is well may be called unhealthy for a while', () => {
    const { pass, answers } = judging(healthIsTold);
    for (let times = 0; times < 5; times++) {
      answers['conductor_sequencerHealthy'] = false;
      expect(pass(6000)).toBe(0);
      answers['conductor_sequencerHealthy'] = true;
      expect(pass(500)).toBe(0);
    }
  });

  test('of one that is well; not of one that is lonely, has an old head, or tells of none', () => {
    const called = (change: (judged: ReturnType<typeof judging>) => void): number => {
      const judged = judging(healthIsTold);
      judged.answers['conductor_sequencerHealthy'] = false;
      change(judged);
      return judged.pass(10_000);
    };
    expect(called(() => undefined)).toBe(1);
    expect(called(({ machines }) => (machines[0]!.node.faults.lonely = 1))).toBe(0);
    expect(called(({ lacks }) => (lacks.seconds = 3))).toBe(0);
    expect(called(({ machines }) => (machines[0]!.disk.extraLatencyMs = 300))).toBe(0);
    expect(called(({ machines }) => (machines[0]!.node.unsetUntilMs = Infinity))).toBe(0);
    expect(called(({ machines }) => (machines[0]!.clock.isRight = false))).toBe(0);
  });
});

describe('nobody calls itself ready', () => {
  const cutOff = ({ cuts }: ReturnType<typeof judging>): void => {
    for (const cut of ['01', '10', '02', '20']) cuts.add(cut);
  };

  test('who is cut off from every majority', () => {
    const judged = judging(unreadyIsTold);
    cutOff(judged);
    expect(judged.pass(10_000)).toBe(0);
    expect(judged.pass(500)).toBe(1);
    expect(judged.complaints[0]).toMatch(/s0 has been cut off for \d+ ms, and says that it is ready/);
  });

  test('but who says so, hears somebody, or leads still, which has laws of its own, is not complained of', () => {
    const saying = judging(unreadyIsTold);
    cutOff(saying);
    saying.said.readiness = 'no leader is known';
    expect(saying.pass(60_000)).toBe(0);
    const hearing = judging(unreadyIsTold);
    cutOff(hearing);
    hearing.cuts.delete('10');
    expect(hearing.pass(60_000)).toBe(0);
    const leading = judging(unreadyIsTold);
    cutOff(leading);
    leading.roles[0] = 'leader';
    expect(leading.pass(60_000)).toBe(0);
    leading.roles[0] = 'follower';
    expect(leading.pass(60_000)).toBe(1);
  });

  test.each<[string, (judged: ReturnType<typeof judging>) => void]>([
    ['who recovers', ({ machines }) => (machines[0]!.disk.hardState.recovering = true)],
    ['whose node is down', ({ machines }) => (machines[0]!.node.isUp = false)],
    ['whose node lacks eleven blocks', ({ lacks }) => (lacks.blocks = 11)],
  ])('%s', (_, change) => {
    const judged = judging(unreadyIsTold);
    change(judged);
    expect(judged.pass(400)).toBe(0);
    expect(judged.pass(10_000)).toBe(1);
  });

  test('ten blocks may be missing', () => {
    const judged = judging(unreadyIsTold);
    judged.lacks.blocks = 10;
    expect(judged.pass(60_000)).toBe(0);
  });
});
