/**
 * A process that stood still itself (a slow disk, a busy machine) finds its timers due before it has read what came
 * meanwhile: that is read before anything is concluded from silence (rule 34).
 */

/** Coming back so much later than was due means that what came meanwhile lies unread, milliseconds. */
export const LATE_MS = 20;
/** How long reading it may take, milliseconds. */
export const READING_MS = 5;
