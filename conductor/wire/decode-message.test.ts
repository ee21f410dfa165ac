import { describe, expect, test } from 'vitest';
import type { AppendEntriesRequest, InstallSnapshotRequest, RpcRequest, RpcResponse } from '../raft/types.ts';
import { RequestDecoder, ResponseDecoder } from './decode-message.ts';
import { encodeRequest } from './encode-message.ts';
import type { WireLimits } from './limits.ts';
import { concatenate } from './testing/pieces.ts';
import { WireError, type WireErrorCode } from './wire-error.ts';

const header = { protocolVersion: 3, id: 'n1', address: 'a:1' };
const zeroAppend: AppendEntriesRequest = {
  kind: 'append',
  protocolVersion: 0,
  id: null,
  address: null,
  term: 0,
  leader: null,
  prevLogIndex: 0,
  prevLogTerm: 0,
  entries: null,
  leaderCommit: 0,
};

/** Hex of a key. */
const key = (name: string) => (0xa0 + name.length).toString(16) + new TextEncoder().encode(name).toHex();

function decode(hex: string, limits?: Partial<WireLimits>): RpcRequest | null {
  const decoder = new RequestDecoder(limits);
  decoder.push(Uint8Array.fromHex(hex));
  return decoder.next();
}

/** An append with this one field. */
const field = (name: string, valueHex: string) => `0081${key(name)}${valueHex}`;
/** An append with one entry that has this one field. */
const entryField = (name: string, valueHex: string) => `0081${key('Entries')}9181${key(name)}${valueHex}`;

function respond(hex: string, kind: RpcRequest['kind']): RpcResponse | null {
  const decoder = new ResponseDecoder();
  decoder.push(Uint8Array.fromHex(hex));
  return decoder.next(kind);
}

describe('forms that a Go peer takes', () => {
  test.each([
    ['unsigned 8', 'cc05'],
    ['unsigned 16', 'cd0005'],
    ['unsigned 32', 'ce00000005'],
    ['unsigned 64', 'cf0000000000000005'],
    ['signed 8', 'd005'],
    ['signed 16', 'd10005'],
    ['signed 32', 'd200000005'],
    ['signed 64', 'd30000000000000005'],
  ])('an integer as %s', (_, hex) => {
    expect(decode(field('Term', hex))).toEqual({ ...zeroAppend, term: 5 });
  });

  test.each([
    ['fixed raw', 'a26e31'],
    ['raw 8', 'd9026e31'],
    ['raw 16', 'da00026e31'],
    ['raw 32', 'db000000026e31'],
    ['binary 8', 'c4026e31'],
    ['binary 16', 'c500026e31'],
    ['binary 32', 'c6000000026e31'],
    ['array of small integers', '926ecc31'],
    ['array 16', 'dc00026e31'],
    ['array 32', 'dd000000026e31'],
  ])('a string as %s', (_, hex) => {
    expect(decode(field('ID', hex))).toEqual({ ...zeroAppend, id: 'n1' });
  });

  test('nil is zero for every kind of field', () => {
    for (const name of ['Term', 'ID', 'Entries', 'ProtocolVersion', 'Hints']) {
      expect(decode(field(name, 'c0'))).toEqual(zeroAppend);
    }
    expect(decode(`0181${key('LeadershipTransfer')}c0`)).toMatchObject({ leadershipTransfer: false });
  });

  test('an octet array may hold nil for zero, and be empty', () => {
    expect(decode(entryField('Data', '92c001'))).toMatchObject({ entries: [{ data: Uint8Array.of(0, 1) }] });
    expect(decode(entryField('Data', '90'))).toMatchObject({ entries: [{ data: new Uint8Array(0) }] });
  });

  test.each([
    ['c2', false],
    ['c3', true],
    ['00', false],
    ['01', true],
  ])('a bool as %s', (hex, leadershipTransfer) => {
    expect(decode(`0181${key('LeadershipTransfer')}${hex}`)).toMatchObject({ leadershipTransfer });
  });

  test('a struct as nil, as an empty map and as an empty array', () => {
    for (const hex of ['c0', '80', '90', 'de0000', 'dc0000']) expect(decode(`00${hex}`)).toEqual(zeroAppend);
  });

  test('a struct as an array, in order of declaration, with too many elements', () => {
    const entries = `919607050ca26869c0${'c0'}`;
    expect(decode(`009b03a26e31a3613a3105a3613a310604${entries}0481a178c001`)).toEqual({
      ...zeroAppend,
      ...header,
      term: 5,
      leader: 'a:1',
      prevLogIndex: 6,
      prevLogTerm: 4,
      entries: [
        {
          index: 7,
          term: 5,
          type: 12,
          data: Uint8Array.of(0x68, 0x69),
          extensions: null,
          appendedAt: Uint8Array.fromHex('01000000000000000000000000ffff'),
        },
      ],
      leaderCommit: 4,
    });
  });

  test('a vote response as an array has the deprecated peers before the grant', () => {
    expect(respond('a09603a26e31a3613a3106c0c3', 'vote')).toEqual({ kind: 'vote', ...header, term: 6, granted: true });
  });

  test('keys in any order, with bin8 names, twice (the last counts)', () => {
    expect(decode(`0083${key('Term')}05c4024944a26e31${key('Term')}06`)).toEqual({ ...zeroAppend, id: 'n1', term: 6 });
  });

  test('unknown keys are skipped with whatever they hold, case counts', () => {
    const nested = '83c0a0929091c0cb0000000000000000c70301010203cfffffffffffffffff';
    expect(
      decode(`0084${key('term')}09${key('X')}${nested}${key('Term')}05${key('Y')}d80102030405060708090a0b0c0d0e0f1011`),
    ).toEqual({
      ...zeroAppend,
      term: 5,
    });
  });

  test.each([
    ['MarshalBinary', 'af010000000edf6ba85a075bcd15ffff', '010000000edf6ba85a075bcd15ffff'],
    ['MarshalBinary of a zone', 'af010000000edf6ba85a075bcd150078', '010000000edf6ba85a075bcd150078'],
    ['MarshalBinary with offset seconds', 'b0020000000edf6ba85a075bcd1500781e', '020000000edf6ba85a075bcd1500781e'],
    ['nil', 'c0', '01000000000000000000000000ffff'],
    ['extension of 4', 'd6ff67d9b15a', '010000000edf6ba85a00000000ffff'],
    ['extension of 8', 'd7ff1d6f345467d9b15a', '010000000edf6ba85a075bcd15ffff'],
    ['extension of 12', 'c70cff075bcd150000000067d9b15a', '010000000edf6ba85a075bcd15ffff'],
    ['raw of 4', 'a467d9b15a', '010000000edf6ba85a00000000ffff'],
    ['raw of 8', 'a81d6f345467d9b15a', '010000000edf6ba85a075bcd15ffff'],
    ['binary of 12', 'c40c075bcd150000000067d9b15a', '010000000edf6ba85a075bcd15ffff'],
  ])('a time as %s', (_, hex, appendedAt) => {
    expect(decode(entryField('AppendedAt', hex))).toMatchObject({
      entries: [{ appendedAt: Uint8Array.fromHex(appendedAt) }],
    });
  });
});

describe('what a connection is closed for', () => {
  test.each<[string, WireErrorCode, string]>([
    ['an unknown type byte', 'unknown-type', '05'],
    ['a form that does not exist', 'malformed', '00c1'],
    ['a body that is an integer', 'wrong-kind', '0005'],
    ['a body that is a string', 'wrong-kind', '00a0'],
    ['a float for an integer', 'wrong-kind', field('Term', 'cb4014000000000000')],
    ['a string for an integer', 'wrong-kind', field('Term', 'a135')],
    ['a bool for an integer', 'wrong-kind', field('Term', 'c3')],
    ['a negative for an unsigned', 'out-of-range', field('Term', 'ff')],
    ['a negative 64-bit integer for an unsigned', 'out-of-range', field('Term', 'd3ffffffffffffffff')],
    ['an integer of 2^53', 'out-of-range', field('Term', 'cf0020000000000000')],
    ['an integer of 2^64-1', 'out-of-range', field('Term', 'cfffffffffffffffff')],
    ['a signed integer of 2^53', 'out-of-range', field('ProtocolVersion', 'd30020000000000000')],
    ['an entry type of 256', 'out-of-range', entryField('Type', 'cd0100')],
    ['2 for a bool', 'wrong-kind', `0181${key('LeadershipTransfer')}02`],
    ['a wide 1 for a bool', 'wrong-kind', `0181${key('LeadershipTransfer')}cc01`],
    ['a map for a string', 'wrong-kind', field('ID', '80')],
    ['an integer for a string', 'wrong-kind', field('ID', '05')],
    ['300 in an octet array', 'out-of-range', field('ID', '91cd012c')],
    ['a string in an octet array', 'wrong-kind', field('ID', '91a161')],
    ['an id that is not UTF-8', 'invalid-text', field('ID', 'a1ff')],
    ['an overlong address', 'invalid-text', field('Addr', 'a2c0af')],
    ['a surrogate in an address', 'invalid-text', field('Addr', 'a3eda080')],
    ['a map for a list', 'wrong-kind', field('Entries', '80')],
    ['an entry that is an integer', 'wrong-kind', field('Entries', '9105')],
    ['an entry that is nil', 'wrong-kind', field('Entries', '91c0')],
    ['a key that is an integer', 'wrong-kind', '00810505'],
    ['a key that is nil', 'wrong-kind', '0081c005'],
    ['a key that is empty', 'wrong-kind', '0081a005'],
    ['an empty time', 'malformed', entryField('AppendedAt', 'a0')],
    ['a bin8 time of 15 bytes', 'malformed', entryField('AppendedAt', 'c40f010000000edf6ba858075bcd15ffff')],
    ['a raw 8 time of 15 bytes', 'malformed', entryField('AppendedAt', 'd90f010000000edf6ba858075bcd15ffff')],
    ['a time of an unknown version', 'malformed', entryField('AppendedAt', 'af030000000edf6ba858075bcd15ffff')],
    ['a time of version 2 in 15 bytes', 'malformed', entryField('AppendedAt', 'af020000000edf6ba858075bcd15ffff')],
    ['a time of another extension type', 'wrong-kind', entryField('AppendedAt', 'd6fe67d9b15a')],
    ['a time as an integer', 'wrong-kind', entryField('AppendedAt', '05')],
    ['a snapshot of negative size', 'out-of-range', `0282${key('ProtocolVersion')}03${key('Size')}ff`],
  ])('%s', (_, code, hex) => {
    expect(() => decode(hex)).toThrow(expect.objectContaining({ name: 'WireError', code }));
  });

  test('a decoder that threw stays failed', () => {
    const decoder = new RequestDecoder();
    decoder.push(Uint8Array.of(9));
    expect(() => decoder.next()).toThrow(WireError);
    decoder.push(Uint8Array.fromHex('00c0'));
    expect(() => decoder.next()).toThrow(expect.objectContaining({ code: 'unknown-type' }));
  });
});

describe('limits', () => {
  const small: WireLimits = {
    entryBytesMax: 10,
    entriesMax: 2,
    stringBytesMax: 20,
    configurationBytesMax: 4,
    snapshotBytesMax: 5,
    skippedDepthMax: 3,
    skippedBytesMax: 12,
    keysMax: 12,
    serversMax: 2,
  };
  const snapshotOf = (size: string) => `0282${key('ProtocolVersion')}03${key('Size')}${size}`;

  test.each([
    ['entry bytes', entryField('Data', 'aa'), entryField('Data', 'ab')],
    ['entry bytes as an array', entryField('Data', '9a'), entryField('Data', '9b')],
    ['entries', field('Entries', '92'), field('Entries', '93')],
    ['an id', field('ID', 'b4'), field('ID', 'b5')],
    ['extensions', entryField('Extensions', 'b4'), entryField('Extensions', 'b5')],
    ['a key', '0081b4', '0081b5'],
    ['configuration bytes', `0281${key('Configuration')}a4`, `0281${key('Configuration')}a5`],
    ['peers', `0281${key('Peers')}a4`, `0281${key('Peers')}a5`],
    ['hints', field('Hints', 'b4'), field('Hints', 'b5')],
    ['snapshot bytes', snapshotOf('05'), snapshotOf('06')],
    ['nesting of an unknown value', field('X', '919190'), field('X', '91919190')],
    ['bytes of unknown values', field('X', 'a9'), field('X', 'aa')],
    ['keys', '008c', '008d'],
    ['elements of a struct sent as an array', '009c', '009d'],
  ])('%s', (_, within, over) => {
    expect(() => decode(within, small)).not.toThrow();
    expect(() => decode(over, small)).toThrow(expect.objectContaining({ code: 'over-limit' }));
  });

  test('skipped bytes count over the whole message, and anew in the next', () => {
    const decoder = new RequestDecoder(small);
    const once = `81${key('XYZ')}a401020304`;
    decoder.push(Uint8Array.fromHex(`00${once}00${once}`));
    expect(decoder.next()).toEqual(zeroAppend);
    expect(decoder.next()).toEqual(zeroAppend);
    expect(() => decode(`0082${once.slice(2)}${once.slice(2)}`, small)).toThrow(
      expect.objectContaining({ code: 'over-limit' }),
    );
  });

  test('there is no bound on the sum of entries: 64 of 1 MiB', () => {
    const data = new Uint8Array(2 ** 20);
    const appendedAt = Uint8Array.fromHex('010000000edf6ba85a075bcd15ffff');
    const entries = Array.from({ length: 64 }, (_, i) => ({
      index: i + 1,
      term: 1,
      type: 0,
      data,
      extensions: null,
      appendedAt,
    }));
    const decoder = new RequestDecoder();
    for (const chunk of encodeRequest({ ...zeroAppend, entries })) decoder.push(chunk);
    const request = decoder.next() as AppendEntriesRequest;
    expect(request.entries?.map(({ data: bytes }) => bytes?.length)).toEqual(entries.map(() => 2 ** 20));
  });
});

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
