import { describe, expect, test } from 'vitest';
import type { InstallSnapshotRequest, RpcRequest } from '../raft/types.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest } from './encode-message.ts';
import { key, respond } from './testing/hex-messages.ts';
import { concatenate } from './testing/pieces.ts';

const header = { protocolVersion: 3, id: 'n1', address: 'a:1' };

describe('the stream', () => {
  const vote: RpcRequest = { kind: 'prevote', ...header, term: 2, lastLogIndex: 1, lastLogTerm: 1 };
  const snapshot: InstallSnapshotRequest = {
    kind: 'snapshot',
    ...header,
    snapshotVersion: 1,
    term: 1,
    leader: null,
    lastLogIndex: 3,
    lastLogTerm: 1,
    peers: null,
    configuration: null,
    configurationIndex: 0,
    size: 3,
    data: Uint8Array.of(7, 8, 9),
  };

  test('several requests in one chunk come one after another', () => {
    const decoder = new RequestDecoder();
    decoder.push(concatenate([...encodeRequest(vote), ...encodeRequest(snapshot), ...encodeRequest(vote)]));
    expect([decoder.next(), decoder.next(), decoder.next(), decoder.next()]).toEqual([vote, snapshot, vote, null]);
  });

  test('a snapshot is held back until its last byte is there', () => {
    const decoder = new RequestDecoder();
    const bytes = concatenate(encodeRequest(snapshot));
    decoder.push(bytes.slice(0, -1));
    expect(decoder.next()).toBeNull();
    expect(decoder.bufferedBytes).toBe(bytes.length - 1);
    decoder.push(bytes.slice(-1));
    expect(decoder.next()).toEqual(snapshot);
    expect(decoder.bufferedBytes).toBe(0);
  });

  test('an empty snapshot comes at once', () => {
    const decoder = new RequestDecoder();
    const empty = { ...snapshot, size: 0, data: new Uint8Array(0) };
    decoder.push(concatenate(encodeRequest(empty)));
    expect(decoder.next()).toEqual(empty);
  });

  test.each([0, 1, 4, -1])(
    'a snapshot of protocol version %d comes at once, its bytes are taken for a type',
    (protocolVersion) => {
      const decoder = new RequestDecoder();
      const refused = { ...snapshot, protocolVersion, data: new Uint8Array(0) };
      decoder.push(concatenate([...encodeRequest(refused), snapshot.data]));
      expect(decoder.next()).toEqual(refused);
      expect(() => decoder.next()).toThrow(expect.objectContaining({ code: 'unknown-type' }));
    },
  );

  test.each([
    [0x16, 'a TLS handshake, on a port that has no certificate and takes plain text only'],
    [0x47, 'a request begins with 71, which is no RPC'],
  ])('a first byte of %d is called what it is', (type, message) => {
    const decoder = new RequestDecoder();
    decoder.push(Uint8Array.of(type, 3, 1));
    expect(() => decoder.next()).toThrow(expect.objectContaining({ code: 'unknown-type', message }));
  });

  test('a chunk may be overwritten once next returned null, and does not show in what is returned', () => {
    const decoder = new RequestDecoder();
    const bytes = concatenate(encodeRequest({ ...snapshot, configuration: Uint8Array.of(1, 2, 3) }));
    const buffer = bytes.slice();
    const split = bytes.length - 40;
    decoder.push(buffer.subarray(0, split));
    expect(decoder.next()).toBeNull();
    buffer.fill(0xee, 0, split);
    decoder.push(buffer.subarray(split));
    const request = decoder.next() as InstallSnapshotRequest;
    buffer.fill(0xee);
    expect(request).toEqual({ ...snapshot, configuration: Uint8Array.of(1, 2, 3) });
  });
});

describe('responses', () => {
  test('an error with a nil body, whatever was asked', () => {
    expect(respond('a46f6f7073c0', 'append')).toEqual({ kind: 'error', message: 'oops' });
    expect(respond('a46f6f7073c0', 'snapshot')).toEqual({ kind: 'error', message: 'oops' });
  });

  test('an error with a body: a snapshot keeps both, others the error', () => {
    const body = `81${key('Term')}05`;
    expect(respond(`a46f6f7073${body}`, 'snapshot')).toMatchObject({
      kind: 'snapshot',
      term: 5,
      success: false,
      error: 'oops',
    });
    expect(respond(`a46f6f7073${body}`, 'append')).toEqual({ kind: 'error', message: 'oops' });
  });

  test('no error and a nil body is a zero response, as in Go', () => {
    expect(respond('a0c0', 'timeoutNow')).toEqual({ kind: 'timeoutNow', protocolVersion: 0, id: null, address: null });
  });

  test('a nil error text is none', () => {
    expect(respond('c080', 'timeoutNow')).toMatchObject({ kind: 'timeoutNow' });
  });

  test('an error text that is not UTF-8 is still shown', () => {
    expect(respond('a3ff6f6bc0', 'append')).toEqual({ kind: 'error', message: '�ok' });
  });

  test('an error text over the limit closes', () => {
    expect(() => respond('db00010001', 'append')).toThrow(expect.objectContaining({ code: 'over-limit' }));
  });

  test('pipelined responses of different kinds', () => {
    const decoder = new ResponseDecoder();
    decoder.push(Uint8Array.fromHex('a081a45465726d05a378797ac0a08187').slice(0, -1));
    expect(decoder.next('append')).toMatchObject({ kind: 'append', term: 5 });
    expect(decoder.next('vote')).toEqual({ kind: 'error', message: 'xyz' });
    expect(decoder.next('prevote')).toBeNull();
    expect(decoder.bufferedBytes).toBe(2);
  });
});
