/** op-conductor's state machine on single entries: what it applies, refuses and snapshots. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EntryType } from '../raft/types.ts';
import { bytesFromHex, prefixedHex } from './hex.ts';
import { UnsafeChain } from './unsafe-chain.ts';

interface Outcome {
  accepts: boolean;
  applyError: string | null;
  snapshotSsz?: string;
}
interface Bytes {
  name: string;
  ssz?: string | null;
  segments?: { hex: string; repeat: number }[];
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const load = <T>(file: string): T[] => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { cases: T[] }).cases;

const cases = [
  ...load<Bytes & { fsm: Outcome | null }>('ssz-envelope.json').flatMap((each) =>
    each.fsm === null ? [] : [{ ...each, ...each.fsm }],
  ),
  ...load<Bytes & Outcome>('ssz-malformed.json'),
];

function bytesOf(entry: Bytes): Uint8Array {
  return bytesFromHex(entry.ssz ?? entry.segments!.map((segment) => segment.hex.repeat(segment.repeat)).join(''))!;
}

/** Appends and applies one entry. */
function applyAlone(data: Uint8Array): { chain: UnsafeChain; error: string | null } {
  const chain = new UnsafeChain(() => data);
  const base = { index: 1, term: 1, type: EntryType.command };
  const summary = chain.summarize({ ...base, data, extensions: null, appendedAt: new Uint8Array(15) });
  chain.appended({ ...base, size: data.length, summary });
  const result = chain.apply({ ...base, summary, data: () => data });
  return { chain, error: result?.kind === 'rejected' ? result.message : null };
}

describe('an entry is applied, or refused in the same words, and the snapshot is the same', () => {
  test.each(cases)('$name', (entry) => {
    const data = bytesOf(entry);
    const { chain, error } = applyAlone(data);
    expect(error).toBe(entry.applyError);
    expect(chain.head() !== null).toBe(entry.accepts);
    const snapshot = chain.snapshot();
    const expected = entry.accepts ? (entry.snapshotSsz === undefined ? data : bytesFromHex(entry.snapshotSsz)!) : null;
    expect(snapshot === null ? null : Buffer.compare(snapshot, expected!)).toBe(expected === null ? null : 0);
  });

  test.each(cases.filter((entry) => entry.accepts))('a snapshot of it restores the same head: $name', (entry) => {
    const { chain } = applyAlone(bytesOf(entry));
    const snapshot = chain.snapshot()!;
    const restored = new UnsafeChain(() => null);
    expect(restored.restore(snapshot, 1, 1)).toBeNull();
    expect(restored.head()).toMatchObject({ hash: chain.head()!.hash, number: chain.head()!.number });
    expect(prefixedHex(restored.snapshot()!.subarray(0, 600))).toBe(prefixedHex(snapshot.subarray(0, 600)));
  });
});
