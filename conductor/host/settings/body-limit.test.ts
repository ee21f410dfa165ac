/** The known failure body-limit: a bound on request bodies must not be a bound on blocks. */
import { expect, test } from 'vitest';
import { flagTable } from '#conductor/cli/flags';

/** Bytes of the largest payload the issue asks for, 20 MB, as hex digits in a JSON body. */
const largestPayloadBodyBytes = 2 * 20_000_000 + 65_536;

test('by default a body of 64 MiB is read, so that a block of 20 MB can be committed', () => {
  const fallback = Number(flagTable.find((flag) => flag.name === 'rpc.body-limit')?.fallback);
  expect(fallback).toBe(64 * 1024 * 1024);
  expect(fallback).toBeGreaterThan(largestPayloadBodyBytes);
});
