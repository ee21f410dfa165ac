import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shapeAnswer, type Shape } from './answer-shape.ts';
import { parseExact, writeExact } from './exact-json.ts';
import { rollupConfigShape, syncStatusShape } from './rollup-shapes.ts';

/** Passes a text through a type. */
function through(shape: Shape, text: string): string {
  const value = parseExact(text);
  if (value === undefined) return 'unreadable';
  const shaped = shapeAnswer(shape, value);
  return 'json' in shaped ? shaped.json : shaped.problem;
}

describe('JSON of other servers', () => {
  test('keeps integers of any size, and sorts keys', () => {
    const text = '{"z":[18446744073709551615,-9007199254740993,1.5,1e3],"a":{"c":null,"b":"<é>"}}';
    const value = parseExact(text);
    expect(value === undefined ? '' : writeExact(value)).toBe(
      '{"a":{"b":"\\u003cé\\u003e","c":null},"z":[18446744073709551615,-9007199254740993,1.5,1000]}',
    );
  });

  test('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = parseExact(text);
        expect(value).toBeDefined();
        if (value !== undefined) expect(JSON.parse(writeExact(value))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('broken in any way is unreadable, never an exception', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ':', ',', '"a"', '"', '1', '-', 'e', 'null', 'tru', ' ');
    fc.assert(
      fc.property(
        fc.array(pieces).map((some) => some.join('')),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect(parseExact(text) !== undefined).toBe(isJson);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('beyond the bounds is unreadable', () => {
    expect(parseExact('['.repeat(100_000))).toBeUndefined();
    expect(parseExact(`${'['.repeat(300)}${']'.repeat(300)}`)).toBeUndefined();
    expect(parseExact('9'.repeat(100_000))).toBeUndefined();
    expect(parseExact('1e999')).toBeUndefined();
  });
});

describe('passing through a type', () => {
  test('is idempotent and ignores what the type does not know', () => {
    for (const shape of [syncStatusShape, rollupConfigShape]) {
      const zero = through(shape, '{}');
      expect(through(shape, zero)).toBe(zero);
      expect(through(shape, zero.replace('{', '{"unknown":{"a":[1]},'))).toBe(zero);
    }
  });

  test('keeps 64 and 256 bit numbers', () => {
    const heights = through(syncStatusShape, '{"unsafe_l2":{"number":18446744073709551615}}');
    expect(heights).toContain('"number":18446744073709551615');
    expect(through(rollupConfigShape, `{"l2_chain_id":${2n ** 256n - 1n}}`)).toContain(
      `"l2_chain_id":${2n ** 256n - 1n}`,
    );
  });

  test('finds keys in any case, and lets the last of equal ones count', () => {
    const config = through(rollupConfigShape, '{"BLOCK_TIME":1,"block_time":2,"canyon_time":5,"canyon_time":null}');
    expect(config).toContain('"block_time":2');
    expect(config).not.toContain('canyon_time');
  });

  test.each([
    [
      '{"unsafe_l2":{"number":-1}}',
      'json: cannot unmarshal number -1 into Go struct field L2BlockRef.unsafe_l2.number of type uint64',
    ],
    [
      '{"unsafe_l2":{"number":18446744073709551616}}',
      'json: cannot unmarshal number 18446744073709551616 into Go struct field L2BlockRef.unsafe_l2.number of type uint64',
    ],
    ['{"head_l1":{"hash":"0x12"}}', 'hex string has length 2, want 64 for common.Hash'],
    [
      '{"head_l1":{"hash":null}}',
      'json: cannot unmarshal non-string into Go struct field L1BlockRef.head_l1.hash of type common.Hash',
    ],
    ['{"head_l1":[]}', 'json: cannot unmarshal array into Go struct field SyncStatus.head_l1 of type eth.L1BlockRef'],
    ['true', 'json: cannot unmarshal bool into Go value of type eth.SyncStatus'],
  ])('refuses %s as Go does', (text, problem) => expect(through(syncStatusShape, text)).toBe(problem));
});
