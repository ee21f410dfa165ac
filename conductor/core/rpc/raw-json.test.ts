import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementsOf, endOfValue, membersOf } from './raw-json.ts';

/** JSON text of any value, with white space in all the places that allow it. */
const spaced = fc
  .json({ maxDepth: 4 })
  .chain((text) =>
    fc.constantFrom('', ' ', '\n\t').map((space) => space + JSON.stringify(JSON.parse(text), null, space) + space),
  );

describe('pieces of JSON text', () => {
  test('the end of a value is where JSON.parse would end it', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom('', ',', ']', '}', ' x', '\n'), (text, rest) => {
        const end = endOfValue(text + rest, 0);
        expect(JSON.parse((text + rest).slice(0, end))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('members and elements are those of JSON.parse', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()), (object, array) => {
        const text = JSON.stringify(object, null, 1);
        const members = membersOf(text, 0)?.members ?? [];
        const own = Object.entries(JSON.parse(text) as object);
        expect(members.map((one) => [one.key, JSON.parse(text.slice(one.start, one.end))])).toEqual(own);
        const list = JSON.stringify(array, null, 1);
        const elements = elementsOf(list, 0)?.elements ?? [];
        expect(elements.map((one) => JSON.parse(list.slice(one.start, one.end)))).toEqual(JSON.parse(list));
      }),
    );
  });

  test('no text makes them throw or run on', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          spaced,
          fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '1', ' ') }),
        ),
        (text) => {
          const end = endOfValue(text, 0);
          expect(end).toBeLessThanOrEqual(text.length);
          membersOf(text, 0);
          elementsOf(text, 0);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('nesting beyond the bound is malformed, not a stack overflow', () => {
    expect(endOfValue('['.repeat(1_000_000), 0)).toBe(-1);
    expect(endOfValue('['.repeat(9000) + ']'.repeat(9000), 0)).toBe(18_000);
  });
});
