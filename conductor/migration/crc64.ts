/**
 * CRC-64 with the ECMA polynomial, reflected (CRC-64/XZ), as Go's hash/crc64 computes it for snapshots.
 * In halves of 32 bits, because 64-bit numbers are slow here.
 */

const POLYNOMIAL = 0xc96c5795d7870f42n;
const table = makeTable();

/** The eight bytes of the sum, big-endian. */
export function crc64(bytes: Uint8Array): Uint8Array {
  const { high: highs, low: lows } = table;
  let high = 0xffffffff;
  let low = 0xffffffff;
  for (const byte of bytes) {
    const at = (low ^ byte) & 0xff;
    low = ((low >>> 8) | (high << 24)) ^ lows[at]!;
    high = (high >>> 8) ^ highs[at]!;
  }
  const sum = new Uint8Array(8);
  const view = new DataView(sum.buffer);
  view.setUint32(0, ~high >>> 0);
  view.setUint32(4, ~low >>> 0);
  return sum;
}

function makeTable(): { readonly high: Int32Array; readonly low: Int32Array } {
  const high = new Int32Array(256);
  const low = new Int32Array(256);
  for (let at = 0; at < 256; at += 1) {
    let value = BigInt(at);
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1n) === 1n ? (value >> 1n) ^ POLYNOMIAL : value >> 1n;
    high[at] = Number(BigInt.asIntN(32, value >> 32n));
    low[at] = Number(BigInt.asIntN(32, value));
  }
  return { high, low };
}
