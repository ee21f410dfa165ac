/** Beyond the recorded cases (commit-json.vectors.test.ts): an answer must not grow with the question. */
import { expect, test } from 'vitest';
import { EnvelopeError, parseEnvelope } from './parse-envelope.ts';

test('of a long extraData the refusal quotes the beginning', () => {
  const refusalOf = (length: number): string => {
    const refused = parseEnvelope({ executionPayload: { extraData: `0x${'1'.repeat(length)}` } });
    return refused instanceof EnvelopeError ? refused.message : '';
  };
  expect(refusalOf(1_000_000)).toMatch(/^input too long, expected at most 32 .*bytes: 223078(31)+$/);
  expect(refusalOf(1_000_000).length).toBeLessThan(2200);
  expect(refusalOf(66)).toMatch(/: 223078(31){66}22$/);
});
