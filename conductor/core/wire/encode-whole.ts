/** Runs a writer and returns what it wrote as one array, for values that are stored or embedded rather than sent. */
import { MsgpackWriter } from './msgpack-writer.ts';

const writer = new MsgpackWriter();

/** One msgpack value. Throws WireError 'unencodable' for what `write` cannot encode. */
export function encodeWhole(write: (to: MsgpackWriter) => void): Uint8Array {
  try {
    write(writer);
    return joined(writer.finish());
  } catch (error) {
    writer.reset();
    throw error;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
