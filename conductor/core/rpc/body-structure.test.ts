/** One request must not hold the process: what a body costs is bounded before anything is made of it. */
import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope } from '../payload/envelope.ts';
import {
  ANY_TEXT_BYTES_MAX,
  ESCAPES_MAX,
  SPACE_BYTES_MAX,
  STRUCTURE_MAX,
  TEXTS_MAX,
  WORD_BYTES_MAX,
  whyTooComplex,
} from './body-structure.ts';
import { ID_LENGTH_MAX } from './message.ts';
import { readBody } from './read-body.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const whyOf = (text: string): string | null => whyTooComplex(bytesOf(text));

/** A body of as many pieces, in the place where commits have them. */
function commitWith(member: string, piece: string, count: number): string {
  const list = Array.from({ length: count }, () => piece).join(',');
  return `{"jsonrpc":"2.0","id":7,"method":"conductor_commitUnsafePayload","params":[{"executionPayload":{"${member}":[${list}]}}]}`;
}

describe('a body of too many pieces is refused with a sentence, and none of it is parsed', () => {
  const cases: readonly [name: string, text: string, why: string][] = [
    ['empty withdrawals', commitWith('withdrawals', '{}', STRUCTURE_MAX), 'members and elements'],
    ['empty transactions', commitWith('transactions', '"0x"', TEXTS_MAX + 2), 'texts'],
    ['nested lists', '['.repeat(STRUCTURE_MAX + 1), 'members and elements'],
    ['a batch of numbers', `[${'1,'.repeat(STRUCTURE_MAX + 1)}1]`, 'members and elements'],
    ['parameters that are lists', `{"params":[${'[],'.repeat(STRUCTURE_MAX)}1]}`, 'members and elements'],
    ['members of the same name', `{${'"a":1,'.repeat(STRUCTURE_MAX)}"b":1}`, 'members and elements'],
    ['members that are texts', `{${'"a":"",'.repeat(STRUCTURE_MAX)}"b":1}`, 'members and elements'],
    ['a number without end', `{"id":${'1'.repeat(WORD_BYTES_MAX + 1)}}`, 'numbers'],
    ['white space', `{"id":${' '.repeat(SPACE_BYTES_MAX + 1)}1}`, 'white space'],
    ['escaped quotes', `{"id":"${'\\"'.repeat(ESCAPES_MAX + 1)}"}`, 'backslashes'],
  ];

  test.each(cases)('%s', (_name, text, why) => {
    const body = readBody(bytesOf(text), 10);
    const answer = body.kind === 'failed' ? body.text : body.kind;
    expect(answer).toMatch(/^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32600,"message":"the body has [^"]*"\}\}$/);
    expect(answer).toContain(why);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('a character above ASCII in a large one, %i bytes before its end', (after) => {
    const text = `${'x'.repeat(ANY_TEXT_BYTES_MAX)}é${'x'.repeat(after)}`;
    const shifted = bytesOf(` ${text}`).subarray(1);
    expect(whyTooComplex(shifted)).toContain('above ASCII');
    expect(whyTooComplex(shifted.subarray(20))).not.toContain('above ASCII');
  });

  test('a body without end of its last text is left to the parser', () => {
    expect(whyOf(`{"id":"${'x'.repeat(20_000)}`)).toBeNull();
    expect(whyOf('"\\"')).toBeNull();
  });
});

describe('what is within the bounds is read', () => {
  test('as many as may be of each', () => {
    expect(whyOf(commitWith('transactions', '"0x"', TEXTS_MAX - 10))).toBeNull();
    expect(whyOf('['.repeat(STRUCTURE_MAX))).toBeNull();
    expect(whyOf('1'.repeat(WORD_BYTES_MAX))).toBeNull();
    expect(whyOf('\\'.repeat(ESCAPES_MAX))).toBeNull();
    expect(whyOf(' '.repeat(SPACE_BYTES_MAX))).toBeNull();
  });

  test('a batch of two thousand calls', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'conductor_removeServer', params: ['a', 1] };
    expect(whyOf(JSON.stringify(Array.from({ length: 2000 }, () => call)))).toBeNull();
  });

  test('a block of a hundred thousand transactions, also with line breaks between all its parts', () => {
    const transactions = Array.from({ length: 100_000 }, () => new Uint8Array(110));
    const params = [formatEnvelope(buildBlock({ parent: null, timestamp: 1, transactions }))];
    expect(whyOf(JSON.stringify({ params }))).toBeNull();
    expect(whyOf(JSON.stringify({ params }, null, 2))).toBeNull();
  });
});

test('an id that is longer than any client makes is refused, not echoed', () => {
  const answerTo = (id: string): unknown => readBody(bytesOf(`{"jsonrpc":"2.0","id":"${id}","method":"x"}`), 10);
  const refusal = {
    kind: 'answered',
    text: expect.stringMatching(/"id":null,.*"the id is longer than 1024 characters"/),
  };
  expect(answerTo('<'.repeat(ID_LENGTH_MAX))).toMatchObject({ kind: 'single', item: refusal });
  expect(answerTo('<'.repeat(ID_LENGTH_MAX - 2))).toMatchObject({ kind: 'single', item: { kind: 'call' } });
});
