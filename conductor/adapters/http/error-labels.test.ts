import { expect, test } from 'vitest';
import { anybody } from '#conductor/core/rpc/identity';
import type { Call } from '#conductor/core/rpc/message';
import { runCall, type Caller } from './calls.ts';

test.each([
  [-32000, 'rpc_-32000'],
  [-39001, 'rpc_-39001'],
  [-40100, 'rpc_-40100'],
  [-123_456, 'rpc_other'],
  [7, 'rpc_other'],
])('an error of code %i is counted as %s: a backend may make up any number of them', async (code, label) => {
  const seen: string[] = [];
  const metrics = {
    count: (_name: string, labels?: Readonly<Record<string, string>>) => void seen.push(labels?.['error'] ?? ''),
    observe: () => undefined,
    set: () => undefined,
  };
  const call: Call = { id: '1', method: 'optimism_syncStatus', params: { text: '[]', values: [] } };
  const caller = { identify: () => anybody } as unknown as Caller;
  await runCall(
    {
      dispatch: { isAdminEnabled: false, isProxyEnabled: true, version: 'v0' },
      metrics: metrics as never,
      invoke: () => ({ kind: 'error', code, message: 'no' }),
    },
    call,
    caller,
    performance.now(),
  );
  expect(seen.filter((one) => one !== '')).toEqual([label]);
});
