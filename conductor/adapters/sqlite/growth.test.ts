import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { workloadPath, type Workload, type WorkloadResult } from './testing/workload.ts';

const isFull = process.env['CONDUCTOR_TEST_FULL'] === '1';
const entries = isFull ? 20_000 : 1500;
const keep = isFull ? 1000 : 100;
const entryBytes = 100_000;
const residentBytesMax = 110e6;

test(
  `after ${entries} entries of 100 kB with ${keep} kept, file, write-ahead log and memory are bounded and opening is quick`,
  async () => {
    const workload: Workload = {
      directory: join(temporaryDirectory(), 'n1'),
      entries,
      entryBytes,
      batch: 1,
      keep,
      compactEvery: keep,
      maintain: false,
    };
    const { stdout } = await promisify(execFile)(process.execPath, [workloadPath, JSON.stringify(workload)]);
    const result = JSON.parse(stdout) as WorkloadResult;
    expect(result.loadedEntries).toBe(keep);
    // Between two compactions the log grows from `keep` to twice that; garbage is reused as it is written.
    expect(result.databaseBytesMax).toBeLessThan(2.3 * keep * entryBytes);
    expect(result.walBytesMax).toBeLessThan(3_000_000);
    expect(result.residentBytes).toBeLessThan(residentBytesMax);
    expect(result.openMs).toBeLessThan(1000);
  },
  isFull ? 180_000 : 60_000,
);
