import { describe, expect, it } from 'vitest';
import { DiskError } from '../disk.ts';
import type { Machine } from '../machine.ts';
import { noBrokenInvariant } from './invariant-law.ts';

describe('invariants', () => {
  it('what the core throws breaks it, what a disk throws does not', () => {
    const complaints: string[] = [];
    const oracle = noBrokenInvariant(
      (message) => complaints.push(message),
      () => undefined,
    );
    oracle.threw?.({ id: 's0' } as Machine, new DiskError('rot'));
    expect(complaints).toEqual([]);
    oracle.threw?.({ id: 's0' } as Machine, new Error('what must hold'));
    expect(complaints).toEqual([expect.stringContaining('s0 threw: Error: what must hold')]);
  });
});
