/** How long a hand-over may be under way, world milliseconds: an election timeout by a clock of half speed. */
export const UNDER_WAY_MAX_MS = 2500;
