/**
 * Every transcript of testdata/, run again: what happens must be what the file says. `vitest run transcripts -u` writes
 * the files anew; then the change is reviewed as text.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runTranscript } from './testing/transcript.ts';

const folder = join(import.meta.dirname, 'testdata');
const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));

describe('transcripts', () => {
  test.each(names)('%s happens as it is written', async (name) => {
    const file = join(folder, name);
    await expect(runTranscript(readFileSync(file, 'utf8'))).toMatchFileSnapshot(file);
  });

  test('there are a dozen, and what happened is told anew, whatever stood there', () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
    expect(runTranscript('# two\ncluster n1 n2\n\ntimeout n1\n----\nsomething else\n\nsettle')).toContain(
      'n1 is leader in term 2',
    );
  });

  test('a command that is not known is an error that names those that are', () => {
    expect(() => runTranscript('cluster n1\n\nelect n1')).toThrow(/no command elect: there are start, restart, crash/);
  });
});
