import { bitsOfKinds } from '#conductor/core/evidence/observation';
import { expect, test } from 'vitest';
import type { ConductorEvent } from '#conductor/core/events';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Outcome } from '#conductor/core/rpc/message';
import { EntryType, Suffrage, type HardState } from '#conductor/core/raft/types';
import { Disk } from '../disk.ts';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { World } from '../world.ts';
import {
  endHandsOverFirst,
  handOverIsTold,
  heirHasAMajority,
  heirHoldsTheLog,
  heirIsNotKnownUnfit,
} from './hand-over-laws.ts';
import type { Oracle } from './oracle.ts';

function diskOf(hard: Partial<HardState>, ...terms: number[]): Disk {
  const disk = new Disk();
  const entries = terms.map((term, at) => {
    const entry = { index: at + 1, term, type: EntryType.noop, data: null, extensions: null };
    return { entry: { ...entry, appendedAt: new Uint8Array(15) }, summary: null };
  });
  const hardState = { term: 2, votedTerm: 2, votedFor: null, recovering: false, ...hard };
  disk.write({ entries, hardState });
  return disk;
}

/** What is said of a hand-over from a server with the terms 1, 1, 2 to this one, which is a voter unless that is false. */
function complaintsOf(
  role: 'leader' | 'follower',
  transferTarget: Disk,
  isPastAppends = false,
  isVoter = true,
): string[] {
  const complaints: string[] = [];
  const oracle = heirHoldsTheLog(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = [
    { id: 's0', address: 's0:1', suffrage: Suffrage.voter },
    { id: 's1', address: 's1:1', suffrage: isVoter ? Suffrage.voter : Suffrage.nonvoter },
  ];
  const configuration = { index: 1, configuration: { servers } };
  const from = {
    id: 's0',
    disk: diskOf({}, 1, 1, 2),
    conductor: { position: () => ({ role, term: 2, commitIndex: 2, configuration }) },
  };
  const machines = [from, { id: 's1', disk: transferTarget }] as unknown as Machine[];
  oracle.watch?.({ machines } as unknown as World);
  oracle.handsOver?.(machines[0]!, 's1', isPastAppends, false);
  return complaints;
}

test('a transfer target that lacks the last entry, or has another one there, breaks it', () => {
  expect(complaintsOf('leader', diskOf({}, 1, 1, 2))).toEqual([]);
  expect(complaintsOf('leader', diskOf({}, 1, 1))).toEqual([
    's0 hands over to s1, which does not hold its last entry 3/2',
  ]);
  expect(complaintsOf('leader', diskOf({}, 1, 1, 1))).toHaveLength(1);
});

test('one without a vote breaks it, also with the last word of who leads no longer', () => {
  const complaint = 's0 hands over to s1, which has no vote';
  for (const role of ['leader', 'follower'] as const)
    expect(complaintsOf(role, diskOf({}, 1, 1, 2), false, false)).toEqual([complaint]);
});

test('past appends that do not reach it a transfer target holds what is committed', () => {
  expect(complaintsOf('leader', diskOf({}, 1, 1), true)).toEqual([]);
  expect(complaintsOf('leader', diskOf({}, 1), true)).toEqual([
    's0 hands over to s1, which does not hold its last entry 2/1',
  ]);
});

test('one that leads no more takes the best that there is; a transfer target that it cannot know of may have held it', () => {
  expect(complaintsOf('follower', diskOf({}, 1))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ term: 3 }, 1, 1, 3))).toEqual([]);
  expect(complaintsOf('leader', diskOf({ recovering: true }))).toEqual([]);
});

interface Peer {
  readonly healthy: boolean | null;
  readonly paused: boolean;
  readonly builds?: boolean;
  readonly observations?: readonly unknown[];
}

/** What is said of a hand-over to s1 after these seconds, when the leader has heard that of it from the beginning on. */
function ineligibleComplaints(
  seconds: number,
  heard: (second: number) => Peer | null,
  { isNamed = false, isStartedPaused = false } = {},
): string[] {
  const complaints: string[] = [];
  const oracle = heirIsNotKnownUnfit(
    (message) => complaints.push(message),
    () => undefined,
  );
  let worldMs = 0;
  const position = { role: 'leader' } as RaftPosition;
  const statusOf = (peer: Peer | null): unknown => (peer === null ? null : { observations: [], ...peer });
  const status = (): unknown => ({ peers: [{ id: 's1', peerStatus: statusOf(heard(worldMs / 1000)) }] });
  const leader = {
    id: 's0',
    isStartedPaused,
    get worldMs() {
      return worldMs;
    },
    conductor: { position: () => position, status },
  } as unknown as Machine;
  oracle.started?.(leader);
  for (; worldMs < seconds * 1000; worldMs += 500) oracle.observed?.(leader, position);
  const named = { kind: 'rpc', answerId: 1, method: 'conductor_transferLeaderToServer', values: ['s1', ''], from: '' };
  if (isNamed) oracle.handled?.(leader, named as ConductorEvent);
  oracle.handsOver?.(leader, 's1', false, false);
  return complaints;
}

test('a transfer target that has said for long that it is paused or unhealthy breaks it', () => {
  const paused: Peer = { healthy: true, paused: true };
  expect(ineligibleComplaints(4, () => paused)).toEqual([
    's0 hands over to s1, known to be unhealthy or paused since 0',
  ]);
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false }))).toHaveLength(1);
});

test('one that says so since the choice, that was fit in between, that is silent, or that was named, does not', () => {
  const paused: Peer = { healthy: true, paused: true };
  const eligible: Peer = { healthy: true, paused: false };
  expect(ineligibleComplaints(2, () => paused)).toEqual([]);
  expect(ineligibleComplaints(4, (second) => (second === 2.5 ? eligible : paused))).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: null, paused: false }))).toEqual([]);
  expect(ineligibleComplaints(4, () => null)).toEqual([]);
  expect(ineligibleComplaints(4, () => paused, { isNamed: true })).toEqual([]);
});

test('one whose client refuses a block stands where the chain goes on: its head is as old as everybody’s', () => {
  const observations = [{ number: 5, hash: new Uint8Array(32), kinds: bitsOfKinds(['invalid']) }];
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false, observations }))).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: true, observations }))).toHaveLength(1);
});

test('under a leader that is paused itself whoever is not, or builds, is fit', () => {
  const leader = { isStartedPaused: true };
  expect(ineligibleComplaints(4, () => ({ healthy: false, paused: false }), leader)).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: true, paused: true, builds: true }), leader)).toEqual([]);
  expect(ineligibleComplaints(4, () => ({ healthy: true, paused: true }), leader)).toHaveLength(1);
});

/** What is said when s0 of three hands over after ten seconds, the others having ended at these. */
function lonelyComplaints({
  isEnding,
  endedAtMs,
  isTransferring = false,
  times = 1,
  toldAtMs,
}: {
  isEnding: boolean;
  endedAtMs: readonly number[];
  /** A hand-over is under way when the end begins. */
  isTransferring?: boolean;
  /** How often it tells one to take over. */
  times?: number;
  /** When it had told one before its end began. */
  toldAtMs?: number;
}): string[] {
  const complaints: string[] = [];
  const oracle = heirHasAMajority(
    (message) => complaints.push(message),
    () => undefined,
  );
  const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: `${id}:1`, suffrage: 0 }));
  const position = { role: 'leader' } as RaftPosition;
  const status = { isTransferring, configuration: { configuration: { servers } } };
  const conductor = { position: () => position, status: () => status };
  const at = (index: number, worldMs: number): Machine =>
    ({ id: `s${index}`, worldMs, conductor }) as unknown as Machine;
  oracle.watch?.({ machines: [0, 1, 2].map((index) => at(index, 0)) } as unknown as World);
  for (const [index, atMs] of endedAtMs.entries()) oracle.ended?.(at(index + 1, atMs));
  if (toldAtMs !== undefined) oracle.handsOver?.(at(0, toldAtMs), 's1', false, false);
  if (isEnding) oracle.handled?.(at(0, 10_000), { kind: 'drain', reason: 'SIGTERM' });
  for (let time = 0; time < times; time++) oracle.handsOver?.(at(0, 10_000), 's1', false, false);
  return complaints;
}

test('one that ends while too few others are there to be a majority breaks it', () => {
  for (const endedAtMs of [1000, 9999])
    expect(lonelyComplaints({ isEnding: true, endedAtMs: [endedAtMs] })).toEqual([
      's0 ends and hands over, though only 1 of 3 voters stay',
    ]);
});

test('one that stays, that leaves a majority, or beside one that ends later, does not', () => {
  expect(lonelyComplaints({ isEnding: false, endedAtMs: [1000] })).toEqual([]);
  expect(lonelyComplaints({ isEnding: true, endedAtMs: [] })).toEqual([]);
  expect(lonelyComplaints({ isEnding: true, endedAtMs: [10_000] })).toEqual([]);
});

test('nor does a hand-over that is under way then; the next one does', () => {
  const underWay = { isEnding: true, endedAtMs: [1000], isTransferring: true };
  expect(lonelyComplaints(underWay)).toEqual([]);
  expect(lonelyComplaints({ ...underWay, times: 2 })).toHaveLength(1);
  expect(lonelyComplaints({ ...underWay, toldAtMs: 9000 })).toHaveLength(1);
  expect(lonelyComplaints({ ...underWay, toldAtMs: 7000 })).toEqual([]);
});

const done: Outcome = { kind: 'result', json: 'null' };
const lost: Outcome = { kind: 'error', code: -32000, message: 'leadership lost: server s1 asks for votes' };
const refused: Outcome = { kind: 'error', code: -32000, message: 'leadership transfer timeout' };

/** A leader of term 2 that is called, or ends, and may tell somebody to take over. */
function handingOver() {
  const complaints: string[] = [];
  const oracle = handOverIsTold(
    (message) => complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  const servers = ['s0', 's1', 's2'].map((id) => ({ id, address: `${id}:1` }));
  const position = { role: 'leader', term: 2, configuration: { configuration: { servers } } };
  const leader = { id: 's0', conductor: { position: () => ({ ...position }) } } as unknown as Machine;
  oracle.started(leader);
  const called = (target: string | null, address = `${target}:1`): Call => {
    const method = target === null ? 'conductor_transferLeader' : 'conductor_transferLeaderToServer';
    const call: Call = { method, values: target === null ? [] : [target, address, 0n], sinceMs: 0 };
    oracle.called(leader, call);
    return call;
  };
  const answered = (call: Call, outcome: Outcome): readonly string[] => {
    oracle.answered(leader, call, outcome);
    return complaints;
  };
  const tells = (to: string): void => oracle.handsOver(leader, to, false, false);
  const advises = (to: string): void => oracle.handsOver(leader, to, false, true);
  const follows = (): void => void Object.assign(position, { role: 'follower', term: 3 });
  return { complaints, oracle, leader, called, answered, tells, advises, follows };
}

test('a hand-over is called done by who leads no longer, and has told the one that was named', () => {
  for (const target of ['s1', null]) {
    const { called, answered, tells, follows } = handingOver();
    const call = called(target);
    tells('s1');
    follows();
    expect(answered(call, done)).toEqual([]);
  }
});

test('not by who leads on, nor by who has told another one', () => {
  const leads = handingOver();
  const call = leads.called('s1');
  leads.tells('s1');
  expect(leads.answered(call, done)).toEqual(['s0 says that it has handed leadership over, and leads term 2 still']);
  const other = handingOver();
  const named = other.called('s1');
  other.tells('s2');
  other.follows();
  expect(other.answered(named, done)[0]).toMatch(/handed leadership to s1, which it never told to take over/);
});

test('also where it told that one with its last word, as it followed already, but not where that was advice', () => {
  for (const isAdvice of [false, true]) {
    const { called, answered, tells, advises, follows } = handingOver();
    const call = called('s1');
    follows();
    if (isAdvice) advises('s1');
    else tells('s1');
    expect(answered(call, done)).toHaveLength(isAdvice ? 1 : 0);
  }
});

test('nor to a server that was named with the address of another one', () => {
  const { called, answered, tells, follows } = handingOver();
  const call = called('s1', 's2:1');
  tells('s1');
  follows();
  expect(answered(call, done)).toEqual([
    's0 says that it has handed leadership to s1, named with the address of another',
  ]);
});

test('but to one that was named with an address that is nobody’s', () => {
  const { called, answered, tells, follows } = handingOver();
  const call = called('s1', 's1.cluster:1');
  tells('s1');
  follows();
  expect(answered(call, done)).toEqual([]);
});

test('who has told the named one does not say that leadership was lost otherwise', () => {
  const { called, answered, tells, follows } = handingOver();
  const call = called('s1');
  tells('s1');
  follows();
  expect(answered(call, lost)[0]).toMatch(/s0 has told s1 to take over, and answers: leadership lost/);
});

test('but may say that it gave up, or that it lost leadership before it had told anybody, or with its last word', () => {
  const gaveUp = handingOver();
  const call = gaveUp.called('s1');
  gaveUp.tells('s1');
  expect(gaveUp.answered(call, refused)).toEqual([]);
  const before = handingOver();
  const early = before.called('s1');
  before.follows();
  before.advises('s1');
  expect(before.answered(early, lost)).toEqual([]);
  const follower = handingOver();
  follower.follows();
  expect(follower.answered(follower.called(null), done)).toEqual([]);
});

test('nor does who ends', () => {
  const undone = `leadership was not handed over: ${lost.kind === 'error' ? lost.message : ''}; the sequencer was not stopped`;
  const told = handingOver();
  told.oracle.handled(told.leader, { kind: 'drain', reason: 'SIGTERM' });
  told.oracle.exited(told.leader, undone);
  expect(told.complaints).toEqual([]);
  told.tells('s1');
  told.oracle.exited(told.leader, 'leadership was not handed over: leadership transfer timeout');
  expect(told.complaints).toEqual([]);
  told.oracle.exited(told.leader, undone);
  expect(told.complaints).toEqual([
    's0 has told s1 to take over, and ends with: leadership lost: server s1 asks for votes',
  ]);
});

/** What is said of a leader of term 2 that is told to end at 1 s and does these things, half a second apart. */
function endComplaints(...deeds: readonly ('handsOver' | 'stops' | 'isDeposed' | 'exits' | 'exitsUndone' | 'drain')[]) {
  const complaints: string[] = [];
  const oracle = endHandsOverFirst(
    (message) => complaints.push(message),
    () => undefined,
  );
  let role = 'leader';
  const conductor = { position: () => ({ role, term: 2 }) };
  const leader = { id: 's0', worldMs: 0, conductor };
  const machine = leader as unknown as Machine;
  oracle.started?.(machine);
  for (const deed of deeds) {
    leader.worldMs += 500;
    if (deed === 'drain') oracle.handled?.(machine, { kind: 'drain', reason: 'SIGTERM' });
    else if (deed === 'handsOver') oracle.handsOver?.(machine, 's1', false, false);
    else if (deed === 'stops') oracle.ordered?.(machine, 'admin_stopSequencer', '');
    else if (deed === 'isDeposed') role = 'follower';
    else oracle.exited?.(machine, deed === 'exits' ? '' : 'leadership was not handed over: nobody is fit');
  }
  return complaints;
}

test('a leader that ends and stops its sequencer before it hands over breaks it', () => {
  const complaint = 's0 was to end, led, and stopped its sequencer at 1000, before it handed over';
  expect(endComplaints('drain', 'stops', 'handsOver', 'exits')).toEqual([complaint]);
  expect(endComplaints('drain', 'stops', 'exits')).toEqual([complaint]);
  expect(endComplaints('drain', 'handsOver', 'stops', 'exits')).toEqual([]);
  expect(endComplaints('drain', 'handsOver', 'isDeposed', 'stops', 'exits')).toEqual([]);
});

test('one that could not hand over, or led no more, or was not to end, has stopped nothing too early', () => {
  expect(endComplaints('drain', 'stops', 'exitsUndone')).toEqual([]);
  expect(endComplaints('drain', 'isDeposed', 'stops', 'exits')).toEqual([]);
  expect(endComplaints('stops', 'exits')).toEqual([]);
  expect(endComplaints('stops', 'drain', 'exits')).toEqual([]);
  // An operator's hand-over is under way.
  expect(endComplaints('handsOver', 'drain', 'stops', 'exits')).toEqual([]);
});
