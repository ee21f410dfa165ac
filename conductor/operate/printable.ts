/** Text from outside without characters that would steer a terminal: whatever is shown or logged goes through here. */

/** Control characters and line separators become spaces. */
export function printable(text: string): string {
  return text.replaceAll(control, ' ');
}

/** Whether a text has such characters. */
export function isPrintable(text: string): boolean {
  return text.search(control) < 0;
}

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g;
