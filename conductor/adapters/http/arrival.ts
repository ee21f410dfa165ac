/** A body on its way: how it ends, and what it tells the bookkeeper of all that arrive. */
import type { BodyRoom } from './body-room.ts';

/** A body, or why there is none. */
export type ReceivedBody =
  | {
      readonly kind: 'whole';
      /** Valid until `release`. */
      readonly bytes: Uint8Array;
      /** Gives back the memory of the body; nothing where that was done. */
      release(): void;
      /** Others have waited for its room for so long that no more of its calls are to be run. */
      isOverdue(): boolean;
      /** Its request is answered: gives up its room. */
      leave(): void;
    }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'given-up'; readonly why: GivenUp }
  /** Nobody is there to be answered. */
  | { readonly kind: 'gone' };

/** 'memory': others needed the room. 'slow': it took too long. */
export type GivenUp = 'memory' | 'slow';

/** A body that is arriving. */
export interface Arrival {
  /** Since when it has been waited for, monotonic milliseconds. */
  sinceMs: number;
  /** Counted against the bound for small bodies. */
  bytes: number;
  giveUp(why: GivenUp): void;
}

/** The bookkeeper (arriving-bodies.ts). */
export interface ArrivalHost {
  readonly bodyBytesMax: number;
  /** Bodies that may become larger need room. */
  readonly roomlessBytesMax: number;
  readonly room: BodyRoom;
  /** Begins its time; it holds nothing yet. */
  add(arrival: Arrival): void;
  remove(arrival: Arrival): void;
  /** It is whole and cannot be given up any more; what it holds counts until the result is called, once or more. */
  settle(arrival: Arrival): () => void;
  /** It holds so many bytes now. It, or others, may be given up before this returns. */
  hold(arrival: Arrival, bytes: number): void;
  giveUp(arrival: Arrival, why: GivenUp): void;
}
