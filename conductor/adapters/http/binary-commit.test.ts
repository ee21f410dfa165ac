import { expect, test } from 'vitest';
import { binaryCommits } from './binary-commit.ts';

const post = { method: 'POST', body: new Uint8Array(600) };

test('a node that posts binary commits is told once a minute which of its flags to leave out', async () => {
  const lines: unknown[] = [];
  let now = 0;
  const app = binaryCommits({ log: (level, _message, fields) => void lines.push([level, fields?.['err']]) }, () => now);
  for (now of [0, 1, 59_999, 60_000]) {
    const answer = await app.request('/commit-unsafe-payload', post);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('--conductor.binary-commit');
  }
  expect(lines).toEqual([
    ['error', expect.stringContaining('--conductor.binary-commit')],
    ['error', expect.stringContaining('--conductor.binary-commit')],
  ]);
});
