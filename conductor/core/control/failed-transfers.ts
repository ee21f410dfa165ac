/**
 * Peers that did not take the lead when it was offered, as one whose log takes longer to be brought up than a transfer may:
 * for a while it is offered to everybody else first.
 */
import type { Peer, TransferChoice } from './target.ts';

export class FailedTransfers {
  readonly #lastForMs: number;
  /** When the transfer to each failed, monotonic milliseconds; of members only, and not of long ago. */
  readonly #failedAtMs = new Map<string, number>();

  /** `lastForMs`: how long such a peer is put last. */
  constructor(lastForMs: number) {
    this.#lastForMs = lastForMs;
  }

  failed(id: string, nowMs: number): void {
    this.#failedAtMs.set(id, nowMs);
  }

  /** What `choose` makes of the others; else of those as well that failed longest ago. */
  putLast(peers: readonly Peer[], nowMs: number, choose: (peers: readonly Peer[]) => TransferChoice): TransferChoice {
    for (const [id, atMs] of this.#failedAtMs) if (nowMs - atMs >= this.#lastForMs) this.#failedAtMs.delete(id);
    const failedAtMs = ({ id }: Peer): number => this.#failedAtMs.get(id) ?? -Infinity;
    const newestFirst = peers
      .filter(({ id }) => this.#failedAtMs.has(id))
      .toSorted((a, b) => failedAtMs(b) - failedAtMs(a));
    for (let count = newestFirst.length; count > 0; count--) {
      const last = newestFirst.slice(0, count);
      const choice = choose(peers.filter((peer) => !last.includes(peer)));
      if (choice.kind !== 'none') return { ...choice, exclude: [...choice.exclude, ...last.map(({ id }) => id)] };
    }
    return choose(peers);
  }
}
