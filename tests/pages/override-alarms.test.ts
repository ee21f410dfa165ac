/** Each alarm about an override has its own section of the runbooks, which looks for the line that is logged with it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sectionOfAlarm } from '#conductor/console/event-words';
import { ControlReport } from '#conductor/core/control/control-report';
import { LeaderOverride } from '#conductor/core/leader-override';
import { readRunbook } from '../../site/console/runbook-text.ts';

const runbook = readRunbook(join(import.meta.dirname, '../../content/pages/conductor/runbooks'));
const block = { number: 7n, hash: `0x${'7'.repeat(64)}` };

/** Every kind that is counted, with what is logged as an error then. */
function alarms(): Map<string, string[]> {
  const told = new Map<string, string[]>();
  let last = '';
  const host = {
    selfId: 'a',
    nowMs: () => 0,
    leaderId: () => 'b',
    metrics: {
      count: (_: string, labels: Readonly<Record<string, string>> = {}) => void (last = labels['kind'] ?? ''),
      gauge: () => undefined,
      observe: () => undefined,
    },
    logger: {
      log: (level: string, message: string) => {
        if (level === 'error') told.set(last, [...(told.get(last) ?? []), message]);
      },
    },
  };
  new LeaderOverride(host).set(true);
  const report = new ControlReport('a', host);
  report.leftToOperator({ action: 'start', alarm: null });
  report.leftToOperator({ action: 'transfer', choice: { kind: 'none' } });
  report.endOfLogDone({ kind: 'stuck', message: 'no answer', head: null, isRefused: false }, block);
  report.endOfLogDone({ kind: 'otherBranch', ours: block, theirs: block }, block);
  report.risesUncommitted(block, block);
  report.publishesRefused(block, block);
  return told;
}

test.each([...alarms()])('%s', (kind, messages) => {
  expect(kind).toMatch(/^(override|override-idle|override-behind|uncommitted)$/);
  const section = JSON.stringify(runbook[sectionOfAlarm(kind)]);
  const sought = [...section.matchAll(/grep '([^']+)'/g)].map(([, text = '']) => text);
  for (const message of messages) expect(sought.some((text) => message.includes(text))).toBe(true);
});

test('there are four', () => expect(alarms().size).toBe(4));
