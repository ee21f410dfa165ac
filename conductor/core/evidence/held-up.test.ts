import { expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import type { CallResult } from '../node/calls.ts';
import { whatHolds } from './held-up.ts';
import type { LookHost } from './look-host.ts';
import { header } from './testing/answers.ts';

const result = (value: unknown): CallResult => ({ kind: 'result', value });
const timeout: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };

/** Of a client that was seen on block 5, and has stood there for a minute; what it and op-node answer now. */
function holds(output: CallResult, latest: CallResult): string {
  const memory = { node: block(5n), still: { sinceMs: 0 } };
  const steps = whatHolds({ memory, nowMs: () => 60_000 } as unknown as LookHost, block(5n).hash);
  steps.next();
  const { value } = steps.next({ kind: 'calls', results: [output, latest] } as never);
  return String(value);
}

test.each([
  ['the client', 'client', result({}), result(header(block(5n)))],
  ['op-node, whose driver loop does not turn', 'op-node', timeout, result(header(block(5n)))],
  ['nothing, where it has moved since it was seen', 'nothing', result({}), result(header(block(6n)))],
  ['nothing, also where op-node is busy with that', 'nothing', timeout, result(header(block(6n)))],
  ['the client, where that does not answer', 'client', result({}), timeout],
])('a client below the tip is held there by %s', (_, what, output, latest) => {
  expect(holds(output, latest)).toBe(what);
});
