/** What a call offers to the log. */
import type { Call } from '../observer.ts';

/** The hash of the block that a call offers; null for other calls. */
export function offered({ method, values }: Call): string | null {
  if (method !== 'conductor_commitUnsafePayload') return null;
  const [envelope] = values as readonly { readonly payload?: { executionPayload?: { blockHash?: string } } }[];
  return envelope?.payload?.executionPayload?.blockHash ?? null;
}
