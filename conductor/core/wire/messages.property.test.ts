/**
 * Laws of the codec: decoding undoes encoding however the bytes are cut, and no bytes whatsoever do
 * more harm than a WireError.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppendEntriesRequest, RpcRequest, RpcResponse } from '../raft/types.ts';
import { decodeConfiguration, encodeConfiguration } from './configuration.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest, encodeResponse } from './encode-message.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { decodePeerStatus } from './peer-status.ts';
import { entries, requests, responses } from './testing/arbitrary-messages.ts';
import { concatenate, splitAt } from './testing/pieces.ts';
import { PlainReader } from './testing/plain-msgpack.ts';
import { WireError } from './wire-error.ts';

const KINDS: readonly RpcRequest['kind'][] = ['append', 'vote', 'prevote', 'snapshot', 'timeoutNow'];

/** Where to cut, as fractions of the length. */
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

function cutInto(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
  return splitAt(
    bytes,
    fractions.map((fraction) => Math.floor(fraction * bytes.length)).sort((a, b) => a - b),
  );
}

function readRequests(pieces: readonly Uint8Array[]): RpcRequest[] {
  const decoder = new RequestDecoder();
  return pieces.flatMap((piece) => {
    decoder.push(piece);
    return drain(() => decoder.next());
  });
}

function readResponses(pieces: readonly Uint8Array[], kinds: readonly RpcRequest['kind'][]): RpcResponse[] {
  const decoder = new ResponseDecoder();
  let answered = 0;
  return pieces.flatMap((piece) => {
    decoder.push(piece);
    return drain(() => {
      const kind = kinds[answered % kinds.length]!;
      const response = decoder.next(kind);
      if (response !== null) answered += 1;
      return response;
    });
  });
}

function drain<T>(next: () => T | null): T[] {
  const all: T[] = [];
  for (let one = next(); one !== null; one = next()) all.push(one);
  return all;
}

/** Runs `read` and returns whether it threw a WireError; any other error comes through. */
function isRefused(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch (error) {
    if (error instanceof WireError) return true;
    throw error;
  }
}

describe('decoding undoes encoding', () => {
  test('requests, several on one connection, cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(requests, { minLength: 1, maxLength: 3 }), cuts, (sent, fractions) => {
        const bytes = concatenate(sent.flatMap((request) => encodeRequest(request)));
        expect(readRequests(cutInto(bytes, fractions))).toEqual(sent);
      }),
      { numRuns: 300 },
    );
  });

  test('responses, several on one connection, cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(responses, { minLength: 1, maxLength: 4 }), cuts, (sent, fractions) => {
        const bytes = concatenate(sent.flatMap(({ response }) => encodeResponse(response)));
        const kinds = sent.map(({ kind }) => kind);
        expect(readResponses(cutInto(bytes, fractions), kinds)).toEqual(sent.map(({ response }) => response));
      }),
      { numRuns: 300 },
    );
  });

  test('stored entries', () => {
    fc.assert(
      fc.property(entries, (entry) => {
        expect(decodeEntry(encodeEntry(entry))).toEqual(entry);
      }),
    );
  });

  test('configurations', () => {
    const servers = fc.array(
      fc.record({
        id: fc.string({ unit: 'binary' }),
        address: fc.string(),
        suffrage: fc.constantFrom<(0 | 1)[]>(0, 1),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(servers, (list) => {
        expect(decodeConfiguration(encodeConfiguration({ servers: list }))).toEqual({ servers: list });
      }),
    );
  });
});

test('every request of Go’s, without the keys that are ours, has the form that Go writes', () => {
  const known = requests.filter(({ kind }) => kind !== 'validate');
  fc.assert(
    fc.property(known, (request) => {
      const { peerStatus, electionTimeoutMs, heartbeatIntervalMs, durableIndex, ...rest } =
        request as AppendEntriesRequest;
      const reader = new PlainReader(concatenate(encodeRequest(rest as RpcRequest)), 1);
      reader.read();
      expect({ isGoForm: reader.isGoForm, request: rest.kind }).toEqual({ isGoForm: true, request: rest.kind });
      const ours = [peerStatus, electionTimeoutMs, heartbeatIntervalMs, durableIndex];
      expect(ours.every((value) => value === undefined) || rest.kind === 'append').toBe(true);
    }),
  );
});

describe('no bytes do more harm than a WireError', () => {
  const mutations = fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      to: fc.nat(255),
      isCut: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  );

  function mutated(bytes: Uint8Array, changes: readonly { at: number; to: number; isCut: boolean }[]): Uint8Array {
    const list = [...bytes];
    for (const { at, to, isCut } of changes) {
      const place = Math.floor(at * list.length);
      if (isCut) list.splice(place, 1);
      else list[place] = to;
    }
    return Uint8Array.from(list);
  }

  test('arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), cuts, fc.nat(4), (bytes, fractions, type) => {
        const pieces = cutInto(bytes, fractions);
        isRefused(() => readRequests([Uint8Array.of(type), ...pieces]));
        isRefused(() => readResponses(pieces, [KINDS[type]!]));
        isRefused(() => decodeConfiguration(bytes));
        isRefused(() => decodeEntry(bytes));
        expect(() => decodePeerStatus(bytes)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  test('valid messages with some bytes changed: refused or read, the same in one piece as in many', () => {
    let refused = 0;
    fc.assert(
      fc.property(requests, mutations, cuts, (request, changes, fractions) => {
        const bytes = mutated(concatenate(encodeRequest(request)), changes);
        let whole: RpcRequest[] = [];
        const isWholeRefused = isRefused(() => (whole = readRequests([bytes])));
        let cut: RpcRequest[] = [];
        const isCutRefused = isRefused(() => (cut = readRequests(cutInto(bytes, fractions))));
        expect(isCutRefused).toBe(isWholeRefused);
        expect(cut).toEqual(whole);
        if (isWholeRefused) refused += 1;
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test('valid responses with some bytes changed', () => {
    fc.assert(
      fc.property(responses, mutations, ({ kind, response }, changes) => {
        isRefused(() => readResponses([mutated(concatenate(encodeResponse(response)), changes)], [kind]));
      }),
      { numRuns: 1000 },
    );
  });
});
