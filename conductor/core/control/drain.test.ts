import { describe, expect, test } from 'vitest';
import type { NodeRequest } from '../node/calls.ts';
import { drain } from './drain.ts';
import type { Effect, EffectResult } from '../node/effects.ts';
import type { TransferTarget } from './target.ts';

/** What a drain did, in order, and what it left undone. */
function run(world: {
  readonly commits?: (nowMs: number) => number;
  readonly orders?: (nowMs: number) => boolean;
  readonly isLeader?: boolean;
  /** When it leads no more, in ms. */
  readonly ledUntilMs?: number;
  readonly isActive?: boolean;
  readonly isHandedOver?: boolean;
  /** Whom leadership should go to, before and after the peers were asked. */
  readonly transferTargets?: readonly TransferTarget[];
  /** When an operator overrides it, in ms. */
  readonly overriddenAtMs?: number;
  /** When the others begin to answer what was sent since the end began, in ms. */
  readonly majorityAtMs?: number;
  /** When what they answered last was sent, in ms; what is sent now is answered at once if undefined. */
  readonly lastAnsweredMs?: number;
  /** When the leader has heard of the end, in ms. */
  readonly toldAtMs?: number;
  /** They have not answered for long. */
  readonly isUnheard?: boolean;
  readonly isStopped?: boolean;
}): { readonly did: string[]; readonly problems: readonly string[]; readonly ms: number; calls: NodeRequest[] } {
  let now = 0;
  const did: string[] = [];
  const calls: NodeRequest[] = [];
  const steps = drain({
    nowMs: () => now,
    commitWaitMs: 2000,
    tellWaitMs: 500,
    commitsInFlight: () => world.commits?.(now) ?? 0,
    isLeader: () => (world.isLeader ?? true) && now < (world.ledUntilMs ?? Infinity),
    hasOrderInFlight: () => world.orders?.(now) ?? false,
    mayBeActive: () => world.isActive ?? true,
    transferTarget: () =>
      (did.includes('ask') ? world.transferTargets?.[1] : world.transferTargets?.[0]) ?? {
        target: 'b',
        exclude: ['c'],
      },
    isOverridden: () => now >= (world.overriddenAtMs ?? Infinity),
    isTellingEnd: () => now < (world.toldAtMs ?? 0),
    // Until then they last answered a moment before the end began.
    isMajorityWithoutUs: (ageMaxMs) =>
      world.isUnheard !== true &&
      now < (world.ledUntilMs ?? Infinity) &&
      (now >= (world.majorityAtMs ?? 0) || ageMaxMs > now) &&
      now - ageMaxMs <= (world.lastAnsweredMs ?? Infinity),
  });
  const execute = (effect: Effect): EffectResult => {
    switch (effect.kind) {
      case 'wait':
        now += effect.ms;
        return { kind: 'wait' };
      case 'transfer':
        did.push(`transfer to ${effect.target}`);
        return { kind: 'transfer', isDone: world.isHandedOver ?? true, message: 'nobody took over' };
      case 'ask':
        did.push('ask');
        return { kind: 'ask' };
      case 'read':
        return { kind: 'read', isConfirmed: true, message: '' };
      case 'calls':
        calls.push(...effect.requests);
        did.push(...effect.requests.map(({ method }) => method));
        return {
          kind: 'calls',
          results: effect.requests.map(() =>
            (world.isStopped ?? true)
              ? { kind: 'result', value: null }
              : { kind: 'failed', reason: 'timeout', message: 'no answer' },
          ),
        };
    }
  };
  let state = steps.next();
  while (state.done !== true) state = steps.next(execute(state.value));
  return { did, problems: state.value, ms: now, calls };
}

describe('ending in good order (rule 21)', () => {
  test('where nobody is known healthy those it would pass over are asked how they stand by now', () => {
    const nobody = { target: null, exclude: ['b', 'c'] };
    expect(run({ transferTargets: [nobody, { target: 'c', exclude: ['b'] }] }).did).toEqual([
      'ask',
      'transfer to c',
      'admin_stopSequencer',
    ]);
    expect(run({ transferTargets: [nobody, nobody] }).did).toEqual(['ask', 'transfer to null', 'admin_stopSequencer']);
    expect(run({ transferTargets: [{ target: null, exclude: [] }] }).did[0]).toBe('transfer to null');
  });

  test('a leader hands over, then stops its sequencer within a second', () => {
    const { did, problems, calls } = run({});
    expect(did).toEqual(['transfer to b', 'admin_stopSequencer']);
    expect(problems).toEqual([]);
    expect(calls[0]?.timeoutMs).toBe(1000);
  });

  test('one-block-reorg: the commit in flight is waited for before leadership goes', () => {
    const { did, ms } = run({ commits: (now) => (now < 300 ? 1 : 0) });
    expect(ms).toBeGreaterThanOrEqual(300);
    expect(ms).toBeLessThan(400);
    expect(did).toEqual(['transfer to b', 'admin_stopSequencer']);
  });

  test('stop-hangs: a commit that never ends is waited for one block and no longer, and said', () => {
    const { did, problems, ms } = run({ commits: () => 1 });
    expect(ms).toBe(2000);
    expect(did).toEqual(['transfer to b', 'admin_stopSequencer']);
    expect(problems).toEqual(['a commit in flight was not finished: its outcome is unknown']);
  });

  test('whether or not leadership went, the sequencer is stopped; what failed is said', () => {
    const { did, problems } = run({ isHandedOver: false, isStopped: false });
    expect(did).toEqual(['transfer to b', 'admin_stopSequencer']);
    expect(problems).toEqual([
      'leadership was not handed over: nobody took over',
      'the sequencer was not stopped: no answer',
    ]);
  });

  test('where nobody could use leadership it is handed to nobody; the sequencer is stopped, and why is said', () => {
    const { did, problems, ms } = run({ majorityAtMs: Infinity });
    expect(did).toEqual(['admin_stopSequencer']);
    expect(problems).toEqual([
      'leadership was not handed over: the others that answer are no majority without this one',
    ]);
    expect(ms).toBe(1500);
  });

  test('others that answer late are waited for, those known to be silent are not, nor any under an override', () => {
    const late = run({ majorityAtMs: 300 });
    expect(late.did).toEqual(['transfer to b', 'admin_stopSequencer']);
    expect(late.ms).toBe(300);
    expect(run({ isUnheard: true }).ms).toBe(0);
    const overridden = run({ overriddenAtMs: 0, majorityAtMs: Infinity });
    expect(overridden.did).toEqual(['admin_stopSequencer']);
    expect(overridden.problems).toEqual(['leadership was not handed over: it is overridden here']);
    expect(overridden.ms).toBe(0);
  });

  test('an override that comes while it ends keeps leadership here, too', () => {
    const { did, problems } = run({ majorityAtMs: 300, overriddenAtMs: 200 });
    expect(did).toEqual(['admin_stopSequencer']);
    expect(problems).toEqual(['leadership was not handed over: it is overridden here']);
  });

  test('a follower hands nothing over; a sequencer known to stand still is left alone', () => {
    expect(run({ isLeader: false }).did).toEqual(['admin_stopSequencer']);
    expect(run({ isActive: false }).did).toEqual(['transfer to b']);
  });

  test('answers that came while a commit was waited for count', () => {
    expect(run({ commits: (now) => (now < 300 ? 1 : 0), lastAnsweredMs: 200 }).ms).toBe(300);
  });

  test('leadership that another has taken meanwhile is no trouble', () => {
    const { did, problems } = run({ majorityAtMs: Infinity, ledUntilMs: 100 });
    expect(did).toEqual(['admin_stopSequencer']);
    expect(problems).toEqual([]);
  });

  test('the leader is told of the end, for the length of its lease at most', () => {
    expect(run({ isLeader: false, toldAtMs: 30 }).ms).toBe(30);
    expect(run({ isLeader: false, toldAtMs: Infinity }).ms).toBe(500);
  });

  test('a start the node has been told of is waited for before the stop, a second at most', () => {
    expect(run({ orders: (now) => now < 200 }).ms).toBeGreaterThanOrEqual(200);
    const never = run({ orders: () => true });
    expect(never.ms).toBe(1000);
    expect(never.did).toEqual(['transfer to b', 'admin_stopSequencer']);
  });
});
