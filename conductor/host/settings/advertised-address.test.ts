import { describe, expect, test } from 'vitest';
import { advertisedAddress, warnOfUnknownName } from './advertised-address.ts';

describe('the advertised address', () => {
  test('a name is kept as it is written, to be resolved at each dial', () => {
    expect(advertisedAddress('localhost:5', '0.0.0.0')).toBe('localhost:5');
  });

  test.each(['1.2.3.4:5', '[::1]:5', '[fe80::1%lo]:5'])('%s is taken', (address) => {
    expect(advertisedAddress(address, '0.0.0.0')).toBe(address);
  });

  test('the bound address is told to others only where they can reach it', () => {
    expect(advertisedAddress('', '127.0.0.1')).toBe('');
    for (const bound of ['0.0.0.0', '::', '[::]'])
      expect(() => advertisedAddress('', bound)).toThrow(/not advertisable/);
  });

  test.each([
    ['::1:1', 'address ::1:1: too many colons in address'],
    ['http://a:1', 'address http://a:1: too many colons in address'],
    ['host', 'address host: missing port in address'],
  ])('%s is refused as in Go', (address, fault) => {
    expect(() => advertisedAddress(address, '1.2.3.4')).toThrow(
      `failed to resolve advertised TCP address "${address}": ${fault}`,
    );
  });

  test.each(['127.0.0.1:', '127.0.0.1:http'])('one without a port number is refused: %s', (address) => {
    expect(() => advertisedAddress(address, '1.2.3.4')).toThrow(/port/);
  });

  test.each([':5', '0.0.0.0:5', '[::]:5'])('%s names no host', (address) => {
    expect(() => advertisedAddress(address, '1.2.3.4')).toThrow(/names no host/);
  });
});

test('a name that cannot be resolved is warned of at start, once, and no address is looked up', async () => {
  const lines: string[] = [];
  const asked: string[] = [];
  const logger = {
    log: (level: string, message: string, fields = {}) =>
      void lines.push(`${level} ${message} ${JSON.stringify(fields)}`),
  };
  const resolve = async (host: string): Promise<readonly string[]> => {
    asked.push(host);
    if (host === 'known') return ['10.0.0.1'];
    throw new Error('no such host');
  };
  for (const address of ['known:5', 'unknown:5', '10.0.0.1:5', '[::1]:5', ''])
    await warnOfUnknownName(address, resolve, logger);
  expect(asked).toEqual(['known', 'unknown']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^warn the advertised address cannot be resolved here.*unknown:5/);
});
