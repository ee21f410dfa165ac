/** Exit code of every command whose command line is wrong. */
export const exitUsage = 2;
