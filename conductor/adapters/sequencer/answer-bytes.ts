/**
 * The bytes of answers, and when they are read. Each kind of answer has a bound, and all of them together, until they
 * have been read for their values. One that is not small has a turn of the event loop for itself: anybody may have
 * blocks proxied, and a hundred of them that are complete at once must not take the time of a leader's lease.
 */
import type { NodeRequest } from '#conductor/core/node/calls';
import { BodyTurns, pacedBytesMin } from '../http/body-turns.ts';

/** Largest answer that is passed on: a block of 20 MB with all its transactions as JSON. */
const verbatimBytesMax = 64 * 1024 * 1024;
/** Largest answer about a block: a header with the hashes of 450 000 transactions, or ten bad blocks as a whole. */
const blockBytesMax = 32 * 1024 * 1024;
/** L1 may be anybody's; a header with the hashes of 60 000 transactions. */
const l1BytesMax = 4 * 1024 * 1024;
/** Any other answer is some kilobytes. */
const otherBytesMax = 1024 * 1024;
/** Answers all together, in bytes; those that come on top are given up. */
const heldBytesMax = 256 * 1024 * 1024;

/** Answers of ours do not wait behind those that others asked for. */
const turns = { own: new BodyTurns(), passedOn: new BodyTurns() };

/** Bytes of answers that are not read for their values yet. */
let heldBytes = 0;

/** An answer's bytes; they count until it is disposed of. */
export interface AnswerBytes extends Disposable {
  readonly bytes: Buffer;
}

/** The whole body, when it is its turn to be read; what is wrong with it when it is too large or compressed. */
export async function answerBytes(request: NodeRequest, response: Response): Promise<AnswerBytes | string> {
  const coding = response.headers.get('Content-Encoding') ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    await response.body?.cancel();
    return `the answer of ${request.method} is compressed (${coding.slice(0, 20)}), which the request forbids`;
  }
  const bytesMax = bytesMaxOf(request);
  const body = await readBounded(response, bytesMax);
  if (body === null)
    return `the answer of ${request.method} is larger than ${bytesMax} bytes, or all answers together than ${heldBytesMax}`;
  if (body.bytes.length >= pacedBytesMin) await turn(request.isVerbatim === true ? turns.passedOn : turns.own);
  return body;
}

function bytesMaxOf({ target, method, isVerbatim }: NodeRequest): number {
  if (isVerbatim === true) return verbatimBytesMax;
  if (target === 'l1') return l1BytesMax;
  return /^eth_getBlockBy|^debug_getBadBlocks$/.test(method) ? blockBytesMax : otherBytesMax;
}

function turn(of: BodyTurns): Promise<void> | undefined {
  return of.take() ? undefined : new Promise((resolve) => of.queue(resolve));
}

/** null when it is larger than the bound, or than what is left for all of them. */
async function readBounded(response: Response, bytesMax: number): Promise<AnswerBytes | null> {
  if (Number(response.headers.get('Content-Length') ?? 0) > bytesMax) {
    await response.body?.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const release = (): void => {
    heldBytes -= length;
    length = 0;
  };
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      heldBytes += chunk.length;
      if (length > bytesMax || heldBytes > heldBytesMax) {
        release();
        return null; // Leaving the loop cancels the stream.
      }
      chunks.push(chunk);
    }
    return { bytes: Buffer.concat(chunks), [Symbol.dispose]: release };
  } catch (thrown) {
    release();
    throw thrown;
  }
}
