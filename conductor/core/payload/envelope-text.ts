/**
 * Envelopes as JSON text, for nodes and clients. The transactions are nearly all of it, so they are joined as hex
 * instead of going through JSON.stringify, which would look at every digit: a sixth of the time for a megabyte.
 */
import { formatEnvelope, formatPayload, type Envelope, type ExecutionPayload } from './envelope.ts';

/** What JSON.stringify(formatEnvelope(envelope)) gives. */
export function envelopeText(envelope: Envelope): string {
  const { executionPayload } = envelope;
  const around = formatEnvelope({ ...envelope, executionPayload: { ...executionPayload, transactions: [] } });
  return withTransactions(JSON.stringify(around), executionPayload.transactions);
}

/** What JSON.stringify(formatPayload(payload)) gives. */
export function payloadText(payload: ExecutionPayload): string {
  return withTransactions(JSON.stringify(formatPayload({ ...payload, transactions: [] })), payload.transactions);
}

/** All other values are hex, so the empty list stands in the text once. */
function withTransactions(text: string, transactions: readonly Uint8Array[]): string {
  const list = '"transactions":[';
  const at = text.indexOf(list) + list.length;
  let joined = text.slice(0, at);
  for (let one = 0; one < transactions.length; one++) {
    joined += `${one === 0 ? '' : ','}"0x${transactions[one]!.toHex()}"`;
  }
  return joined + text.slice(at);
}
