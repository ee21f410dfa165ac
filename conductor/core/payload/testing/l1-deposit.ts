/** The deposit that opens a block and names its L1 origin, with zeros for whatever else it holds. */
const L1_BLOCK = `42${'0'.repeat(34)}0015`;
const ISTHMUS = '098999be';

/** `hash`: "0x" and 64 digits. `selector` without "0x"; `to` another receiver than the L1Block predeploy. */
export function l1Deposit(number: bigint, hash: string, selector = ISTHMUS, to = L1_BLOCK): Uint8Array {
  const nothing = '80';
  const data = `${selector}${'0'.repeat(48)}${number.toString(16).padStart(16, '0')}${'0'.repeat(128)}${hash.slice(2)}`;
  const padded = data.padEnd(2 * 176, '0');
  const fields = [`a0${'0'.repeat(64)}`, `94${'0'.repeat(40)}`, `94${to}`, nothing, nothing, '830f4240', nothing];
  const body = `${fields.join('')}b8b0${padded}`;
  return Uint8Array.fromHex(`7ef9${(body.length / 2).toString(16).padStart(4, '0')}${body}`);
}
