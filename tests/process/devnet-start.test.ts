import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { planNodes } from '#conductor/cli/devnet/plan';
import { waitFor } from '../cluster/wait.ts';
import { freeOffset, isFree } from './devnet-process.ts';

const MAIN = join(import.meta.dirname, '../../conductor/cli/main.ts');
it('a devnet stops in order when the npm that started it is killed with −9', async () => {
  const offset = freeOffset();
  const command = `CONDUCTOR_DEVNET_PARENT=$$ '${process.execPath}' '${MAIN}' devnet --port-offset ${offset}; true`;
  const parent = Bun.spawn(['sh', '-c', command], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const reader = parent.stdout.getReader();
  let output = '';
  const read = (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      output += new TextDecoder().decode(part.value);
  })();
  onTestFinished(() => parent.kill('SIGKILL'));
  await waitFor('the devnet to be ready', 40_000, () => (output.includes('\nready ') ? true : null));
  parent.kill('SIGKILL');
  await read;
  expect(output).toContain('stopping');
  expect(output).toContain('stopped');
  const ports = planNodes(offset).flatMap((node) => Object.values(node.ports));
  expect(ports.filter((port) => !isFree(port))).toEqual([]);
}, 90_000);
