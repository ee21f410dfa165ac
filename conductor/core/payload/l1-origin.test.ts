import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { l1OriginOf } from './l1-origin.ts';
import { l1Deposit } from './testing/l1-deposit.ts';

const hash = `0x${'ab'.repeat(32)}`;

describe('the L1 origin of a block', () => {
  test.each(['015d8eb9', '440a5e20', '098999be', '3db6be2b'])('is read from its first deposit, call %s', (selector) => {
    expect(l1OriginOf([l1Deposit(0x1234n, hash, selector)])).toEqual({ number: 0x1234n, hash });
  });

  test('is not known of a block without transactions, of another transaction, call or receiver', () => {
    expect(l1OriginOf([])).toBeNull();
    expect(l1OriginOf([Uint8Array.of(2, 0xc0)])).toBeNull();
    expect(l1OriginOf([Uint8Array.of(0x7e)])).toBeNull();
    expect(l1OriginOf([l1Deposit(1n, hash, 'deadbeef')])).toBeNull();
    expect(l1OriginOf([l1Deposit(1n, hash, '098999be', '11'.repeat(20))])).toBeNull();
  });

  test('is not known of one that is cut off or spoiled, whatever is left of it', () => {
    const whole = l1Deposit(7n, hash);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (length) => {
        expect(l1OriginOf([whole.subarray(0, length)])).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => l1OriginOf([Uint8Array.of(0x7e, ...bytes)])).not.toThrow();
      }),
    );
  });
});
