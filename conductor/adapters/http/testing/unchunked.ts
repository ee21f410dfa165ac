/** The text of a body that comes in chunks, each after its length; as much of it as is whole. */
export function unchunked(bytes: Buffer): string {
  let text = '';
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = lineEnd === -1 ? 0 : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (!(size > 0)) return text;
    text += bytes.toString('utf8', lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
}
