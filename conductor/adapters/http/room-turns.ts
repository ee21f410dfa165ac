/**
 * Whose turn it is among those that wait for room. The address that was served least recently comes first, so that
 * nobody shuts others out by many connections. Of one address, as all have it behind a proxy, the newest and the oldest
 * go by turns, so that neither holding connections open nor sending again and again does.
 */

/** Addresses that are remembered; of more the one served least recently counts as one that never was. */
const addressesMax = 1024;

interface Caller {
  readonly address: string;
}

export class RoomTurns {
  /** Addresses, the one served least recently first, and whether its oldest is next. */
  readonly #served = new Map<string, boolean>();
  /** The same of all addresses that were never served. */
  #isOldestNext = false;

  /** The one whose turn it is of those that wait, the oldest first; there is one. */
  next<T extends Caller>(waiting: readonly T[]): T {
    const strangers = waiting.filter(({ address }) => !this.#served.has(address));
    if (strangers.length > 0) return strangers.at(this.#isOldestNext ? 0 : -1)!;
    const byAddress = Map.groupBy(waiting, ({ address }) => address);
    for (const [address, isOldestNext] of this.#served) {
      const ofAddress = byAddress.get(address);
      if (ofAddress !== undefined) return ofAddress.at(isOldestNext ? 0 : -1)!;
    }
    return waiting[0]!;
  }

  /** The one to be turned out where too many wait: the oldest of the address whose turn comes last. */
  last<T extends Caller>(waiting: readonly T[]): T {
    const byAddress = Map.groupBy(waiting, ({ address }) => address);
    const address = [...this.#served.keys()].findLast((each) => byAddress.has(each));
    return (address === undefined ? waiting : byAddress.get(address)!)[0]!;
  }

  /** It has room now, at once or after it has waited. */
  served({ address }: Caller, hasWaited: boolean): void {
    const known = this.#served.get(address);
    const wasOldestNext = known ?? this.#isOldestNext;
    if (known === undefined && hasWaited) this.#isOldestNext = !wasOldestNext;
    this.#served.delete(address);
    this.#served.set(address, hasWaited ? !wasOldestNext : (known ?? false));
    if (this.#served.size > addressesMax) this.#served.delete(this.#served.keys().next().value!);
  }
}
