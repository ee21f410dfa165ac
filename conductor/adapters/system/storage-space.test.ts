import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { publishStorageSpace } from './storage-space.ts';

function publishedFor(directory: string): Record<string, number> {
  const values: Record<string, number> = {};
  const ignore = (): void => undefined;
  publishStorageSpace(
    { count: ignore, observe: ignore, gauge: (name: string, value: number) => void (values[name] = value) },
    directory,
  );
  return values;
}

test('the volume has a size, and no more is free than that', () => {
  const { storage_size_bytes: size, storage_free_bytes: free } = publishedFor(tmpdir());
  expect(size).toBeGreaterThan(1e6);
  expect(free).toBeGreaterThanOrEqual(0);
  expect(free).toBeLessThanOrEqual(size as number);
});

test('a volume that cannot be asked is unknown, not empty', () => {
  expect(publishedFor('/nowhere/at/all')).toEqual({ storage_size_bytes: NaN, storage_free_bytes: NaN });
});
