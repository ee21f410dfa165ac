/** What can happen to one server, in its own terms: the others are peer 1 and peer 2, the next and the one before in the ring. */

/** What goes in order, ballots and appends; heartbeats decide nothing and never arrive, and nothing needs a snapshot. */
export type Lane = 'vote' | 'replicate';
export const lanes: readonly Lane[] = ['vote', 'replicate'];

export type Input =
  /** Its election timer runs out. */
  | { readonly kind: 'timeout' }
  /** It is told to take over. */
  | { readonly kind: 'handOver' }
  /** A leader's short timers run out: what it was to try again or to tell. */
  | { readonly kind: 'wait' }
  /** A leader hears nobody for longer than its lease. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'propose'; readonly text: string }
  /** `message` is the number of one in Messages. */
  | { readonly kind: 'request'; readonly from: number; readonly lane: Lane; readonly message: number }
  /** The answer to the oldest request on a lane. */
  | { readonly kind: 'response'; readonly from: number; readonly lane: Lane; readonly message: number }
  /** Everything that waits on a lane fails. */
  | { readonly kind: 'failed'; readonly from: number; readonly lane: Lane };

/** The same to a server's mirror image, whose peers have each other's names. */
export function mirrored(input: Input): Input {
  return 'from' in input ? { ...input, from: 3 - input.from } : input;
}

const kinds = ['timeout', 'handOver', 'wait', 'stall', 'propose', 'request', 'response', 'failed'] as const;

/** A number of its own for each different input. */
export function inputNumber(input: Input): number {
  const kind = kinds.indexOf(input.kind);
  if (input.kind === 'propose') return kind + kinds.length * Number(input.text);
  if (!('from' in input)) return kind;
  const message = 'message' in input ? input.message + 1 : 0;
  return kind + kinds.length * (laneNumber(input.from, input.lane) + LANES * message);
}

/** A number for a lane to a peer, 0..3. */
export function laneNumber(peer: number, lane: Lane): number {
  return 2 * peer - (lane === 'vote' ? 2 : 1);
}

const LANES = 4;
