/**
 * URLs as logs, metrics and answers may show them. Providers put keys into the path or the query, others a user and a
 * password before the host; what tells one server from another are scheme, host and port.
 */

/** Scheme, host and port of a URL, as they are written; also of a text that is no URL. A file's name stays whole. */
export function shownUrl(url: string): string {
  if (/^\.{0,2}\/(?!\/)/.test(url)) return url;
  const [, scheme = '', authority = ''] = /^((?:[a-z][a-z0-9+.-]*:)?[/\\]*)([^/\\?#]*)/i.exec(url) ?? [];
  return scheme + authority.slice(authority.lastIndexOf('@') + 1);
}

/** A text of the server behind a URL, which may quote what it was asked for, without the URL's path and query. */
export function withoutPathOf(url: string, text: string): string {
  const [, path = '', query = ''] = /^[a-z]+:\/\/[^/?#]*\/*([^?#]*)([^#]*)/i.exec(url) ?? [];
  return [path + query, path].filter((part) => part !== '').reduce((rest, part) => rest.replaceAll(part, '…'), text);
}
