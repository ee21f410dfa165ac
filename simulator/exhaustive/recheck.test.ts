import { expect, test, vi } from 'vitest';
import type * as Fingerprint from './fingerprint.ts';
import { scopes } from './scope.ts';
import { search } from './search.ts';

vi.mock('./fingerprint.ts', async (original) => ({
  ...(await original<typeof Fingerprint>()),
  fingerprint: (_: unknown, log: readonly string[]) => log.join(' '),
}));

test('a fingerprint that leaves out what matters is found out', () => {
  const { recheck } = search(scopes.elections, { statesMax: 5000, isRechecked: true });
  expect(recheck!.differences.length).toBeGreaterThan(0);
});
