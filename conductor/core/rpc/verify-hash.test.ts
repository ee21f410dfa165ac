/** Hashing a large block must not keep a leader from anything else, and blocks stay in order meanwhile. */
import { describe, expect, test } from 'vitest';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope, type Envelope } from '../payload/envelope.ts';
import { ConductorWorld } from '../testing/conductor-world.ts';
import { unverifiedBytesMax } from './waiting-payloads.ts';
import { verifyHash } from './verify-hash.ts';

const LARGE_BYTES = 9_000_000;
const TRANSACTION_BYTES = 90_000;
/** No world gives this id, or one above it, to a call of its own. */
const ANSWER_ID = 1_000_000;
const method = 'conductor_commitUnsafePayload';

const bytesOf = (value: number): Uint8Array => new Uint8Array(TRANSACTION_BYTES).fill(value);
const large = buildBlock({
  parent: null,
  timestamp: 1,
  transactions: Array.from({ length: LARGE_BYTES / TRANSACTION_BYTES }, (_, at) => bytesOf(at)),
});
const child = buildBlock({ parent: large, timestamp: 2, transactions: [] });

function withoutLast(block: Envelope): Envelope {
  const { executionPayload } = block;
  return {
    ...block,
    executionPayload: { ...executionPayload, transactions: executionPayload.transactions.slice(0, -1) },
  };
}

/** Pushes a commit and lets no time pass. */
function offer(world: ConductorWorld, block: Envelope, answerId = ANSWER_ID): void {
  const values = [{ payload: formatEnvelope(block) }];
  world.push({ kind: 'rpc', answerId, method, values, from: 'test', as: 'alice' });
}

describe('a block of megabytes', () => {
  test('is hashed in several steps', () => {
    let steps = 1;
    const verification = verifyHash(large);
    let step = verification.next();
    for (; step.done !== true; step = verification.next()) steps += 1;
    expect(step.value).toBeNull();
    expect(steps).toBeGreaterThan(3);
  });

  test('is still being verified when its commit has been taken, and reads are answered meanwhile', () => {
    const world = ConductorWorld.bootstrapped();
    offer(world, large);
    expect(world.conductor.nextDeadlineMs()).toBeLessThanOrEqual(world.now);
    expect(world.ask('conductor_leader')).toEqual({ result: true });
  });

  test('is committed before a small one that came right after it', () => {
    const world = ConductorWorld.bootstrapped();
    offer(world, large);
    expect(world.ask(method, [{ payload: formatEnvelope(child) }])).toEqual({ result: null });
    expect(world.ask(method, [{ payload: formatEnvelope(large) }])).toEqual({ result: null });
  });

  test('waits behind others only up to a bound of bytes; what is refused then was not appended', () => {
    const world = ConductorWorld.bootstrapped();
    for (let waiting = 0; waiting < unverifiedBytesMax / LARGE_BYTES - 1; waiting += 1) {
      offer(world, large, ANSWER_ID + waiting);
    }
    expect(world.ask(method, [{ payload: formatEnvelope(large) }])).toMatchObject({
      error: { data: { outcome: 'refused', reason: 'busy' } },
    });
    world.run(1000);
    expect(world.ask(method, [{ payload: formatEnvelope(large) }])).toEqual({ result: null });
  }, 30_000);

  test('is refused when it lacks a transaction, and nothing of it is kept', () => {
    const world = ConductorWorld.bootstrapped();
    expect(world.ask(method, [{ payload: formatEnvelope(withoutLast(large)) }])).toMatchObject({
      error: { data: { outcome: 'refused', reason: 'block-hash' } },
    });
    expect(world.ask(method, [{ payload: formatEnvelope(large) }])).toEqual({ result: null });
    expect(world.ask(method, [{ payload: formatEnvelope(child) }])).toEqual({ result: null });
  });
});
