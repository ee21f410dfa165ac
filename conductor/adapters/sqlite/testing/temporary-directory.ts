/** Places for the tests of the store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory that goes away with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'conductor-store-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
