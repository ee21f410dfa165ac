/** The root against a trie built the textbook way: nibble paths in a map, nodes as nested lists, RLP of anything. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prefixedHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { EMPTY_LIST_ROOT, orderedTrieRoot } from './trie-root.ts';

type Item = Uint8Array | Item[];
type Pair = { path: number[]; value: Uint8Array };

function rlp(item: Item): Uint8Array {
  const isList = Array.isArray(item);
  const body = isList ? join(item.map(rlp)) : item;
  if (!isList && body.length === 1 && body[0]! < 0x80) return body;
  const base = isList ? 0xc0 : 0x80;
  if (body.length < 56) return join([Uint8Array.of(base + body.length), body]);
  const size = bigEndian(body.length);
  return join([Uint8Array.of(base + 55 + size.length), size, body]);
}

function bigEndian(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return Uint8Array.from(bytes);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function hexPrefix(path: readonly number[], isLeaf: boolean): Uint8Array {
  const flag = isLeaf ? 2 : 0;
  const nibbles = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path];
  return Uint8Array.from({ length: nibbles.length / 2 }, (_, at) => nibbles[2 * at]! * 16 + nibbles[2 * at + 1]!);
}

function node(pairs: readonly Pair[], depth: number): Item {
  const [first] = pairs;
  if (first === undefined) return new Uint8Array(0);
  if (pairs.length === 1) return [hexPrefix(first.path.slice(depth), true), first.value];
  let shared = 0;
  while (pairs.every(({ path }) => path[depth + shared] === first.path[depth + shared])) shared++;
  if (shared > 0) return [hexPrefix(first.path.slice(depth, depth + shared), false), reference(pairs, depth + shared)];
  const children = Array.from({ length: 16 }, (_, nibble) =>
    reference(
      pairs.filter(({ path }) => path[depth] === nibble),
      depth + 1,
    ),
  );
  return [...children, new Uint8Array(0)];
}

function reference(pairs: readonly Pair[], depth: number): Item {
  const item = node(pairs, depth);
  const bytes = rlp(item);
  return bytes.length < 32 ? item : keccak256(bytes);
}

function naiveRoot(items: readonly Uint8Array[]): Uint8Array {
  const pairs = items
    .map((value, index) => ({ value, path: [...rlp(bigEndian(index))].flatMap((byte) => [byte >> 4, byte & 15]) }))
    .filter(({ value }) => value.length > 0);
  return keccak256(rlp(node(pairs, 0)));
}

test('an empty list has the empty root', () => {
  expect(prefixedHex(orderedTrieRoot([]))).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  expect(orderedTrieRoot([new Uint8Array(0)])).toEqual(EMPTY_LIST_ROOT);
});

const sizes = fc.oneof(
  fc.constant(0),
  fc.constant(1),
  fc.integer({ min: 20, max: 40 }),
  fc.integer({ min: 50, max: 60 }),
  fc.integer({ min: 250, max: 260 }),
);
const item = fc.tuple(sizes, fc.integer({ min: 0, max: 255 })).map(([size, byte]) => new Uint8Array(size).fill(byte));

test('the root is the textbook one for any list', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 300, size: 'max' }), (items) => {
      expect(prefixedHex(orderedTrieRoot(items))).toBe(prefixedHex(naiveRoot(items)));
    }),
    { numRuns: 60 },
  );
});

test.each([1, 2, 16, 17, 127, 128, 129, 130, 255, 256, 257, 258, 300, 4097])(
  'the root is the textbook one for %i items',
  (count) => {
    const items = Array.from({ length: count }, (_, at) =>
      new Uint8Array(at % 70 === 69 ? 40_000 : 1 + (at % 70)).fill(at),
    );
    expect(prefixedHex(orderedTrieRoot(items))).toBe(prefixedHex(naiveRoot(items)));
  },
);
