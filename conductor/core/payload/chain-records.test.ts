/** The columns against a plain array, through growth, shrinking and a window that slides far past its capacity. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChainRecords, NONE, RESTORED, type ChainRecord, type RecordLinks } from './chain-records.ts';

interface Held {
  record: ChainRecord;
  links: RecordLinks;
}

const bytes = (value: number): Uint8Array => new Uint8Array(32).fill(value % 256);

function make(index: number, number: bigint): ChainRecord {
  return {
    index,
    size: index * 3,
    number,
    timestamp: number + 7n,
    hash: bytes(index),
    parentHash: bytes(index + 1),
    isRollback: index % 5 === 0,
    isValidated: index % 3 === 0,
  };
}

function run(steps: readonly { kind: 'push' | 'back' | 'front'; count: number }[]): void {
  const records = new ChainRecords();
  const held: Held[] = [];
  let first = 0;
  let nextIndex = 1;
  for (const { kind, count } of steps) {
    if (kind === 'push') {
      for (let left = count; left > 0; left--) {
        const sequence = first + held.length;
        const record = make(nextIndex, nextIndex % 7 === 0 ? 2n ** 52n : BigInt(nextIndex % 50));
        const links = {
          previous: sequence - 1 - (nextIndex % 3),
          head: nextIndex % 11 === 0 ? RESTORED : sequence,
          tip: nextIndex % 13 === 0 ? NONE : sequence,
        };
        if (links.previous < 0) links.previous = NONE;
        records.push(record, links);
        held.push({ record, links });
        nextIndex += 1 + (nextIndex % 2);
      }
    } else if (kind === 'back') {
      const from = Math.max(0, held.length - count);
      records.dropBack(first + from);
      held.length = from;
    } else {
      const gone = Math.min(count, held.length);
      records.dropFront(first + gone);
      held.splice(0, gone);
      first += gone;
    }
    expectSame(records, held, first, nextIndex);
  }
}

function expectSame(records: ChainRecords, held: readonly Held[], first: number, nextIndex: number): void {
  expect([records.first, records.size, records.last]).toEqual([
    first,
    held.length,
    held.length === 0 ? NONE : first + held.length - 1,
  ]);
  held.forEach(({ record, links }, at) => {
    expect(records.record(first + at)).toEqual(record);
    expect(records.linksOf(first + at)).toEqual(links);
  });
  for (const { record } of held.slice(0, 40)) {
    const latest = held.findLastIndex(
      (each) => each.record.number === record.number && each.record.hash[0] === record.hash[0],
    );
    expect(records.find(record.number, record.hash)).toBe(first + latest);
  }
  expect(records.find(999n, bytes(1))).toBe(NONE);
  for (const through of [0, 1, Math.floor(nextIndex / 2), nextIndex]) {
    expect(records.after(through)).toBe(first + held.filter(({ record }) => record.index <= through).length);
  }
}

test('records, links and look-ups are those of a plain array', () => {
  const step = fc.record({
    kind: fc.constantFrom('push' as const, 'push' as const, 'back' as const, 'front' as const),
    count: fc.nat(90),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 20 }), run), { numRuns: 60 });
});

test('a window slides over many times its size', () => {
  run(
    Array.from({ length: 60 }, () => [
      { kind: 'push' as const, count: 50 },
      { kind: 'front' as const, count: 45 },
    ]).flat(),
  );
});

test('numbers that share their low 52 bits are told apart', () => {
  const records = new ChainRecords();
  const links = { previous: NONE, head: NONE, tip: NONE };
  records.push({ ...make(1, 0n), hash: bytes(9) }, links);
  records.push({ ...make(2, 2n ** 52n), hash: bytes(9) }, links);
  expect(records.find(0n, bytes(9))).toBe(0);
  expect(records.find(2n ** 52n, bytes(9))).toBe(1);
});
