/** The compiled binary becomes itself without the runtime's last JIT tier: same process, same words; a word of the operator's wins. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { conductorCommand } from '../../../tests/cluster/conductor-command.ts';
import { waitFor } from '../../../tests/cluster/wait.ts';

const startMsMax = 30_000;
const flags = [
  ...['--consensus.addr=127.0.0.1', '--consensus.port=0', '--raft.server.id=two words', '--raft.storage.dir=/nowhere'],
  // Nobody answers there, so that it waits for its node.
  ...['--node.rpc=http://127.0.0.1:1', '--execution.rpc=http://127.0.0.1:1', '--network=op-mainnet'],
  ...['--healthcheck.interval=1', '--healthcheck.unsafe-interval=5', '--healthcheck.min-peer-count=1'],
];

test.runIf(process.platform === 'linux').each<[Record<string, string>, string]>([
  [{}, '0'],
  [{ BUN_JSC_useFTLJIT: '1' }, '1'],
])('with %j it runs with BUN_JSC_useFTLJIT=%s, and ends in order', async (given, value) => {
  // Variables of the benchmarks have the prefix of its own, and would be told of first.
  const isForeign = ([name]: [string, unknown]): boolean => !/^(OP_CONDUCTOR_|BUN_JSC_useFTLJIT$)/.test(name);
  const outer = Object.fromEntries(Object.entries(process.env).filter(isForeign));
  const command = conductorCommand();
  const child = Bun.spawn([...command, ...flags], { env: { ...outer, ...given }, stdout: 'pipe', stderr: 'ignore' });
  onTestFinished(() => child.kill('SIGKILL'));
  const { value: first } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(first)).toContain('initializing OpConductor');
  const read = (name: string): string[] => readFileSync(`/proc/${child.pid}/${name}`, 'utf8').split('\0');
  // A script under the runtime is not started anew.
  const expected = command.length === 1 ? value : given['BUN_JSC_useFTLJIT'];
  const found = read('environ').find((line) => line.startsWith('BUN_JSC_useFTLJIT='));
  expect(found).toBe(expected === undefined ? undefined : `BUN_JSC_useFTLJIT=${expected}`);
  expect(read('cmdline').filter((word) => word.startsWith('--'))).toEqual(flags);
  child.kill('SIGTERM');
  await waitFor('its end', startMsMax, () => child.exitCode);
  expect(child.exitCode).toBe(0);
});
