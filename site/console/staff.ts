/** Measures of the staves of a cluster's timeline, pixels of the drawing. */

/** Between two lines of a staff. */
export const LINE = 6;
/** Height of a staff. */
export const STAFF = 4 * LINE;
/** Above the first staff. */
export const TOP = 22;
/** From one server's staff to the next one's. */
export const PITCH = 58;

/** Five lines and the bar they begin with. */
export function staffPath(left: number, right: number): string {
  return `${[0, 1, 2, 3, 4].map((line) => `M${left} ${line * LINE}H${right}`).join('')}M${left} 0V${STAFF}`;
}

/** Where the staves begin: names stand before them. */
export function scoreLeft(width: number): number {
  return width < 560 ? 80 : 104;
}
