/** Every form in which Go's decoder takes a value (probed on it), and every one for which it closes the connection. */
import { describe, expect, test } from 'vitest';
import { decode, entryField, field, key, respond, ZERO_APPEND } from './testing/hex-messages.ts';
import { RequestDecoder } from './decode-message.ts';
import type { WireErrorCode } from './wire-error.ts';

const header = { protocolVersion: 3, id: 'n1', address: 'a:1' };

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
    expect(decode(field('Term', hex))).toEqual({ ...ZERO_APPEND, term: 5 });
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
    expect(decode(field('ID', hex))).toEqual({ ...ZERO_APPEND, id: 'n1' });
  });

  test('nil is zero for every kind of field', () => {
    for (const name of ['Term', 'ID', 'Entries', 'ProtocolVersion', 'Hints']) {
      expect(decode(field(name, 'c0'))).toEqual(ZERO_APPEND);
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
    for (const hex of ['c0', '80', '90', 'de0000', 'dc0000']) expect(decode(`00${hex}`)).toEqual(ZERO_APPEND);
  });

  test('a struct as an array, in order of declaration, with too many elements', () => {
    const entries = `919607050ca26869c0${'c0'}`;
    expect(decode(`009b03a26e31a3613a3105a3613a310604${entries}0481a178c001`)).toEqual({
      ...ZERO_APPEND,
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
    expect(decode(`0083${key('Term')}05c4024944a26e31${key('Term')}06`)).toEqual({ ...ZERO_APPEND, id: 'n1', term: 6 });
  });

  test('unknown keys are skipped with whatever they hold, case counts', () => {
    const nested = '83c0a0929091c0cb0000000000000000c70301010203cfffffffffffffffff';
    expect(
      decode(`0084${key('term')}09${key('X')}${nested}${key('Term')}05${key('Y')}d80102030405060708090a0b0c0d0e0f1011`),
    ).toEqual({
      ...ZERO_APPEND,
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
    decoder.push(Uint8Array.fromHex(field('Term', 'ff')));
    expect(() => decoder.next()).toThrow(expect.objectContaining({ code: 'out-of-range' }));
    decoder.push(Uint8Array.of(5));
    expect(() => decoder.next()).toThrow(expect.objectContaining({ code: 'out-of-range' }));
  });
});
