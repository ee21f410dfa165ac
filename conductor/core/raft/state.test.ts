import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Names of the fields of a class or interface that no contract stands before. */
function withoutContract(file: string, opening: string): string[] {
  const lines = readFileSync(join(import.meta.dirname, file), 'utf8').split('\n');
  const first = lines.indexOf(opening) + 1;
  const body = lines.slice(
    first,
    lines.findIndex((line, at) => at >= first && /^(\}|  constructor\()/.test(line)),
  );
  expect(body.length, opening).toBeGreaterThan(2);
  return body.flatMap((line, at) => {
    const field = /^  (?:readonly )?(#?\w+)(?:[:;]| =)/.exec(line)?.[1];
    return field === undefined || body[at - 1]?.trimEnd().endsWith('*/') ? [] : [field];
  });
}

test('every field of a server’s state says what it is, in which range, and whether it is durable', () => {
  expect(withoutContract('state.ts', 'export class RaftState {')).toEqual([]);
  expect(withoutContract('leadership.ts', 'export interface Leadership {')).toEqual([]);
});

test('the check finds fields that have none', () => {
  expect(withoutContract('leadership.ts', 'export interface PendingRead {')).toEqual(['requestId', 'round', 'index']);
});
