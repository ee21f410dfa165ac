/**
 * A check said no, and nothing was changed: thrown by everything in this folder beside the errors of the stores
 * themselves. The message says what was found, why going on would be unsafe, and what to do instead.
 */
import { restoreAdvice, StoreError } from '#conductor/adapters/sqlite/store-error';

/**
 * missing: no store there. foreign: op-conductor's, or no store at all. exists: something would be overwritten.
 * running: a conductor has it open. version: a newer release wrote it. identity: of another server.
 * damaged: it cannot be read whole. space: the disk has no room. unsafe: the cluster forbids it.
 */
export type RefusalCode =
  | 'missing'
  | 'foreign'
  | 'exists'
  | 'running'
  | 'version'
  | 'identity'
  | 'damaged'
  | 'space'
  | 'unsafe';

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** What of a store cannot be trusted, without what a server that has peers does about it; null for any other error. */
export function damageIn(error: unknown): string | null {
  const isDamage =
    (error instanceof Refusal && error.code === 'damaged') || (error instanceof StoreError && error.code === 'corrupt');
  return isDamage ? error.message.replaceAll(restoreAdvice, '').trim() : null;
}
