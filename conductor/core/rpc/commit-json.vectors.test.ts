/**
 * Every recorded body of conductor_commitUnsafePayload, each sent to a fresh conductor that leads: what
 * comes back is what op-conductor answered, or a row of the compatibility table covers the difference.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConductorWorld } from '../testing/conductor-world.ts';
import { differenceOf } from './compatibility.ts';
import { resolveCall } from './dispatch.ts';
import { parseBody, renderAnswer, type Outcome } from './message.ts';
import type { ParamValue } from './params.ts';

interface CommitCase {
  readonly name: string;
  readonly request: string | null;
  readonly status: number;
  readonly response: string;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, '../payload/testdata');
const { cases } = JSON.parse(readFileSync(join(folder, 'commit-json.json'), 'utf8')) as { cases: CommitCase[] };

function answerTo(text: string): string {
  const body = parseBody(text, 1);
  if (body.kind === 'failed') return body.text;
  if (body.kind !== 'single' || body.item.kind !== 'call') throw new Error('not one call');
  const { call } = body.item;
  const resolved = resolveCall(call, { isAdminEnabled: false, isProxyEnabled: true, version: 'v0' });
  const outcome = resolved.kind === 'answered' ? resolved.outcome : commit(resolved.values);
  return `${renderAnswer(call.id ?? 'null', outcome)}\n`;
}

function commit(values: readonly ParamValue[]): Outcome {
  const { error } = ConductorWorld.bootstrapped().ask('conductor_commitUnsafePayload', values);
  if (error === undefined) return { kind: 'result', json: 'null' };
  const data = error.data === undefined ? {} : { data: JSON.stringify(error.data) };
  return { kind: 'error', code: error.code, message: error.message, ...data };
}

/** The last case is only described: its request is too long to be recorded. */
const recorded = cases.filter((one): one is CommitCase & { request: string } => one.request !== null);

describe('recorded bodies of conductor_commitUnsafePayload', () => {
  test.each(recorded)('$name', ({ name, request, status, response }) => {
    const ours = answerTo(request);
    const isCovered = differenceOf(name, `${status} ${response}`, `200 ${ours}`) !== undefined;
    expect(isCovered ? response : ours).toBe(response);
  });

  test('at most one of them is only described', () => expect(cases.length - recorded.length).toBeLessThanOrEqual(1));
});
