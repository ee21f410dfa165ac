/**
 * Every message of raft-wire.json in both directions: what real servers sent each other, and what a
 * real server answered to requests made by hand, some of them in forms that Go takes but never writes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RpcRequest, RpcResponse } from '../raft/types.ts';
import { decodeConfiguration, encodeConfiguration } from './configuration.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest, encodeResponse } from './encode-message.ts';
import { acceptsVersion } from './rpc-type.ts';
import { concatenate, splitAt, SPLITS } from './testing/pieces.ts';
import { PlainMap, PlainReader } from './testing/plain-msgpack.ts';
import {
  bytesOf,
  expectedConfiguration,
  expectedRequest,
  expectedResponse,
  KINDS,
  parseWireCases,
} from './testing/wire-cases.ts';
import { WireError } from './wire-error.ts';

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const WIRE_CASES = parseWireCases(readFileSync(join(folder, 'raft-wire.json'), 'utf8'));

/** The part of the bytes that is the request: without snapshot bytes that the header check leaves unread. */
function messageOf(requestHex: string, headerBytes: number): { message: Uint8Array; data: Uint8Array } {
  const bytes = Uint8Array.fromHex(requestHex);
  const map = new PlainReader(bytes, 1).read();
  const version = map instanceof PlainMap ? Number(map.get('ProtocolVersion') ?? 0n) : 0;
  const isRefused = bytes[0] === 2 && !acceptsVersion(version);
  const message = isRefused ? bytes.subarray(0, headerBytes) : bytes;
  return { message, data: message.slice(headerBytes) };
}

function decodedRequests(bytes: Uint8Array, splits: (length: number) => readonly number[]): RpcRequest[] {
  const decoder = new RequestDecoder();
  const requests: RpcRequest[] = [];
  for (const piece of splitAt(bytes, splits(bytes.length))) {
    decoder.push(piece);
    for (let request = decoder.next(); request !== null; request = decoder.next()) requests.push(request);
  }
  expect(decoder.bufferedBytes).toBe(0);
  return requests;
}

function decodedResponses(
  bytes: Uint8Array,
  kind: RpcRequest['kind'],
  splits: (length: number) => readonly number[],
): RpcResponse[] {
  const decoder = new ResponseDecoder();
  const responses: RpcResponse[] = [];
  for (const piece of splitAt(bytes, splits(bytes.length))) {
    decoder.push(piece);
    for (let response = decoder.next(kind); response !== null; response = decoder.next(kind)) responses.push(response);
  }
  expect(decoder.bufferedBytes).toBe(0);
  return responses;
}

/** Fields of a request that has no decoded form in the file, read by the other reader; missing ones are zero. */
function checkAgainstPlain(request: RpcRequest, message: Uint8Array): void {
  const map = new PlainReader(message, 1).read() as PlainMap;
  const text = (key: string) => {
    const value = map.get(key) ?? null;
    return value === null ? null : new TextDecoder().decode(value as Uint8Array);
  };
  const number = (key: string) => Number(map.get(key) ?? 0n);
  const term = request.kind === 'timeoutNow' ? {} : { term: number('Term') };
  expect(request).toMatchObject({
    ...term,
    protocolVersion: number('ProtocolVersion'),
    id: text('ID'),
    address: text('Addr'),
  });
  if (request.kind !== 'append') return;
  const entries = (map.get('Entries') ?? null) as PlainMap[] | null;
  expect(request).toMatchObject({
    leader: text('Leader'),
    prevLogIndex: number('PrevLogEntry'),
    prevLogTerm: number('PrevLogTerm'),
    leaderCommit: number('LeaderCommitIndex'),
    entries:
      entries?.map((entry) => ({
        index: Number(entry.get('Index') ?? 0n),
        term: Number(entry.get('Term') ?? 0n),
        type: Number(entry.get('Type') ?? 0n),
        data: entry.get('Data') ?? null,
        extensions: entry.get('Extensions') ?? null,
      })) ?? null,
  });
}

const closed = WIRE_CASES.filter(({ closedByNode }) => closedByNode === true);
const answered = WIRE_CASES.filter(({ closedByNode }) => closedByNode !== true);

describe.each(Object.entries(SPLITS))('raft-wire.json, %s', (_, splits) => {
  test.each(answered.filter(({ request }) => request !== null))('request decodes as told: $name', (wireCase) => {
    const { message, data } = messageOf(wireCase.requestHex, wireCase.requestHeaderBytes);
    expect(decodedRequests(message, splits)).toEqual([expectedRequest(wireCase.rpc, wireCase.request!, data)]);
  });

  test.each(answered.filter(({ request }) => request === null))(
    'request of another form decodes: $name',
    (wireCase) => {
      const { message } = messageOf(wireCase.requestHex, wireCase.requestHeaderBytes);
      const [request, ...rest] = decodedRequests(message, splits);
      expect(rest).toEqual([]);
      checkAgainstPlain(request!, message);
    },
  );

  test.each(closed)('what a Go peer closes the connection for is a WireError: $name', ({ requestHex }) => {
    expect(() => decodedRequests(Uint8Array.fromHex(requestHex), splits)).toThrow(WireError);
  });

  test.each(answered.filter(({ responseHex }) => responseHex !== null))(
    'response decodes as told: $name',
    (wireCase) => {
      const bytes = Uint8Array.fromHex(wireCase.responseHex!);
      expect(decodedResponses(bytes, KINDS[wireCase.rpc]!, splits)).toEqual([expectedResponse(wireCase)]);
    },
  );
});

describe('raft-wire.json, encoded again', () => {
  const inGoForm = answered.filter(({ requestHex }) => {
    const reader = new PlainReader(Uint8Array.fromHex(requestHex), 1);
    reader.read();
    return reader.isGoForm;
  });

  test('most requests are in the form that Go writes, and captured ones all are', () => {
    expect(inGoForm.length).toBeGreaterThan(answered.length / 2);
    expect(answered.filter((one) => 'conn' in one && !inGoForm.includes(one))).toEqual([]);
  });

  test.each(inGoForm)('request gives the same bytes: $name', ({ requestHex, requestHeaderBytes }) => {
    const { message } = messageOf(requestHex, requestHeaderBytes);
    const [request] = decodedRequests(message, SPLITS.whole);
    expect(concatenate(encodeRequest(request!)).toHex()).toBe(message.toHex());
  });

  test.each(answered.filter(({ responseHex }) => responseHex !== null))(
    'response gives the same bytes: $name',
    (wireCase) => {
      expect(concatenate(encodeResponse(expectedResponse(wireCase))).toHex()).toBe(wireCase.responseHex);
    },
  );

  test('configurations decode as told and give the same bytes', () => {
    const configurations = answered.flatMap(({ request }) => [
      ...(request?.['ConfigurationDecoded'] ? [[request['Configuration'], request['ConfigurationDecoded']]] : []),
      ...((request?.['Entries'] ?? []) as Record<string, unknown>[])
        .filter(({ Configuration }) => Configuration !== undefined && Configuration !== null)
        .map(({ Data, Configuration }) => [Data, Configuration]),
    ]);
    expect(configurations.length).toBeGreaterThan(0);
    for (const [hex, told] of configurations) {
      const bytes = bytesOf(hex)!;
      expect(decodeConfiguration(bytes)).toEqual(expectedConfiguration(told));
      expect(encodeConfiguration(expectedConfiguration(told)).toHex()).toBe(bytes.toHex());
    }
  });
});
