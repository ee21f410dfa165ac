/** Outcomes of calls in the forms that op-node and the operators' tools expect (rule 5). */
import { ErrorCode, encodeText, type Outcome } from './message.ts';

export const nothing: Outcome = { kind: 'result', json: 'null' };

/** A result of plain JSON values. */
export function result(value: unknown): Outcome {
  return { kind: 'result', json: typeof value === 'string' ? encodeText(value) : JSON.stringify(value) };
}

/** -32000 without data, as most of op-conductor's errors. */
export function failed(message: string): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message };
}

export function invalidParams(message: string): Outcome {
  return { kind: 'error', code: ErrorCode.invalidParams, message };
}

/** A block named in an error. */
export interface NamedBlock {
  readonly number: bigint;
  readonly hash: string;
}

/** Nothing was appended, or it can never commit. `committed` names the block that stands in the way. */
export function refused(message: string, reason: string, committed?: NamedBlock): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message, data: outcomeData('refused', reason, committed) };
}

/** It may still commit: the caller must not take it for refused. */
export function unknown(message: string, reason: string): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message, data: outcomeData('unknown', reason) };
}

function outcomeData(outcome: string, reason: string, committed?: NamedBlock): string {
  const block =
    committed === undefined
      ? {}
      : { committed: { number: `0x${committed.number.toString(16)}`, hash: committed.hash } };
  return JSON.stringify({ outcome, reason, ...block });
}
