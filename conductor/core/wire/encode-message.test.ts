import { describe, expect, test } from 'vitest';
import type { RpcRequest, RpcResponse } from '../raft/types.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest, encodeResponse } from './encode-message.ts';
import { encodeEntry } from './entry.ts';
import { concatenate } from './testing/pieces.ts';
import { entry, header, heartbeat, hi, snapshotWith } from './testing/sample-messages.ts';
import { WireError } from './wire-error.ts';

const snapshot = snapshotWith(hi);

describe('integer and length forms', () => {
  test.each([
    [127, '7f'],
    [128, 'cc80'],
    [255, 'ccff'],
    [256, 'cd0100'],
    [65_535, 'cdffff'],
    [65_536, 'ce00010000'],
    [2 ** 32 - 1, 'ceffffffff'],
    [2 ** 32, 'cf0000000100000000'],
    [2 ** 53 - 1, 'cf001fffffffffffff'],
  ])('uint64 %d', (term, hex) => {
    const bytes = concatenate(encodeRequest({ kind: 'prevote', ...header, term, lastLogIndex: 0, lastLogTerm: 0 }));
    expect(bytes.toHex().endsWith(`a45465726d${hex}`)).toBe(true);
  });

  test.each([
    [127, '7f'],
    [128, 'd10080'],
    [32_767, 'd17fff'],
    [32_768, 'd200008000'],
    [2 ** 31, 'd30000000080000000'],
    [2 ** 53 - 1, 'd3001fffffffffffff'],
    [-32, 'e0'],
    [-33, 'd0df'],
    [-129, 'd1ff7f'],
    [-32_769, 'd2ffff7fff'],
    [-(2 ** 31) - 1, 'd3ffffffff7fffffff'],
    [-(2 ** 53) + 1, 'd3ffe0000000000001'],
  ])('int %d', (protocolVersion, hex) => {
    const bytes = concatenate(encodeRequest({ kind: 'timeoutNow', ...header, protocolVersion }));
    expect(bytes.toHex().endsWith(`6f6e${hex}`)).toBe(true);
    const decoder = new RequestDecoder();
    decoder.push(bytes);
    expect(decoder.next()).toEqual({ kind: 'timeoutNow', ...header, protocolVersion });
  });

  test.each([
    [31, 'bf'],
    [32, 'da0020'],
    [255, 'da00ff'],
    [65_535, 'daffff'],
    [65_536, 'db00010000'],
  ])('byte string of %d', (length, hex) => {
    expect(encodeEntry({ ...entry, data: new Uint8Array(length) }).toHex()).toContain(`a444617461${hex}00`);
  });

  test.each([
    [15, '9f'],
    [16, 'dc0010'],
    [1024, 'dc0400'],
  ])('array of %d entries', (count, hex) => {
    const request = { ...heartbeat, entries: Array.from({ length: count }, () => entry) };
    const bytes = concatenate(encodeRequest(request));
    expect(bytes.toHex()).toContain(`a7456e7472696573${hex}86`);
  });
});

describe('chunks', () => {
  const large = new Uint8Array(4096).fill(1);
  const small = new Uint8Array(4095).fill(2);

  test('byte strings from 4 KiB on are passed by reference, all else is merged', () => {
    const entries = [large, small, large].map((data) => ({ ...entry, data }));
    const chunks = encodeRequest({ ...heartbeat, entries });
    expect(chunks).toHaveLength(5);
    expect(chunks[1]).toBe(large);
    expect(chunks[3]).toBe(large);
  });

  test("a snapshot's chunks end with its data", () => {
    expect(encodeRequest({ ...snapshot, size: 4096, data: large }).at(-1)).toBe(large);
  });

  test('chunks stay as they are while later messages are encoded', () => {
    const chunks = encodeRequest(heartbeat);
    const hex = concatenate(chunks).toHex();
    encodeRequest({ ...heartbeat, term: 99, address: '10.0.0.1:9' });
    expect(concatenate(chunks).toHex()).toBe(hex);
  });
});

describe('what has no encoding is refused, and the next message is not disturbed', () => {
  const heartbeatHex = concatenate(encodeRequest(heartbeat)).toHex();

  test.each<[string, RpcRequest]>([
    ['a negative term', { ...heartbeat, term: -1 }],
    ['a term above 2^53-1', { ...heartbeat, term: 2 ** 53 }],
    ['a fraction', { ...heartbeat, leaderCommit: 0.5 }],
    ['not a number', { ...heartbeat, leaderCommit: Number.NaN }],
    ['an entry type above 255', { ...heartbeat, entries: [{ ...entry, type: 256 }] }],
    ['a time that is not MarshalBinary', { ...heartbeat, entries: [{ ...entry, appendedAt: hi }] }],
    ['a snapshot of another size than announced', { ...snapshot, size: 3 }],
    ['a snapshot announced but empty', { ...snapshot, data: new Uint8Array(0) }],
  ])('%s', (_, request) => {
    expect(() => encodeRequest(request)).toThrow(expect.objectContaining({ code: 'unencodable' }));
    expect(concatenate(encodeRequest(heartbeat)).toHex()).toBe(heartbeatHex);
  });

  test('an error response without text', () => {
    expect(() => encodeResponse({ kind: 'error', message: '' })).toThrow(WireError);
  });
});

describe('members (rule 32)', () => {
  test('are a key of their own in pre-votes that ask for them and their answers, which Go skips', () => {
    const question = { kind: 'prevote', ...header, term: 1, lastLogIndex: 0, lastLogTerm: 0 } as const;
    const asks = concatenate(encodeRequest({ ...question, configuration: new Uint8Array(0) }));
    const plain = concatenate(encodeRequest(question)).toHex();
    expect(asks.toHex()).toBe(plain.replace('0486', '0487').replace('a24944', 'ad436f6e66696775726174696f6ea0a24944'));
    const requests = new RequestDecoder();
    requests.push(asks);
    expect(requests.next()).toEqual({ ...question, configuration: new Uint8Array(0) });

    const answer = { kind: 'prevote', ...header, term: 7, granted: false } as const;
    const configuration = Uint8Array.of(1, 2);
    const responses = new ResponseDecoder();
    for (const response of [answer, { ...answer, configuration }]) {
      responses.push(concatenate(encodeResponse(response)));
      expect(responses.next('prevote')).toEqual(response);
    }
  });
});

describe('timing (rule 34)', () => {
  test('in a heartbeat before Entries and Hints, in an answer after Addr', () => {
    const plain = concatenate(encodeRequest(heartbeat)).toHex();
    const timed = { ...heartbeat, electionTimeoutMs: 320, heartbeatIntervalMs: 100, durableIndex: 7 };
    const keys = (name: string): string => (0xa0 | name.length).toString(16) + new TextEncoder().encode(name).toHex();
    expect(concatenate(encodeRequest(timed)).toHex()).toBe(
      plain
        .replace('0089', '008c')
        .replace(keys('Entries'), `${keys('DurableIndex')}07${keys('ElectionTimeout')}cd0140${keys('Entries')}`)
        .replace('c0a24944', `c0${keys('HeartbeatInterval')}64a24944`),
    );
    const response: RpcResponse = {
      kind: 'append',
      ...header,
      ...{ term: 5, lastLog: 7, success: true, noRetryBackoff: false },
    };
    const hex = concatenate(encodeResponse(response)).toHex();
    expect(concatenate(encodeResponse({ ...response, electionTimeoutMs: 320 })).toHex()).toBe(
      hex.replace('a087', 'a088').replace('30a24944', `30${keys('ElectionTimeout')}cd0140a24944`),
    );
  });
});

describe('peer status (rule 16)', () => {
  test('in a request between Entries and ID, in a response between Addr and ID', () => {
    const peerStatus = Uint8Array.of(0x80);
    const plain = concatenate(encodeRequest(heartbeat)).toHex();
    expect(concatenate(encodeRequest({ ...heartbeat, peerStatus })).toHex()).toBe(
      plain.replace('0089', '008a').replace('73c0a24944', '73c0a548696e7473a180a24944'),
    );
    const response: RpcResponse = {
      kind: 'append',
      ...header,
      term: 5,
      lastLog: 7,
      success: true,
      noRetryBackoff: false,
    };
    const hex = concatenate(encodeResponse(response)).toHex();
    expect(concatenate(encodeResponse({ ...response, peerStatus })).toHex()).toBe(
      hex.replace('a087', 'a088').replace('30a24944', '30a548696e7473a180a24944'),
    );
  });
});
