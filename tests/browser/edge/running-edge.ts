/**
 * The edge in a process of its own, for the tests of one `describe`: real workerd with the configuration of infra/edge
 * over a built site. Where it does not run, the tests are skipped and say why.
 */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { edgeCommand } from '../../../scripts/edge-command.ts';

export interface RunningEdge {
  /** With a slash at the end. */
  readonly url: string;
}

const START_MS_MAX = 60_000;
const END_MS_MAX = 20_000;

/** Call it inside `describe`, after the hook that makes the folder there is. */
export function useEdge(folder: () => string, makingMsMax: number): RunningEdge {
  let program: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | null = null;
  let url: string | null = null;
  let obstacle = '';
  beforeAll(async () => {
    const command = edgeCommand(0, folder());
    if (typeof command === 'string') {
      obstacle = command;
      return;
    }
    const { program: node, args, env } = command;
    program = Bun.spawn([node, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    url = await addressOf(program);
  }, START_MS_MAX + makingMsMax);
  beforeEach((context) => {
    if (obstacle !== '') context.skip(obstacle);
  });
  afterAll(async () => {
    program?.kill('SIGTERM');
    await program?.exited;
  }, END_MS_MAX);
  return {
    get url() {
      if (url === null) throw new Error('The edge serves while the tests of its describe run.');
      return url;
    },
  };
}

/** The first address that it prints; throws with its complaints when it ends before. */
async function addressOf(program: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<string> {
  const complaint = program.stderr.text();
  for await (const line of createInterface(Readable.fromWeb(program.stdout as never))) {
    if (line.startsWith('http://')) return line;
  }
  throw new Error(`The edge ended before it served: ${await complaint}`);
}
