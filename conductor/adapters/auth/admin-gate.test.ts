import { expect, test } from 'vitest';
import type { AdminGate } from '#conductor/adapters/http';
import type { Metrics } from '#conductor/ports';
import { createAdminGate, refusalLinesPerSecondMax } from './admin-gate.ts';

function gateAt(clock: { nowMs: number }): { gate: AdminGate; lines: string[]; counted: string[] } {
  const lines: string[] = [];
  const counted: string[] = [];
  const metrics: Metrics = {
    count: (name, labels) => void counted.push([name, ...Object.values(labels ?? {})].join(' ')),
    gauge: () => undefined,
    observe: () => undefined,
  };
  const logger = {
    log: (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  return { gate: createAdminGate({ credentials: null, logger, metrics, now: () => clock.nowMs }), lines, counted };
}

const call = { id: '1', method: 'conductor_pause', params: { text: '["x"]', values: ['x'] } };
const refusal = { method: 'conductor_pause', reason: 'unauthorized' } as const;
const caller = { from: '10.0.0.1', message: 'unauthorized: why' };

test('without credentials everybody may pass, without a name', () => {
  expect(gateAt({ nowMs: 0 }).gate.identify(null)).toEqual({ kind: 'allowed', name: '' });
});

test('a refused admin call leaves a line and a count', () => {
  const { gate, lines, counted } = gateAt({ nowMs: 0 });
  gate.refused(call, refusal, caller);
  const fields = {
    method: 'conductor_pause',
    params: ['x'],
    from: '10.0.0.1',
    outcome: 'unauthorized',
    err: caller.message,
  };
  expect(lines).toEqual([`info admin call ${JSON.stringify(fields)}`]);
  expect(counted).toEqual(['admin_calls_total conductor_pause unauthorized']);
});

test('a flood of refused calls is counted whole and logged in part, and the log says so', () => {
  const clock = { nowMs: 0 };
  const { gate, lines, counted } = gateAt(clock);
  for (let each = 0; each < refusalLinesPerSecondMax + 50; each += 1) gate.refused(call, refusal, caller);
  expect(lines).toHaveLength(refusalLinesPerSecondMax);
  expect(counted).toHaveLength(refusalLinesPerSecondMax + 50);
  clock.nowMs = 1000;
  gate.refused(call, refusal, caller);
  expect(lines.slice(refusalLinesPerSecondMax)).toEqual([
    'warn more admin calls were refused than are shown {"unsaid":50}',
    expect.stringContaining('info admin call'),
  ]);
});
