/** The deprecated list of voters in a snapshot request. Go still sends it, nothing current reads it. */
import { encodeWhole } from './encode-whole.ts';

/** A msgpack array of voter addresses, in the order of the configuration. */
export function encodePeers(addresses: readonly string[]): Uint8Array {
  return encodeWhole((to) => {
    to.arrayHeader(addresses.length);
    for (const address of addresses) to.text(address);
  });
}
