import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openStore } from './store.ts';
import { bytesOf, crashServerId, crashWriterPath, entriesOf } from './testing/crash-writer.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';
import { entryAt } from './testing/values.ts';

const rounds = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 100 : 12;
/** A round is killed after its first acknowledgement and at most this much more. */
const killWithinMs = 150;

/** Runs the writer until it is killed; the last batch it acknowledged. */
async function writeUntilKilled(directory: string): Promise<number> {
  const writer = spawn(process.execPath, [crashWriterPath, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(writer, 'close');
  let output = '';
  let isDoomed = false;
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (isDoomed) return;
    isDoomed = true;
    setTimeout(() => writer.kill('SIGKILL'), Math.random() * killWithinMs);
  });
  const [, signal] = await exited;
  expect(signal).toBe('SIGKILL');
  const whole = output.slice(0, output.lastIndexOf('\n')).split('\n');
  return Number(whole.at(-1)?.split(' ')[0]);
}

/** Opens what the killed writer left; returns the last batch in it after checking that every batch is whole. */
function inspect(directory: string): number {
  const store = openStore({ directory, serverId: crashServerId });
  try {
    const { hardState, snapshot, entries } = store.load();
    const batch = hardState?.term ?? 0;
    let last = 0;
    for (let term = 1; term <= batch; term += 1) last += entriesOf(term);
    expect(entries.at(-1)?.index ?? snapshot?.index).toBe(last);
    expect(entries.filter((one) => one.term === batch)).toHaveLength(entriesOf(batch));
    const first = entries[0]?.index ?? 1;
    expect(first).toBeLessThanOrEqual((snapshot?.index ?? 0) + 1);
    const expected = entries.map(({ index, term }) => entryAt(index, term, bytesOf(index)).entry);
    expect(store.read(first, last, Infinity)).toEqual(expected);
    return batch;
  } finally {
    store.close();
  }
}

describe('a writer killed with SIGKILL at any moment', () => {
  test(
    'loses nothing it acknowledged, and leaves every batch whole or not at all',
    async () => {
      const directory = temporaryDirectory();
      let before = 0;
      for (let round = 0; round < rounds; round += 1) {
        const acknowledged = await writeUntilKilled(directory);
        expect(acknowledged).toBeGreaterThan(before);
        const found = inspect(directory);
        expect(found).toBeGreaterThanOrEqual(acknowledged);
        expect(found).toBeLessThanOrEqual(acknowledged + 1);
        before = found;
      }
    },
    10_000 + rounds * 2000,
  );
});
