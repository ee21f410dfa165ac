import { expect, test } from 'vitest';
import { HealthLog } from './health-log.ts';
import { unhealthy, type Verdict } from './verdict.ts';

const healthy: Verdict = { isHealthy: true };
const stale = unhealthy('the unsafe head is 4 s old, allowed are 3');
const gone = unhealthy('refused', 'connectionDown');

function log() {
  const lines: string[] = [];
  const health = new HealthLog({
    logger: {
      log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
    },
    serverId: 's0',
    intervalMs: 1000,
  });
  /** What is written of a verdict at a time, milliseconds. */
  return (verdict: Verdict, nowMs: number): readonly string[] => {
    health.verdict(verdict, nowMs);
    return lines.splice(0);
  };
}

const sick = `error Sequencer is unhealthy ${JSON.stringify({
  ...{ server: 's0', err: 'sequencer is not healthy', detail: 'the unsafe head is 4 s old, allowed are 3' },
})}`;

test("every check has its line, in op-conductor's words and at its levels", () => {
  const at = log();
  expect(at(healthy, 1000)).toEqual(['info sequencer is healthy {}']);
  expect(at(healthy, 1990)).toEqual(['info sequencer is healthy {}']);
  expect(at(stale, 3005)).toEqual([sick, 'info Health state changed {"old":true,"new":false}']);
  expect(at(stale, 4000)).toEqual([sick]);
  expect(at(healthy, 5000)).toEqual([
    'info sequencer is healthy {}',
    'info Health state changed {"old":false,"new":true}',
  ]);
});

test('looks between two checks write nothing, unless the cause is another one', () => {
  const at = log();
  at(stale, 1000);
  expect(at(stale, 1200)).toEqual([]);
  expect(at(gone, 1300)).toEqual([
    'error Sequencer is unhealthy {"server":"s0","err":"cannot connect to sequencer rpc endpoints","detail":"refused"}',
  ]);
  expect(at(gone, 1700)).toEqual([]);
  expect(at(gone, 2000)).toHaveLength(1);
});

test('a server that is healthy at its first check has not changed', () => {
  expect(log()(healthy, 1000)).toHaveLength(1);
  expect(log()(stale, 1000)).toHaveLength(2);
});
