import { expect, test } from 'vitest';
import type { AdminGate } from '#conductor/adapters/http/calls';
import { createMetrics } from '#conductor/adapters/metrics/prometheus';
import type { Metrics } from '#conductor/core/ports';
import { anybody } from '#conductor/core/rpc/identity';
import { asksWhoCalls } from '#conductor/core/rpc/method';
import { noListener } from '#conductor/core/published-event';
import { methodTable } from '#conductor/core/rpc/methods';
import type { Credentials } from './credentials.ts';
import { createAdminGate, refusalLinesPerSecondMax } from './admin-gate.ts';

function gateAt(clock: { nowMs: number }): { gate: AdminGate; lines: string[]; counted: string[] } {
  const lines: string[] = [];
  const counted: string[] = [];
  const metrics: Metrics = {
    count: (name: string, labels?: Readonly<Record<string, string>>, amount = 1) => {
      if (amount > 0) counted.push([name, ...Object.values(labels ?? {})].join(' '));
    },
    gauge: () => undefined,
    observe: () => undefined,
  };
  const logger = {
    log: (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  return {
    gate: createAdminGate({ credentials: null, logger, metrics, events: noListener, now: () => clock.nowMs }),
    lines,
    counted,
  };
}

const call = { id: '1', method: 'conductor_pause', params: { text: '["x"]', values: ['x'] } };
const refusal = { method: 'conductor_pause', reason: 'unauthorized' } as const;
const caller = { from: '10.0.0.1', message: 'unauthorized: why' };

test('without credentials everybody may pass, without a name', () => {
  const { gate } = gateAt({ nowMs: 0 });
  expect(gate.identify({ authorization: null, pageSign: null }, 'proof')).toEqual({ kind: 'allowed', name: '' });
});

test('without credentials a web page may not pass, whatever it sends, and is told how to', () => {
  const { gate } = gateAt({ nowMs: 0 });
  for (const authorization of [null, 'Bearer anything'])
    expect(gate.identify({ authorization, pageSign: 'a web page sends it' }, 'proof')).toEqual({
      kind: 'refused',
      message: expect.stringMatching(/^unauthorized: a web page sends it, .*--rpc\.auth\.tokens-file.*Bearer/),
    });
});

test.each([
  ['with', { identify: () => anybody, close: () => undefined } as unknown as Credentials],
  ['without', null],
])(
  '%s credentials the refused calls of every method that asks who calls are on the page from the start, at 0',
  async (_, credentials) => {
    const metrics = createMetrics('v0');
    const gate = createAdminGate({
      credentials,
      metrics,
      logger: { log: () => undefined },
      events: noListener,
      now: () => 0,
    });
    const series = (method: string): string =>
      `op_conductor_admin_calls_total{method="${method}",outcome="unauthorized"}`;
    const before = await metrics.page();
    for (const { name } of methodTable.filter(asksWhoCalls)) expect(before).toContain(`${series(name)} 0\n`);
    for (let each = 0; each < 5000; each += 1) gate.refused(call, refusal, caller);
    expect(await metrics.page()).toContain(`${series('conductor_pause')} 5000\n`);
  },
);

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
