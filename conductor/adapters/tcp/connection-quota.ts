/**
 * Who gets a connection when there are too many: bounds per address and in all. A connection that was
 * never heard (no whole request, or no TLS handshake) gives way to a new one, so that whoever only
 * opens connections cannot keep out the conductors, which send a request as soon as they are connected.
 * Then the one that has been silent the longest does, so that one request does not keep a place for ever:
 * a leader is heard several times a second, and whoever asks for votes dials again.
 */
import type { InboundConnection } from './inbound-connection.ts';
import type { TcpLimits } from './limits.ts';

/** `full`: the new connection is refused. `displace`: the named one is closed in its favour. */
export type QuotaVerdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'full'; readonly max: number }
  | { readonly kind: 'displace'; readonly connection: InboundConnection; readonly max: number };

type QuotaLimits = Pick<TcpLimits, 'inboundConnectionsMax' | 'inboundPerAddressMax' | 'silentMs'>;

export class ConnectionQuota {
  readonly #limits: QuotaLimits;
  readonly #byAddress = new Map<string, number>();

  constructor(limits: QuotaLimits) {
    this.#limits = limits;
  }

  /** Judges a new connection from `address` beside those that are open. */
  judge(address: string, open: ReadonlyMap<number, InboundConnection>, nowMs: number): QuotaVerdict {
    const { inboundConnectionsMax, inboundPerAddressMax, silentMs } = this.#limits;
    const isAddressFull = (this.#byAddress.get(address) ?? 0) >= inboundPerAddressMax;
    if (!isAddressFull && open.size < inboundConnectionsMax) return { kind: 'free' };
    const max = isAddressFull ? inboundPerAddressMax : inboundConnectionsMax;
    const among = isAddressFull ? address : null;
    const connection = oldestContact(open.values(), among) ?? longestSilent(open.values(), among, nowMs - silentMs);
    return connection === null ? { kind: 'full', max } : { kind: 'displace', connection, max };
  }

  opened(address: string): void {
    this.#byAddress.set(address, (this.#byAddress.get(address) ?? 0) + 1);
  }

  closed(address: string): void {
    const left = (this.#byAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}

/** Of the connections never heard (of one address, or of all for null) the one with the fewest bytes, the oldest of equals. */
function oldestContact(connections: Iterable<InboundConnection>, address: string | null): InboundConnection | null {
  let least: InboundConnection | null = null;
  for (const one of connections) {
    if (one.hasDelivered || (address !== null && one.remoteAddress !== address)) continue;
    if (least === null || one.heldBytes < least.heldBytes) least = one;
    // Connections come in the order of their age: nothing better follows.
    if (least.heldBytes === 0) return least;
  }
  return least;
}

/** Of the connections that wait for no answer of ours, and of which nothing came since `sinceMs`, the one silent the longest. */
function longestSilent(
  connections: Iterable<InboundConnection>,
  address: string | null,
  sinceMs: number,
): InboundConnection | null {
  let longest: InboundConnection | null = null;
  for (const one of connections) {
    if (one.awaitedId !== null || (address !== null && one.remoteAddress !== address)) continue;
    if (one.receivedMs <= (longest?.receivedMs ?? sinceMs)) longest = one;
  }
  return longest;
}
