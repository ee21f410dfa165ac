import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { alertsTable, monitoringFiles } from './monitoring-files.ts';

const tablePath = join(import.meta.dirname, '../content/data/conductor-alerts-table.yaml');

test.each([...monitoringFiles('job')])('%s is as `npm run monitoring` would write it', (name, text) =>
  expect(readFileSync(join(import.meta.dirname, name), 'utf8')).toBe(text),
);

test('the table of alerts in the documentation is as `npm run monitoring` would write it', () => {
  const kept = readFileSync(tablePath, 'utf8');
  expect(kept).toBe(alertsTable(/^date: (\S+)$/m.exec(kept)?.[1] ?? ''));
});

test('another label of clusters takes the place of job everywhere but in what joins single targets', () => {
  for (const text of monitoringFiles('chain').values()) {
    expect(text).not.toContain('CLUSTER');
    expect(text).toContain('chain');
    expect(text.replaceAll('on (job, instance)', '')).not.toMatch(/by \(job|\{job=|labels\.job|_up, job/);
  }
});
