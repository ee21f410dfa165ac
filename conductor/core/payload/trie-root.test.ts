/** The root against a trie built the textbook way: nibble paths in a map, nodes as nested lists, RLP of anything. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prefixedHex } from './hex.ts';
import { keccak256 } from './keccak.ts';
import { EMPTY_LIST_ROOT, ITEM_BYTES_MAX, orderedTrieRoot, orderedTrieRootSteps } from './trie-root.ts';

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
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
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
  const byNibble = Map.groupBy(pairs, ({ path }) => path[depth]!);
  const children = Array.from({ length: 16 }, (_, nibble) => reference(byNibble.get(nibble) ?? [], depth + 1));
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

/** Sizes at which something changes: headers, embedding, the ends of blocks of 136 bytes, with what precedes an item. */
const sizes = fc.oneof(
  fc.constant(0),
  fc.constant(1),
  fc.integer({ min: 20, max: 40 }),
  fc.integer({ min: 50, max: 60 }),
  fc.integer({ min: 120, max: 140 }),
  fc.integer({ min: 250, max: 275 }),
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

test('the root is the textbook one for every number of items up to 300', () => {
  const items = Array.from({ length: 300 }, (_, at) => new Uint8Array(1 + (at % 40)).fill(at));
  for (let count = 1; count <= items.length; count++) {
    const list = items.slice(0, count);
    expect(prefixedHex(orderedTrieRoot(list))).toBe(prefixedHex(naiveRoot(list)));
  }
});

test.each([300, 4097, 70_000])('the root is the textbook one for %i items, some long, some without bytes', (count) => {
  const items = Array.from({ length: count }, (_, at) => new Uint8Array(at % 700 === 69 ? 4_000 : at % 70).fill(at));
  expect(prefixedHex(orderedTrieRoot(items))).toBe(prefixedHex(naiveRoot(items)));
});

test('the root is the textbook one where items are about as long as are taken together, and longer', () => {
  const lengths = [-2, -1, 0, 1, 2, 100_000].map((more) => ITEM_BYTES_MAX + more);
  const items = [...lengths, 10, ...lengths].map((length, at) => new Uint8Array(length).fill(at));
  expect(prefixedHex(orderedTrieRoot(items))).toBe(prefixedHex(naiveRoot(items)));
  for (const one of items.slice(0, 6)) expect(orderedTrieRoot([one])).toEqual(naiveRoot([one]));
});

test('lists that are hashed step by step in turn do not meet, whether their items are long or short', () => {
  const lists = [
    Array.from({ length: 80 }, (_, at) => new Uint8Array(100_000).fill(at)),
    Array.from({ length: 40_000 }, (_, at) => new Uint8Array(1 + (at % 40)).fill(at)),
  ];
  const running = lists.map((items) => orderedTrieRootSteps(items));
  const steps = lists.map(() => 0);
  const roots = lists.map(() => EMPTY_LIST_ROOT);
  while (roots.includes(EMPTY_LIST_ROOT)) {
    running.forEach((list, at) => {
      if (roots[at] !== EMPTY_LIST_ROOT) return;
      const { done, value } = list.next();
      steps[at]! += 1;
      if (done === true) roots[at] = value;
    });
  }
  expect(roots).toEqual(lists.map((items) => orderedTrieRoot(items)));
  expect(Math.min(...steps)).toBeGreaterThan(2);
});
