/**
 * Checks for programmer errors, on in production: where a message enters, where state is
 * persisted and where it is applied. What the outside world can cause is not asserted but
 * answered with a typed error (errors.ts).
 */

/** A broken invariant of this program. Never caught to go on: the state can no longer be trusted. */
class AssertionError extends Error {
  readonly code = 'assertion';
  override readonly name = 'AssertionError';
}

/** Throws AssertionError unless `condition` holds; `mustHold` says what must hold. */
export function assert(condition: unknown, mustHold: string): asserts condition {
  if (!condition) throw new AssertionError(`assertion failed: ${mustHold}`);
}
