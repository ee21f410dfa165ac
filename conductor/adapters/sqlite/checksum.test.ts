import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyChecksum, headChecksum, snapshotChecksum, stateChecksum } from './checksum.ts';
import { hardStateAt } from './testing/values.ts';

const head = { index: 7, term: 3, type: 0, size: 4, summary: Uint8Array.of(1, 2) };
const body = { appendedAt: Uint8Array.of(1, 2, 3), extensions: null, data: Uint8Array.of(4, 5, 6) };

describe('checksums', () => {
  test('depend on every field of an entry', () => {
    const heads = [
      head,
      { ...head, index: 8 },
      { ...head, term: 4 },
      { ...head, type: 1 },
      { ...head, size: 5 },
      { ...head, summary: null },
      { ...head, summary: new Uint8Array(0) },
      { ...head, summary: Uint8Array.of(1, 3) },
    ].map(headChecksum);
    expect(new Set(heads).size).toBe(heads.length);
    const bodies = [
      body,
      { ...body, appendedAt: Uint8Array.of(1, 2, 4) },
      { ...body, extensions: new Uint8Array(0) },
      { ...body, data: null },
      { ...body, data: new Uint8Array(0) },
      { ...body, data: Uint8Array.of(4, 5, 7) },
      { ...body, appendedAt: Uint8Array.of(1, 2), data: Uint8Array.of(3, 4, 5, 6) },
    ].map((one) => bodyChecksum(1, one));
    expect(new Set([...bodies, bodyChecksum(2, body)]).size).toBe(bodies.length + 1);
  });

  test('depend on every field of the state row', () => {
    const hard = hardStateAt(5);
    const states = [
      hard,
      { ...hard, term: 6 },
      { ...hard, votedTerm: 4 },
      { ...hard, recovering: true },
      { ...hard, votedFor: null },
      { ...hard, votedFor: { id: null, address: 'localhost:1' } },
      { ...hard, votedFor: { id: '', address: 'localhost:1' } },
      { ...hard, votedFor: { id: 'n1l', address: 'ocalhost:1' } },
    ].map((one) => stateChecksum(1, one));
    expect(new Set([...states, stateChecksum(2, hard)]).size).toBe(states.length + 1);
  });

  test('depend on every bit of a snapshot', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), fc.nat(7), (data, position, bit) => {
        const sum = snapshotChecksum(5, 2, '[1]', data);
        const changed = data.slice();
        changed[position % data.length] = (changed[position % data.length] ?? 0) ^ (1 << bit);
        expect(snapshotChecksum(5, 2, '[1]', changed)).not.toBe(sum);
        expect(snapshotChecksum(5, 3, '[1]', data)).not.toBe(sum);
        expect(snapshotChecksum(6, 2, '[1]', data)).not.toBe(sum);
        expect(snapshotChecksum(5, 2, '[2]', data)).not.toBe(sum);
      }),
    );
  });
});
