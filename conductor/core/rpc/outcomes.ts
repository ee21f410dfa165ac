/** Outcomes of calls in the forms that op-node and the operators' tools expect (rule 5). */
import type { HeldBlock } from '../payload/admission.ts';
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

/** Nothing was appended, or it can never commit. `held` is the block that stands in the way, as `committed` or `pending`. */
export function refused(message: string, reason: string, held?: HeldBlock): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message, data: outcomeData('refused', reason, held) };
}

/** It may still commit: the caller must not take it for refused. */
export function unknown(message: string, reason: string): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message, data: outcomeData('unknown', reason) };
}

function outcomeData(outcome: string, reason: string, held?: HeldBlock): string {
  const block =
    held === undefined
      ? {}
      : { [held.committed ? 'committed' : 'pending']: { number: `0x${held.number.toString(16)}`, hash: held.hash } };
  return JSON.stringify({ outcome, reason, ...block });
}
