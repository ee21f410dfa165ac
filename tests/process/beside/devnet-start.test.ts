import { expect, it, onTestFinished } from 'vitest';
import { planNodes } from '#conductor/devnet/plan';
import { CONDUCTOR_SOURCE } from '../../cluster/conductor-command.ts';
import { waitFor } from '../../cluster/wait.ts';
import { freeOffset, isFree } from '../devnet-process.ts';

/** From the sources, whatever CONDUCTOR_BIN says: that is what npm start does. */
it('a devnet stops in order when the npm that started it is killed with −9', async () => {
  const offset = freeOffset();
  const command = `CONDUCTOR_DEVNET_PARENT=$$ '${process.execPath}' '${CONDUCTOR_SOURCE}' devnet --port-offset ${offset}; true`;
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
