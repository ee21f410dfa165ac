import { describe, expect, test } from 'vitest';
import { decodeConfiguration, encodeConfiguration } from './configuration.ts';
import { encodePeers } from './peers.ts';

const serverHex = (suffrage: string) => `81a7536572766572739181a85375666672616765${suffrage}`;

describe('configuration', () => {
  test.each([
    ['voter', '00', 0],
    ['nonvoter', '01', 1],
    ['staging, which does not vote', '02', 1],
    ['nil, which is zero', 'c0', 0],
  ])('suffrage %s', (_, hex, suffrage) => {
    expect(decodeConfiguration(Uint8Array.fromHex(serverHex(hex)))).toEqual({
      servers: [{ id: '', address: '', suffrage }],
    });
  });

  test('an unknown suffrage is refused: nobody knows whether it votes', () => {
    expect(() => decodeConfiguration(Uint8Array.fromHex(serverHex('03')))).toThrow(
      expect.objectContaining({ code: 'out-of-range' }),
    );
  });

  test('no servers, in every form', () => {
    for (const hex of ['81a753657276657273c0', '81a75365727665727390', '80', 'c0', '91c0']) {
      expect(decodeConfiguration(Uint8Array.fromHex(hex))).toEqual({ servers: [] });
    }
    expect(encodeConfiguration({ servers: [] }).toHex()).toBe('81a75365727665727390');
  });

  test('what follows the value is ignored, as Go does', () => {
    expect(decodeConfiguration(Uint8Array.fromHex('80ffff'))).toEqual({ servers: [] });
  });

  test.each(['', '81', '81a7536572766572739181'])('cut short at "%s"', (hex) => {
    expect(() => decodeConfiguration(Uint8Array.fromHex(hex))).toThrow(expect.objectContaining({ code: 'malformed' }));
  });

  test('more servers than the limit are refused before they are read', () => {
    expect(() => decodeConfiguration(Uint8Array.fromHex('81a753657276657273dd00010001'))).toThrow(
      expect.objectContaining({ code: 'over-limit' }),
    );
  });
});

test('peers are an array of addresses', () => {
  expect(encodePeers(['127.0.0.1:1', 'b:2']).toHex()).toBe('92ab3132372e302e302e313a31a3623a32');
  expect(encodePeers([]).toHex()).toBe('90');
});
