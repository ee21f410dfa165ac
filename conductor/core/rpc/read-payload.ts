/**
 * From the JSON of an envelope to the bytes that go into the log: what does not depend on the log is checked
 * here, before a payload may wait for anything.
 */
import type { Envelope } from '../payload/envelope.ts';
import { EnvelopeError, parseEnvelope } from '../payload/parse-envelope.ts';
import { checkSsz, SszError } from '../payload/ssz-check.ts';
import { encodeSsz, NO_WITHDRAWALS } from '../payload/ssz.ts';

/** 'invalid': the parameters are at fault (-32602). 'malformed': they are in order, but make no payload. */
export type PayloadReading =
  | { readonly kind: 'read'; readonly envelope: Envelope; readonly ssz: Uint8Array }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'malformed'; readonly message: string };

/** Takes the parsed JSON of an envelope. */
export function readPayload(json: unknown): PayloadReading {
  const envelope = parseEnvelope(json);
  if (envelope instanceof EnvelopeError) return { kind: 'invalid', message: `invalid argument 0: ${envelope.message}` };
  const ssz = encodeSsz(envelope);
  if (!(ssz instanceof SszError)) return { kind: 'read', envelope, ssz };
  if (ssz.message === NO_WITHDRAWALS) {
    const message = 'invalid argument 0: executionPayload has no withdrawals, which a payload of its version needs';
    return { kind: 'invalid', message };
  }
  return { kind: 'malformed', message: `failed to marshal payload envelope: ${ssz.message}` };
}

/** Why such an entry may not enter the log: other servers would stop at it. Null when all can read it. */
export function whyUnsupported(ssz: Uint8Array): string | null {
  const readable = checkSsz(ssz);
  if (!(readable instanceof SszError)) return null;
  return `no state machine can read this payload, so it must not be published: ${readable.message}`;
}
