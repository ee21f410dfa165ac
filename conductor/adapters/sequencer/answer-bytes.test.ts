import { expect, test } from 'vitest';
import { blockByNumber, latestBlock, syncStatus, type NodeRequest } from '#conductor/core/node/calls';
import { l1Block } from '#conductor/core/node/engine-calls';
import { answerBytes } from './answer-bytes.ts';

/** An answer that takes a turn. */
const large = (): Response => new Response('x'.repeat(40_000));
const proxied: NodeRequest = { ...latestBlock, isVerbatim: true };

/** Turns of the event loop in which answers that are all there at once come to be read, in their order. */
async function turnsOf(requests: readonly NodeRequest[], answer = large): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const read = requests.map(async (request) => {
    using body = (await answerBytes(request, answer())) as Disposable;
    expect(body).toHaveProperty('bytes');
    return turn;
  });
  setImmediate(count);
  const turns = await Promise.all(read);
  isOver = true;
  return turns;
}

test('of answers that are passed on and not small one is read per turn of the event loop, however many are there', async () => {
  const turns = await turnsOf(Array.from({ length: 20 }, () => proxied));
  expect(new Set(turns).size).toBe(20);
});

test('small ones wait for no turn', async () => {
  const turns = await turnsOf(
    Array.from({ length: 20 }, () => proxied),
    () => new Response('{}'),
  );
  expect(new Set(turns).size).toBeLessThan(5);
});

test('what this conductor asks for itself does not wait behind answers that it passes on', async () => {
  const turns = await turnsOf([...Array.from({ length: 20 }, () => proxied), latestBlock]);
  expect(turns.at(-1)).toBeLessThan(turns.at(-3)!);
});

const MiB = 1024 * 1024;
test.each([
  ['an L1 header', l1Block(1n), 4 * MiB],
  ['a block', blockByNumber(1n), 32 * MiB],
  ['a status', syncStatus, MiB],
])('%s has a bound of its own', async (_, request, bytesMax) => {
  const answered = await answerBytes(request, new Response(new Uint8Array(bytesMax + 1)));
  expect(answered).toContain(`larger than ${bytesMax} bytes`);
  using body = (await answerBytes(request, new Response(new Uint8Array(bytesMax)))) as Disposable;
  expect(body).toHaveProperty('bytes');
});

test('bytes count until they are read, and no longer', async () => {
  const held: Disposable[] = [];
  const block = (): Promise<unknown> => answerBytes(proxied, new Response(new Uint8Array(60 * MiB)));
  for (let each = 0; each < 4; each += 1) held.push((await block()) as Disposable);
  expect(await block()).toContain('or all answers together');
  for (const one of held) one[Symbol.dispose]();
  using body = (await block()) as Disposable;
  expect(body).toHaveProperty('bytes');
});
