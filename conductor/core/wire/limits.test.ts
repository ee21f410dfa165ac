import { describe, expect, test } from 'vitest';
import type { AppendEntriesRequest } from '../raft/types.ts';
import { RequestDecoder } from './decode-message.ts';
import { encodeRequest } from './encode-message.ts';
import type { WireLimits } from './limits.ts';
import { decode, entryField, field, key, ZERO_APPEND } from './testing/hex-messages.ts';

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
    ['peerStatus', field('Hints', 'b4'), field('Hints', 'b5')],
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
    expect(decoder.next()).toEqual(ZERO_APPEND);
    expect(decoder.next()).toEqual(ZERO_APPEND);
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
    for (const chunk of encodeRequest({ ...ZERO_APPEND, entries })) decoder.push(chunk);
    const request = decoder.next() as AppendEntriesRequest;
    expect(request.entries?.map(({ data: bytes }) => bytes?.length)).toEqual(entries.map(() => 2 ** 20));
  });
});
