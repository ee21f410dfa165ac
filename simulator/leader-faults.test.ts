import { expect, test } from 'vitest';
import { defaultConfiguration } from './configuration.ts';
import type { EventKind } from './faults.ts';
import { execute } from './run.ts';
import { RUN_VERSION, type Run } from './run-value.ts';

function runOf(kind: EventKind): Run {
  const event = { kind, afterMs: 1000, at: 1, to: 0, forMs: 15_000, amount: 7 };
  return { version: RUN_VERSION, configuration: { ...defaultConfiguration, seed: 11 }, events: [event] };
}

/** How many times somebody came to lead. */
function reigns(run: Run): number {
  const { violation, judge } = execute(run);
  expect(violation).toBeNull();
  return judge.moments.filter(({ text }) => / leads in term /.test(text)).length;
}

test.each(['exile', 'regicide'] as const)('%s strikes leader after leader, and the chain goes on after it', (kind) => {
  expect(reigns(runOf(kind))).toBeGreaterThan(3);
});

test('rivals change the membership, and all are members again in the end', () => {
  const { judge, violation } = execute(runOf('rivals'));
  expect(violation).toBeNull();
  expect(judge.moments.map(({ text }) => text).join('\n')).toMatch(/operators remove a server/);
});

test('an heir whose sequencer cannot be started does not keep leadership', () => {
  expect(reigns(runOf('unprovisionedHeir'))).toBeGreaterThan(2);
});

test('the same event has the same history', () => {
  expect(execute(runOf('exile')).hash).toBe(execute(runOf('exile')).hash);
});
