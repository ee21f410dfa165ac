import { expect, it } from 'vitest';
import { readCodeMeta } from './code-meta.ts';

it('reads title, marked lines and flags in any order', () => {
  const meta = readCodeMeta('prompt {2, 4-6} title="op node.yaml" output');
  expect({ ...meta, marked: [...meta.marked] }).toMatchObject({
    title: 'op node.yaml',
    marked: [2, 4, 5, 6],
    prompt: true,
    output: true,
    unknown: [],
  });
});

it.each(['{7-3}', '{}', '{-}', '{1-999999999999}'])('does not run away with the range %s', (meta) => {
  expect(readCodeMeta(meta).marked.size).toBeLessThanOrEqual(10_000);
});

it('names what it does not know', () => {
  expect(readCodeMeta('bold prompt {x}').unknown).toEqual(['bold', '{x}']);
});
