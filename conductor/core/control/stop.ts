/**
 * Stops the own sequencer, and reads whether it runs. Stopping is idempotent: a sequencer that says
 * it is not running is stopped. The caller repeats it until it is confirmed.
 */
import { resetPipeline, sequencerActive, stopSequencer, stopTimeoutMs } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';

export type StopOutcome =
  | { readonly kind: 'stopped'; readonly wasRunning: boolean }
  | { readonly kind: 'retry'; readonly message: string };

/** Longest wait for a stop before leadership is handed over all the same, milliseconds. */
export const stopBeforeTransferMs = {
  otherwise: 1000,
  /** Its block was refused: nothing is under way that a stop could be waiting for with profit. */
  refused: 200,
  /** Its head stands: a sequencer that hangs often cannot be stopped either. */
  standing: 300,
} as const;

/** One attempt to stop the sequencer. */
export function* stop(timeoutMs: number = stopTimeoutMs): Steps<StopOutcome> {
  const answer = yield* call(stopSequencer(timeoutMs));
  if (answer.kind === 'result') return { kind: 'stopped', wasRunning: true };
  if (answer.message.includes('sequencer not running')) return { kind: 'stopped', wasRunning: false };
  return { kind: 'retry', message: answer.message };
}

/** A stop that takes longer than a commit that is under way waits for something else, milliseconds. */
const dropTimeoutMs = 600;

/**
 * Has op-node drop the block that it is building, by a stop. op-node's stop waits until the last block that it published
 * is its head, while its conductor says that it leads: after an earlier leadership that is a block of that time, which
 * never is again (sequencer.go, Stop). A reset makes it forget that block, and its job. `mayGoOn`: an operator may have taken
 * over while the stop was waited for.
 */
export function* dropJob(mayGoOn: () => boolean): Steps<StopOutcome> {
  const outcome = yield* stop(dropTimeoutMs);
  if (outcome.kind === 'stopped' || !mayGoOn()) return outcome;
  yield* call(resetPipeline);
  return yield* stop(dropTimeoutMs);
}

/** Reads whether the sequencer runs; null with a text when the node did not say. */
export function* readActive(): Steps<{ readonly active: boolean | null; readonly message: string }> {
  const answer = yield* call(sequencerActive);
  if (answer.kind === 'result' && typeof answer.value === 'boolean') return { active: answer.value, message: '' };
  if (answer.kind === 'result')
    return { active: null, message: 'the node answered admin_sequencerActive with something else than a boolean' };
  return { active: null, message: answer.message };
}
