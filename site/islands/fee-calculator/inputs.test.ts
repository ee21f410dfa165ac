import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { complaintOf, complaintsOfQuery, fields, fromQuery, readInputs, startText, toQuery } from './inputs.ts';

describe('inputs', () => {
  it('starts with values that are all in range', () => {
    for (const field of fields) expect(complaintOf(field, startText[field.id] ?? '')).toBeNull();
    expect(readInputs(startText)).not.toBeNull();
  });

  it('an untouched form needs no query', () => {
    expect(toQuery(startText)).toBe('');
    expect(fromQuery('')).toEqual(startText);
  });

  it('a shared address brings back the same form', () => {
    const form = { ...startText, transactionsPerDay: '1200', transactionType: 'Mode', includesProposals: 'no' };
    expect(fromQuery(toQuery(form))).toEqual(form);
  });

  it.each([
    ['transactionsPerDay', '', 'Enter a number.'],
    ['transactionsPerDay', '1.5', 'Enter a whole number.'],
    ['transactionsPerDay', '0', 'Enter a number from 1 to 1000000000.'],
    ['marginPercent', '100', 'Enter a number from 0 to 99.'],
    ['channelHours', '0', 'Enter a number from 0.01 to 24.'],
    ['ethUsd', 'Infinity', 'Enter a number: digits, and a point before decimals.'],
    ['marginPercent', '99.999', 'Enter a number from 0 to 99.'],
    ['proposalHours', '0.0000001', 'Enter 0, or a number from 0.1 to 8760.'],
    ['blobsPerTransactionMax', '0x5', 'Enter a number in decimal digits, not in hexadecimal ones.'],
    ['dataAvailability', 'plasma', 'Choose one of the 2.'],
  ])('%s refuses %j with a sentence', (id, text, complaint) => {
    const field = fields.find((one) => one.id === id);
    expect(field && complaintOf(field, text)).toBe(complaint);
    expect(readInputs({ ...startText, [id]: text })).toBeNull();
  });

  it('a number with marked thousands is the plain one in the address', () => {
    const form = { ...startText, transactionsPerDay: '1,000,000' };
    expect(readInputs(form)?.transactionsPerDay).toBe(1_000_000);
    expect(toQuery(form)).toBe('transactionsPerDay=1000000');
    expect(toQuery({ ...startText, transactionsPerDay: '500 000' })).toBe('');
  });

  it('says which values of an address could not be taken', () => {
    expect(complaintsOfQuery('marginPercent=100&ethUsd=2000&nonsense=1')).toEqual([
      'The address has “100” for “Target margin, %”, which is not a valid value; 5 is used instead.',
    ]);
  });

  it('no address, however made, breaks the form', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...fields.map(({ id }) => id as string), '__proto__'), fc.string())),
        (pairs) => {
          expect(readInputs(fromQuery(new URLSearchParams(pairs).toString()))).not.toBeNull();
        },
      ),
    );
  });
});
