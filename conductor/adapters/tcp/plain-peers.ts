/**
 * Peers that refused our certificate after the handshake, in mixed mode: only then do they say so, when the dial has
 * long succeeded, so the next dial has to remember it. For a while, so that a renewed certificate is used.
 */
import type { Failure } from './failure.ts';

/** Long enough for the dials of all channels, short for whoever waits for TLS. */
const MEMORY_MS = 5_000;

export class PlainPeers {
  readonly #isMixed: boolean;
  readonly #now: () => number;
  readonly #untilMs = new Map<string, number>();

  constructor(isMixed: boolean, now: () => number) {
    this.#isMixed = isMixed;
    this.#now = now;
  }

  /** Should a dial go without TLS at once? */
  has(peerId: string): boolean {
    const untilMs = this.#untilMs.get(peerId);
    if (untilMs === undefined) return false;
    if (this.#now() < untilMs) return true;
    this.#untilMs.delete(peerId);
    return false;
  }

  /** A connection ended; a plain one may have ended because the peer wants TLS by now. */
  lost(peerId: string, { reason }: Failure, wasTls: boolean): void {
    if (!this.#isMixed) return;
    if (!wasTls) this.#untilMs.delete(peerId);
    else if (reason === 'unauthorized') this.#untilMs.set(peerId, this.#now() + MEMORY_MS);
  }
}
