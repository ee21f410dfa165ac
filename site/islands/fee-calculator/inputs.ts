/**
 * The calculator's inputs as a table: what each is called, its range and its starting value. The
 * form, the address of a shared calculation and the checks all read it.
 */
import { transactionTypes, type FeeInputs } from './formula.ts';
import { readNumber } from './read-number.ts';

/** The day the starting prices are examples of; they are not live, and readers put in today's. */
const PRICES_DATE = '2026-11-21';

export interface NumberField {
  readonly id: keyof FeeInputs;
  readonly label: string;
  readonly hint: string;
  readonly min: number;
  readonly max: number;
  /** Whether 0, which means none at all, is allowed below `min`. */
  readonly isZeroNone?: true;
  readonly isWhole: boolean;
  readonly start: number;
  readonly group: 'chain' | 'prices' | 'batcher';
}

export interface ChoiceField {
  readonly id: keyof FeeInputs;
  readonly label: string;
  readonly hint: string;
  /** Value in the address, and label. */
  readonly options: readonly (readonly [string, string])[];
  readonly start: string;
  readonly group: 'chain' | 'batcher';
}

export type Field = NumberField | ChoiceField;

const YES_NO = [
  ['yes', 'Yes'],
  ['no', 'No'],
] as const;

export const fields: readonly Field[] = [
  {
    id: 'transactionsPerDay',
    label: 'Transactions per day',
    hint: 'User transactions; system transactions do not count.',
    min: 1,
    max: 1e9,
    isWhole: true,
    start: 500_000,
    group: 'chain',
  },
  {
    id: 'transactionType',
    label: 'Transactions are like those of',
    hint: 'Their average size and how well they compress.',
    options: transactionTypes.map(({ name }) => [name, name] as const),
    start: 'General OP Mainnet',
    group: 'chain',
  },
  {
    id: 'dataAvailability',
    label: 'Data availability',
    hint: 'Ethereum means blobs, or calldata where that is cheaper.',
    options: [
      ['ethereum', 'Ethereum'],
      ['alt-da', 'Alt-DA'],
    ],
    start: 'ethereum',
    group: 'chain',
  },
  {
    id: 'hasFaultProofs',
    label: 'Fault proofs',
    hint: 'A proposal costs more gas with fault proofs.',
    options: YES_NO,
    start: 'yes',
    group: 'chain',
  },
  {
    id: 'marginPercent',
    label: 'Target margin, %',
    hint: 'The share of the data fees that remains after costs.',
    min: 0,
    max: 99,
    isWhole: false,
    start: 5,
    group: 'chain',
  },
  {
    id: 'l1BaseFeeGwei',
    label: 'L1 base fee, gwei',
    hint: `The starting value is an example of ${PRICES_DATE}.`,
    min: 0,
    max: 1e5,
    isWhole: false,
    start: 1,
    group: 'prices',
  },
  {
    id: 'blobBaseFeeGwei',
    label: 'Blob base fee, gwei',
    hint: `The starting value is an example of ${PRICES_DATE}.`,
    min: 0,
    max: 1e5,
    isWhole: false,
    start: 0.01,
    group: 'prices',
  },
  {
    id: 'ethUsd',
    label: 'One ETH in USD',
    hint: `The starting value is an example of ${PRICES_DATE}.`,
    min: 0,
    max: 1e6,
    isWhole: false,
    start: 3000,
    group: 'prices',
  },
  {
    id: 'blobsPerTransactionMax',
    label: 'Blobs per L1 transaction, at most',
    hint: 'op-batcher’s target number of frames; L1 takes 6.',
    min: 1,
    max: 6,
    isWhole: true,
    start: 5,
    group: 'batcher',
  },
  {
    id: 'channelHours',
    label: 'Longest channel, hours',
    hint: 'op-batcher’s maximum channel duration.',
    min: 0.01,
    max: 24,
    isWhole: false,
    start: 5,
    group: 'batcher',
  },
  {
    id: 'proposalHours',
    label: 'Hours between proposals',
    hint: '0 if the chain does not pay for proposals.',
    min: 0.1,
    max: 8760,
    isZeroNone: true,
    isWhole: false,
    start: 1,
    group: 'batcher',
  },
  {
    id: 'includesProposals',
    label: 'Fees cover proposals',
    hint: 'Whether users also pay for state proposals. With calldata they do not, because the model leaves proposals out.',
    options: YES_NO,
    start: 'yes',
    group: 'batcher',
  },
];

const QUOTED_LENGTH_MAX = 40;

/** What stands in the form, as text; every field has one. */
export type FormText = Readonly<Record<string, string>>;

export const startText: FormText = Object.fromEntries(fields.map(({ id, start }) => [id, String(start)]));

/** What is wrong with one field, in a sentence; null when nothing is. */
export function complaintOf(field: Field, text: string): string | null {
  if ('options' in field) {
    return field.options.some(([value]) => value === text) ? null : `Choose one of the ${field.options.length}.`;
  }
  const value = readNumber(text, field.isWhole);
  if (typeof value === 'string') return value;
  if (value === 0 && field.isZeroNone === true) return null;
  if (value < field.min || value > field.max) {
    return `Enter ${field.isZeroNone === true ? '0, or ' : ''}a number from ${field.min} to ${field.max}.`;
  }
  if (field.isWhole && !Number.isInteger(value)) return 'Enter a whole number.';
  return null;
}

/** The inputs a form stands for; null while a field is wrong. */
export function readInputs(form: FormText): FeeInputs | null {
  if (fields.some((field) => complaintOf(field, form[field.id] ?? '') !== null)) return null;
  const number = (id: keyof FeeInputs): number => Number(plainText(id, form[id] ?? ''));
  const transactionType = transactionTypes.find(({ name }) => name === form['transactionType']);
  if (transactionType === undefined) return null;
  return {
    transactionsPerDay: number('transactionsPerDay'),
    transactionType,
    dataAvailability: form['dataAvailability'] === 'alt-da' ? 'alt-da' : 'ethereum',
    hasFaultProofs: form['hasFaultProofs'] === 'yes',
    marginPercent: number('marginPercent'),
    blobsPerTransactionMax: number('blobsPerTransactionMax'),
    channelHours: number('channelHours'),
    proposalHours: number('proposalHours'),
    includesProposals: form['includesProposals'] === 'yes',
    l1BaseFeeGwei: number('l1BaseFeeGwei'),
    blobBaseFeeGwei: number('blobBaseFeeGwei'),
    ethUsd: number('ethUsd'),
  };
}

/** A query string that names what differs from the start; empty when nothing does. Of a form without mistakes. */
export function toQuery(form: FormText): string {
  const texts: [string, string][] = fields.map(({ id }) => [id, plainText(id, form[id] ?? '')]);
  return new URLSearchParams(texts.filter(([id, text]) => text !== startText[id])).toString();
}

/** The form a query string stands for. Values out of range, and names that are no field, change nothing. */
export function fromQuery(query: string): FormText {
  const given = new URLSearchParams(query);
  return Object.fromEntries(
    fields.map((field) => {
      const text = given.get(field.id);
      return [field.id, text !== null && complaintOf(field, text) === null ? text : String(field.start)];
    }),
  );
}

/** A sentence for each value of a query string that could not be taken. */
export function complaintsOfQuery(query: string): string[] {
  const given = new URLSearchParams(query);
  return fields.flatMap((field) => {
    const text = given.get(field.id);
    if (text === null || complaintOf(field, text) === null) return [];
    return `The address has “${text.slice(0, QUOTED_LENGTH_MAX)}” for “${field.label}”, which is not a valid value; ${field.start} is used instead.`;
  });
}

/** A number as plain digits, however it was typed; any other text as it is. */
function plainText(id: string, text: string): string {
  const field = fields.find((one) => one.id === id);
  if (field === undefined || 'options' in field) return text;
  return String(readNumber(text, field.isWhole));
}
