/** A head that is known again is the head that would be read: whatever came before it on the connection. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeadReader } from './request-head.ts';

const first = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n';

test('the same bytes again give the same head, others their own', () => {
  const reader = new HeadReader();
  const read = (text: string): unknown => reader.read(Buffer.from(text));
  const once = read(`${first}{}`);
  expect(read(`${first}[]more`)).toEqual(expect.objectContaining({ size: first.length }));
  expect(read(`${first}{}`)).toEqual(expect.objectContaining(once as object));
  const longer = first.replace(': 2', ': 3');
  expect(read(`${longer}{ }`)).toMatchObject({ head: { length: 3 } });
  expect(read(`${first}{}`)).toMatchObject({ head: { length: 2 } });
  expect(read(first.slice(0, -1))).toBeNull();
  expect(read(first.replace('Host', 'Ho st'))).toMatchObject({ status: 400 });
  expect(read(`${first}{}`)).toMatchObject({ head: { length: 2 } });
});

test('any sequence of heads, whole or in part, is read as by a reader of its own', () => {
  const head = fc
    .tuple(
      fc.constantFrom('GET', 'POST', 'P T'),
      fc.constantFrom('', 'X: 1\r\n', 'X: 2\r\n', 'Connection: close\r\n'),
      fc.nat(3),
    )
    .map(([method, field, length]) => `${method} / HTTP/1.1\r\nHost: a\r\n${field}Content-Length: ${length}\r\n\r\n`);
  const piece = fc.tuple(head, fc.nat(120), fc.constantFrom('', '{}', 'GET / HTTP/1.1\r\n'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const reader = new HeadReader();
      for (const [text, cut, rest] of pieces) {
        // Mostly whole.
        const bytes = Buffer.from(cut < text.length ? text.slice(0, cut) : text + rest);
        const { bytes: _, ...read } = (reader.read(bytes) ?? { bytes: null }) as { bytes?: unknown };
        expect(read).toEqual(new HeadReader().read(bytes) ?? {});
      }
    }),
  );
});
