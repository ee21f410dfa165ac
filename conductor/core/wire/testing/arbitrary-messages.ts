/** Arbitrary messages for property tests: every field over its whole documented range. */
import * as fc from 'fast-check';
import { EntryType, type Entry, type RpcRequest, type RpcResponse } from '../../raft/types.ts';

const number = fc.oneof(fc.nat(200), fc.maxSafeNat());
const text = fc.option(fc.string({ unit: 'binary', maxLength: 40 }));
const bytes = (maxLength: number) =>
  fc.oneof({ arbitrary: fc.uint8Array({ maxLength: 40 }), weight: 4 }, fc.uint8Array({ minLength: 0, maxLength }));
const nullableBytes = (maxLength: number) => fc.option(bytes(maxLength));

const appendedAt = fc.oneof(
  fc.uint8Array({ minLength: 14, maxLength: 14 }).map((rest) => Uint8Array.of(1, ...rest)),
  fc.uint8Array({ minLength: 15, maxLength: 15 }).map((rest) => Uint8Array.of(2, ...rest)),
);

/** A log entry with any content. */
export const entries: fc.Arbitrary<Entry> = fc.record({
  index: number,
  term: number,
  type: fc.oneof(fc.constantFrom(...Object.values(EntryType)), fc.nat(255)),
  data: nullableBytes(9000),
  extensions: nullableBytes(300),
  appendedAt,
});

const header = { protocolVersion: fc.oneof(fc.constantFrom(2, 3), fc.maxSafeInteger()), id: text, address: text };
const accepted = { ...header, protocolVersion: fc.constantFrom(2, 3) };
const lastLog = { lastLogIndex: number, lastLogTerm: number };

/** A request with any content; snapshots have a protocol version that is accepted and their bytes. */
export const requests: fc.Arbitrary<RpcRequest> = fc.oneof(
  withOwn(
    fc.record({
      kind: fc.constant('append' as const),
      ...header,
      term: number,
      leader: text,
      prevLogIndex: number,
      prevLogTerm: number,
      entries: fc.option(fc.array(entries, { maxLength: 20 })),
      leaderCommit: number,
    }),
    { peerStatus: bytes(4096), electionTimeoutMs: number, heartbeatIntervalMs: number, durableIndex: number },
  ),
  fc.record({
    kind: fc.constant('vote' as const),
    ...header,
    ...lastLog,
    term: number,
    candidate: text,
    leadershipTransfer: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('prevote' as const), ...header, ...lastLog, term: number }),
  fc
    .record({
      kind: fc.constant('snapshot' as const),
      ...accepted,
      ...lastLog,
      snapshotVersion: fc.maxSafeInteger(),
      term: number,
      leader: text,
      peers: nullableBytes(300),
      configuration: nullableBytes(9000),
      configurationIndex: number,
      data: bytes(9000),
    })
    .map((request) => ({ ...request, size: request.data.length })),
  fc.record({ kind: fc.constant('timeoutNow' as const), ...header }),
  fc.record({ kind: fc.constant('validate' as const), ...header, term: number, payload: nullableBytes(9000) }),
);

/** A response with any content, and the kind of request that it answers. */
export const responses: fc.Arbitrary<{ readonly kind: RpcRequest['kind']; readonly response: RpcResponse }> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom<RpcRequest['kind'][]>('append', 'vote', 'prevote', 'snapshot', 'timeoutNow', 'validate'),
      message: fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }),
    })
    .map(({ kind, message }) => ({ kind, response: { kind: 'error' as const, message } })),
  withOwn(
    fc.record({
      kind: fc.constant('append' as const),
      ...header,
      term: number,
      lastLog: number,
      success: fc.boolean(),
      noRetryBackoff: fc.boolean(),
    }),
    { peerStatus: bytes(4096), electionTimeoutMs: number },
  ).map((response) => ({ kind: response.kind, response })),
  fc
    .record({
      kind: fc.constantFrom('vote' as const, 'prevote' as const),
      ...header,
      term: number,
      granted: fc.boolean(),
    })
    .map((response) => ({ kind: response.kind, response })),
  fc
    .record({
      kind: fc.constant('snapshot' as const),
      ...header,
      term: number,
      success: fc.boolean(),
      error: fc.string({ unit: 'binary', maxLength: 40 }),
    })
    .map(({ error, ...rest }) => ({ kind: rest.kind, response: error === '' ? rest : { ...rest, error } })),
  fc
    .record({ kind: fc.constant('timeoutNow' as const), ...header })
    .map((response) => ({ kind: response.kind, response })),
  fc
    .record({ kind: fc.constant('validate' as const), ...header, term: number, verdict: number, message: text })
    .map((response) => ({ kind: response.kind, response })),
);

/** With any of the keys that only ours add. */
function withOwn<T extends object, Own extends object>(
  message: fc.Arbitrary<T>,
  own: { [Key in keyof Own]: fc.Arbitrary<Own[Key]> },
): fc.Arbitrary<T & Partial<Own>> {
  return fc
    .tuple(message, fc.record(own, { requiredKeys: [] }))
    .map(([rest, ours]) => ({ ...rest, ...ours }) as T & Partial<Own>);
}
