import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAnyBody, parseBody } from './message.ts';

function alike(text: string): void {
  expect(parseBody(text, 10)).toEqual(parseAnyBody(text, 10));
}

/** Pieces of the usual form, each with others that could stand there. */
const pieces = [
  ['{', '', ' {', '\ufeff{', '[{', '{"id":7,'],
  ['"jsonrpc":"2.0"', '"jsonrpc": "2.0"', '"jsonrpc":"2x0"', '"jsonrpc":"1.0"', '"JSONRPC":"2.0"'],
  [',', '', ',,', ' , '],
  ['"id":', '"id": ', '"Id":', '"id":-', '"id":"'],
  ['1', '0', '01', '007', '123456789012345', '1234567890123456', '1e3', '1.0', '-1', 'null', '"x"', '٣', ''],
  [',"method":', ',"method": ', ',"Method":'],
  ['"conductor_leader"', '"m"', '""', `"${'m'.repeat(64)}"`, `"${'m'.repeat(65)}"`, '"é"', '"a\\u0062"', '"a-b"', 'm'],
  ['', ',"params":[]', ',"params":[ ]', ',"params":[1]', ',"params":null', ',"params":{}', ',"id":2'],
  ['}', '', '}}', '} ', '}\r', '}x'],
  ['', '\n', '\n\n', '\n{}', '\u2028'],
] as const;

/** Mostly the usual piece. */
const nearPlain = fc
  .tuple(
    ...pieces.map((choices) =>
      fc.oneof({ weight: 8, arbitrary: fc.constant(choices[0]) }, fc.constantFrom(...choices)),
    ),
  )
  .map((chosen) => chosen.join(''));

test('a text of the usual form, or near it, is read as any other', () => {
  fc.assert(fc.property(nearPlain, alike), { numRuns: 2000 });
});

test('one with a character more, less or another is read as any other', () => {
  const usual = '{"jsonrpc":"2.0","id":12,"method":"conductor_leader","params":[]}\n';
  const edited = fc
    .tuple(fc.nat(usual.length), fc.nat(2), fc.oneof(fc.constantFrom(...usual), fc.string({ maxLength: 2 })))
    .map(([at, cut, put]) => usual.slice(0, at) + put + usual.slice(at + cut));
  fc.assert(fc.property(edited, alike), { numRuns: 2000 });
});

test('the usual forms are calls', () => {
  const call = (id: string, rest: string): string => `{"jsonrpc":"2.0","id":${id},"method":"conductor_leader"${rest}}`;
  const params = { text: '', values: null };
  expect(parseBody(call('1', ''), 10)).toEqual({
    kind: 'single',
    item: { kind: 'call', call: { id: '1', method: 'conductor_leader', params } },
  });
  expect(parseBody(call('999999999999999', ',"params":[]'), 10)).toMatchObject({
    item: { call: { id: '999999999999999', params: { text: '[]', values: [] } } },
  });
  expect(parseBody(call('01', ''), 10)).toMatchObject({ kind: 'failed' });
});
