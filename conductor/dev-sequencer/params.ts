/**
 * Positional JSON-RPC parameters from strangers, checked and turned into values. Each function
 * throws RpcError −32602 naming the argument.
 */
import { RpcError } from './json-rpc-server.ts';

/** A 32-byte hash, returned in lower case. */
export function hashParam(value: unknown, index: number): string {
  if (value === undefined) throw missing(index);
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(value)) {
    throw invalid(index, 'want a 32-byte hash as hex string with 0x prefix');
  }
  return value.toLowerCase();
}

/** A hex quantity ("0x1f") or a plain number, 0..2^53−1. */
export function quantityParam(value: unknown, index: number): number {
  if (value === undefined) throw missing(index);
  const isHex = typeof value === 'string' && /^0x[0-9a-fA-F]{1,14}$/.test(value);
  const number = isHex || typeof value === 'number' ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number) || number < 0) throw invalid(index, 'want a hex quantity such as 0x1f');
  return number;
}

/** A number within bounds, both included. */
export function boundedParam(value: unknown, index: number, min: number, max: number): number {
  if (value === undefined) throw missing(index);
  if (typeof value !== 'number' || !(value >= min && value <= max)) {
    throw invalid(index, `want a number from ${min} to ${max}`);
  }
  return value;
}

/** One of some words. */
export function wordParam<Word extends string>(value: unknown, index: number, words: readonly Word[]): Word {
  if (value === undefined) throw missing(index);
  const word = words.find((one) => one === value);
  if (word === undefined) throw invalid(index, `want one of ${words.join(', ')}`);
  return word;
}

/** A boolean; a missing one is true, so that dev_stallHead() means what it says. */
export function flagParam(value: unknown, index: number): boolean {
  if (value !== undefined && typeof value !== 'boolean') throw invalid(index, 'want true or false');
  return value ?? true;
}

function missing(index: number): RpcError {
  return new RpcError(`missing value for required argument ${index}`, -32602);
}

function invalid(index: number, reason: string): RpcError {
  return new RpcError(`invalid argument ${index}: ${reason}`, -32602);
}
