/** Below this many bytes two views cost more than they save. */
const viewedBytesMin = 256;

/** Whether two arrays hold the same bytes. Four at a time: an entry of a log may be megabytes, and is compared in the loop. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  const { length } = left;
  if (length !== right.length) return false;
  let at = 0;
  if (length >= viewedBytesMin) {
    const lefts = new DataView(left.buffer, left.byteOffset, length);
    const rights = new DataView(right.buffer, right.byteOffset, length);
    for (; at + 4 <= length; at += 4) if (lefts.getUint32(at) !== rights.getUint32(at)) return false;
  }
  for (; at < length; at++) if (left[at] !== right[at]) return false;
  return true;
}
