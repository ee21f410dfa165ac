/** A process whose log nobody reads: its event loop goes on. Real processes. */
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LineOutput, writerTo } from './line-output.ts';

const script = join(import.meta.dirname, 'testing', 'talkative.ts');
/** Far more than a pipe or the buffers of a socket hold: 1 kB each. */
const lines = 20_000;
const waitMs = 20_000;

/** A reader that reads nothing until it is told to. */
interface Reader {
  /** Redirection of a shell, to it. */
  readonly redirection: string;
  /** Reads what there is; all that was read so far. */
  read(): string;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function newPipe(): string {
  const path = join(temporaryFolder(), 'pipe');
  expect(Bun.spawnSync(['mkfifo', path]).exitCode).toBe(0);
  return path;
}

function pipe(): Reader {
  const path = newPipe();
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(descriptor));
  const chunk = Buffer.alloc(65_536);
  let text = '';
  const read = (): string => {
    try {
      for (let length = 1; length > 0;) {
        length = readSync(descriptor, chunk);
        text += chunk.toString('latin1', 0, length);
      }
    } catch {
      // EAGAIN: that was all.
    }
    return text;
  };
  return { redirection: `> ${path}`, read };
}

async function socket(): Promise<Reader> {
  let text = '';
  let connection: Socket | undefined;
  const server = createServer({ pauseOnConnect: true }, (one) => {
    connection = one;
    one.on('data', (chunk) => (text += chunk.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    connection?.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const read = (): string => {
    connection?.resume();
    return text;
  };
  return { redirection: `> /dev/tcp/127.0.0.1/${port}`, read };
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const end = performance.now() + waitMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`${what} did not happen within ${waitMs} ms`);
    await Bun.sleep(5);
  }
}

/** The process, by a shell whose redirections are descriptors that wait for their readers. */
function talk(redirection: string, count: number) {
  const words = ['bash', '-c', `exec "$@" ${redirection}`, 'bash', process.execPath, script, String(count)];
  const child = Bun.spawn(words, { stdin: 'pipe', stdout: 'ignore', stderr: 'pipe' });
  onTestFinished(() => child.kill('SIGKILL'));
  let errors = '';
  const reading = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) errors += decoder.decode(chunk);
  };
  void reading();
  const say = async (word: string): Promise<void> => {
    child.stdin.write(`${word}\n`);
    await child.stdin.flush();
    await until(word, () => errors.includes(word));
  };
  return { allSaid: () => until('the end', () => errors.includes('all said')), say, child };
}

test.runIf(process.platform === 'linux').each([
  ['a pipe', pipe],
  ['a socket', socket],
])('nobody reads %s: the process goes on, and says later how many lines it dropped', async (_, open) => {
  const reader = await open();
  const { allSaid, say } = talk(reader.redirection, lines);
  await allSaid();
  await until('room', () => reader.read().length > 0);
  await say('once more');
  await until('the last line', () => reader.read().includes('once more'));
  const said = reader
    .read()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; number?: number; lines?: number });
  const numbers = said.flatMap(({ number }) => number ?? []);
  const dropped = said.map((line) => line.lines ?? 0).reduce((sum, one) => sum + one);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect(dropped).toBeGreaterThan(0);
  expect(numbers.length + dropped).toBe(lines);
  expect(said.at(-1)!.msg).toBe('once more');
});

test.runIf(process.platform === 'linux')(
  'what a pipe does not take at once is dropped, even where it is soon read',
  () => {
    const path = newPipe();
    const descriptor = openSync(path, 'r+');
    const reader = Bun.spawn(['sh', '-c', `sleep 1; exec cat '${path}'`], { stdin: 'ignore', stdout: 'ignore' });
    onTestFinished(() => {
      reader.kill();
      closeSync(descriptor);
    });
    const output = new LineOutput(writerTo(descriptor));
    const isTaken = Array.from({ length: 100 }, () => output.write('x'.repeat(4000)));
    expect([isTaken[0], isTaken.at(-1)]).toEqual([true, false]);
  },
);

test('a file is added to where it was opened for that', async () => {
  const path = join(temporaryFolder(), 'log');
  for (const _ of [1, 2]) {
    const { allSaid, child } = talk(`>> ${path}`, 3);
    await allSaid();
    child.kill('SIGKILL');
    await child.exited;
  }
  expect(readFileSync(path, 'utf8').match(/"number":\d/g)).toEqual([0, 1, 2, 0, 1, 2].map((n) => `"number":${n}`));
});

test('lines stay whole: of one that was taken in part the rest goes first, and until it has gone nothing else does', () => {
  let room = 4;
  let taken = '';
  const output = new LineOutput((bytes) => {
    if (room === 0) throw Object.assign(new Error('full'), { code: 'EAGAIN' });
    const some = Buffer.from(bytes.subarray(0, room)).toString();
    room -= some.length;
    taken += some;
    return some.length;
  });
  expect([output.write('first'), output.write('second')]).toEqual([true, false]);
  room = 1;
  expect(output.write('third')).toBe(false);
  room = 100;
  expect(output.write('fourth')).toBe(true);
  expect(taken).toBe('first\nfourth\n');
});
