/** A URL as logs and messages may show it: without the user and password that it may hold. Also of a text that is no URL. */
export function withoutUser(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//');
}
