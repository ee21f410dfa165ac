import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { descriptorLimit } from './descriptors.ts';
import { clientLimits, flashblocksLimits } from '../flashblocks/limits.ts';
import { connectionLimits, DEFAULT_TCP_LIMITS } from '../tcp/limits.ts';

test('the limit is read from the system, and is none where it cannot be', () => {
  const folder = mkdtempSync(join(tmpdir(), 'conductor-descriptors-'));
  const path = join(folder, 'limits');
  writeFileSync(path, 'Max processes 7 7 processes\nMax open files            256                  4096      files\n');
  expect(descriptorLimit(path)).toBe(256);
  writeFileSync(path, 'Max open files            unlimited            unlimited            files\n');
  expect(descriptorLimit(path)).toBe(Infinity);
  expect(descriptorLimit(join(folder, 'nowhere'))).toBe(Infinity);
  rmSync(folder, { recursive: true });
});

test('raft connections leave most of the descriptors to everything else', () => {
  const { inboundConnectionsMax, inboundPerAddressMax } = DEFAULT_TCP_LIMITS;
  expect(connectionLimits(Infinity)).toEqual({ inboundConnectionsMax, inboundPerAddressMax });
  expect(connectionLimits(20_000)).toEqual({ inboundConnectionsMax, inboundPerAddressMax });
  for (const limit of [256, 1024, 4096]) {
    const few = connectionLimits(limit);
    expect(few.inboundConnectionsMax).toBe(limit / 4);
    expect(few.inboundPerAddressMax).toBe(limit / 8);
  }
  expect(connectionLimits(0).inboundPerAddressMax).toBeGreaterThan(0);
});

test('clients of flashblocks do, too', () => {
  const { clientsMax } = flashblocksLimits;
  const limits = [Infinity, 20_000, 1024, 128];
  expect(limits.map((limit) => clientLimits(limit).clientsMax)).toEqual([clientsMax, clientsMax, 256, 32]);
});
