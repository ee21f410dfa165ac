/** The path that a request asks for. It is read before Vite sees the request, which throws at some that are none. */

/** Decoded. Null for what is no address: half an escape, or a host that cannot be one. */
export function requestPath(url: string): string | null {
  try {
    return decodeURIComponent(new URL(url, 'http://localhost').pathname);
  } catch {
    return null;
  }
}
