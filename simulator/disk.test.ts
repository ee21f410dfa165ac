import { describe, expect, it } from 'vitest';
import type { StoredEntry } from '#conductor/core/ports';
import { EntryType, type Entry } from '#conductor/core/raft/types';
import { Disk, DiskError, keepsUp } from './disk.ts';

function stored(index: number, term: number, data = new Uint8Array(10)): StoredEntry {
  const entry: Entry = { index, term, type: EntryType.command, data, extensions: null, appendedAt: new Uint8Array(15) };
  return { entry, summary: null };
}

function diskWith(...indexes: readonly number[]): Disk {
  const disk = new Disk();
  disk.write({ entries: indexes.map((index) => stored(index, 1)) });
  return disk;
}

function terms(disk: Disk): (readonly [number, number])[] {
  return disk.load().entries.map(({ index, term }) => [index, term] as const);
}

describe('the disk of a machine', () => {
  it('truncates and appends in one transaction', () => {
    const disk = diskWith(1, 2, 3);
    disk.write({ truncateFrom: 2, entries: [stored(2, 5)] });
    expect(terms(disk)).toEqual([
      [1, 1],
      [2, 5],
    ]);
    expect(disk.everAt(3)).toBeNull();
  });

  it('gives entries back, and oracles may still see them', () => {
    const disk = diskWith(1, 2, 3);
    disk.write({ compactThrough: 2 });
    expect(disk.firstIndex).toBe(3);
    expect(disk.entryAt(2)).toBeNull();
    expect(disk.everAt(2)?.index).toBe(2);
  });

  it('a write takes what is added to every one, and what stalls it', () => {
    const disk = new Disk();
    const stall = (): number => 100;
    disk.extraLatencyMs = 5;
    disk.stalls.add(stall);
    expect(disk.takeDelayMs()).toBe(105);
    disk.stalls.delete(stall);
    expect(disk.takeDelayMs()).toBe(5);
  });

  it('one that is full, or takes more than 15 ms longer for each write, is not counted upon', () => {
    const disk = new Disk();
    disk.extraLatencyMs = 15;
    expect(keepsUp(disk)).toBe(true);
    disk.extraLatencyMs = 16;
    expect(keepsUp(disk)).toBe(false);
    expect(keepsUp({ failures: 1, extraLatencyMs: 0 })).toBe(false);
  });

  it('a transaction on a full disk changes nothing', () => {
    const disk = diskWith(1);
    disk.failures++;
    expect(() => disk.write({ truncateFrom: 1, entries: [stored(1, 9)] })).toThrow(DiskError);
    expect(terms(disk)).toEqual([[1, 1]]);
  });

  it('rot shows when the entry is read, is found by a scrub, and goes when the entry is replaced', () => {
    const disk = diskWith(1, 2, 3);
    expect(disk.rot(9)).toBe(false);
    expect(disk.rot(2)).toBe(true);
    expect(disk.findRot()).toBe(2);
    expect(disk.read(1, 3, 1000).map(({ index }) => index)).toEqual([1]);
    expect(() => disk.read(2, 3, 1000)).toThrow(/checksum of entry 2/);
    disk.write({ truncateFrom: 2, entries: [stored(2, 2)] });
    expect(disk.findRot()).toBeNull();
    disk.rot(1);
    disk.write({ compactThrough: 1 });
    expect(disk.findRot()).toBeNull();
  });

  it('reads at least one entry, and stops after the first that fills the answer', () => {
    const disk = diskWith(1, 2, 3);
    expect(disk.read(1, 3, 5).map(({ index }) => index)).toEqual([1]);
    expect(disk.read(1, 3, 11).map(({ index }) => index)).toEqual([1, 2]);
  });

  it('a lost disk is as good as new, and what was being written to it is not', () => {
    const disk = diskWith(1, 2);
    const { generation } = disk;
    disk.wipe();
    expect(disk.isEmpty).toBe(true);
    expect(disk.load()).toEqual({ hardState: null, snapshot: null, entries: [] });
    expect(disk.everAt(1)).toBeNull();
    expect(disk.generation).not.toBe(generation);
  });
});
