/** Times and counts as operators read them. */

/** "12 ms", "1.84 s", "3 min". */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return age(ms);
}

/** How long ago, coarse: "4 s", "3 min", "5 h", "2 d". */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** The reader's own zone, to the second. */
export function clock(atMs: number): string {
  return new Date(atMs).toTimeString().slice(0, 8);
}

/** The reader's own zone and UTC, to the millisecond. */
export function moment(atMs: number): string {
  const date = new Date(atMs);
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${clock(atMs)}.${ms} (UTC ${date.toISOString().slice(11, 23)})`;
}

/** The day, in the reader's own zone. */
export function day(atMs: number): string {
  return new Date(atMs).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
}

/** A number with thin spaces between thousands. */
export function grouped(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, '\u202F');
}

export function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
