import { describe, expect, test } from 'vitest';
import { controlTable, decide, rowOf, type DecideContext } from './decide.ts';

const booleans = [false, true];
const none = { kind: 'none' } as const;
const healthy = { kind: 'healthy', target: 'b', exclude: [] } as const;
const unknown = { kind: 'unknown', target: null, exclude: [] } as const;

function context(overrides: Partial<DecideContext>): DecideContext {
  return {
    nodeAnswers: true,
    clientIsGone: false,
    isInGrace: false,
    isInLongGrace: false,
    isCauseCommon: false,
    hasStartFailed: false,
    isJustElected: false,
    choice: none,
    ...overrides,
  };
}

describe('the control table', () => {
  test('has one row for each of the eight states, found by its state', () => {
    expect(controlTable).toHaveLength(8);
    for (const leader of booleans)
      for (const isHealthy of booleans)
        for (const active of booleans)
          expect(rowOf({ leader, healthy: isHealthy, active })).toMatchObject({ leader, healthy: isHealthy, active });
  });

  test('whatever else is known: a follower never starts, a sequencing follower always stops', () => {
    for (const nodeAnswers of booleans)
      for (const isInGrace of booleans)
        for (const hasStartFailed of booleans)
          for (const choice of [none, healthy, unknown])
            for (const isHealthy of booleans) {
              const known = { clientIsGone: false, isCauseCommon: false, isJustElected: false };
              const more = { nodeAnswers, isInGrace, isInLongGrace: isInGrace, hasStartFailed, choice, ...known };
              expect(decide({ leader: false, healthy: isHealthy, active: true }, more).action).toBe('stop');
              expect(['none', 'report']).toContain(
                decide({ leader: false, healthy: isHealthy, active: false }, more).action,
              );
              expect(decide({ leader: true, healthy: true, active: true }, more).action).toBe('none');
            }
  });

  test('elected while unhealthy: starts unless somebody is known healthier (rules 18 and 19)', () => {
    const elected = { leader: true, healthy: false, active: false };
    expect(decide(elected, context({ choice: unknown })).action).toBe('start');
    expect(decide(elected, context({ choice: none })).action).toBe('start');
    expect(decide(elected, context({ choice: healthy })).action).toBe('transfer');
  });

  test('elected and the node does not answer: to an unknown peer, else keeps trying with an alarm', () => {
    const elected = { leader: true, healthy: false, active: false };
    expect(decide(elected, context({ nodeAnswers: false, choice: unknown })).action).toBe('transfer');
    const gone = context({ nodeAnswers: false, clientIsGone: true, choice: none });
    expect(decide(elected, gone).action).toBe('keep');
    expect(decide(elected, { ...gone, choice: unknown }).action).toBe('transfer');
    const alone = decide(elected, context({ nodeAnswers: false, choice: none }));
    expect(alone).toMatchObject({ action: 'start' });
    expect('alarm' in alone && alone.alarm).toBeTruthy();
  });

  test('a leader that became unhealthy stops and hands over, or keeps on with an alarm when there is nobody', () => {
    const sick = { leader: true, healthy: false, active: true };
    expect(decide(sick, context({ choice: unknown })).action).toBe('stopAndTransfer');
    expect(decide(sick, context({ choice: healthy })).action).toBe('stopAndTransfer');
    expect(decide(sick, context({ choice: none })).action).toBe('keep');
    expect(decide(sick, context({ choice: none, nodeAnswers: false })).action).toBe('keep');
    expect(decide(sick, context({ choice: none, nodeAnswers: false, clientIsGone: true })).action).toBe('stop');
    expect(decide(sick, context({ choice: healthy, clientIsGone: true })).action).toBe('stopAndTransfer');
  });

  test('a leader that has heard of nobody yet hands over to nobody of whom nothing is known: all may be as badly off', () => {
    const fresh = { isJustElected: true, nodeAnswers: false };
    for (const active of booleans) {
      const state = { leader: true, healthy: false, active };
      expect(decide(state, context({ ...fresh, choice: unknown })).action).toBe('wait');
      expect(decide(state, context({ ...fresh, choice: healthy })).action).toMatch(/ransfer$/);
    }
  });

  test('waiting for recovery is bounded by the grace after a start, and not granted to a node that is gone', () => {
    const sick = { leader: true, healthy: false, active: true };
    expect(decide(sick, context({ isInGrace: true, choice: unknown })).action).toBe('wait');
    expect(decide(sick, context({ isInLongGrace: true, choice: unknown })).action).toBe('wait');
    expect(decide(sick, context({ isInLongGrace: true, choice: healthy })).action).toBe('stopAndTransfer');
    expect(decide(sick, context({ isInGrace: true, isInLongGrace: true, choice: healthy })).action).toBe('wait');
    expect(decide(sick, context({ isInLongGrace: true, choice: none })).action).toBe('keep');
    expect(decide(sick, context({ isInGrace: false, choice: unknown })).action).toBe('stopAndTransfer');
    expect(decide(sick, context({ isInGrace: true, nodeAnswers: false, choice: unknown })).action).toBe(
      'stopAndTransfer',
    );
  });

  test('an old head alone moves nobody where another leader would share its cause (rule 31)', () => {
    const sick = { leader: true, healthy: false, active: true };
    expect(decide(sick, context({ isCauseCommon: true, choice: unknown })).action).toBe('wait');
    expect(decide(sick, context({ isCauseCommon: true, choice: healthy })).action).toBe('wait');
  });

  test('a healthy leader that cannot start hands over in the end, if there is anybody', () => {
    const elected = { leader: true, healthy: true, active: false };
    expect(decide(elected, context({ hasStartFailed: true, choice: unknown })).action).toBe('transfer');
    expect(decide(elected, context({ hasStartFailed: true, choice: none })).action).toBe('start');
    expect(decide(elected, context({ choice: healthy })).action).toBe('start');
  });

  test('it hears its peers out before it hands over to one that nothing is known of', () => {
    const elected = { leader: true, healthy: true, active: false };
    const just = { hasStartFailed: true, isJustElected: true };
    expect(decide(elected, context({ ...just, choice: unknown })).action).toBe('wait');
    expect(decide(elected, context({ ...just, choice: healthy })).action).toBe('transfer');
    expect(decide(elected, context({ ...just, choice: none })).action).toBe('start');
  });
});
