/**
 * Ends a process when the devnet that started it is gone, even by kill −9: the devnet names its
 * process id in an environment variable, and the child looks whether that is still its parent.
 */

/** Holds the process id of the devnet; unset for processes started by hand. */
export const PARENT_VARIABLE = 'CONDUCTOR_DEVNET_PARENT';
/** Milliseconds between two looks. */
const LOOK_EVERY_MS = 500;
/** Exit code of an orphan. */
const ORPHAN_EXIT_CODE = 3;

/** Starts looking; does nothing in a process that no devnet started. */
export function exitWithParent(): void {
  const parent = Number(process.env[PARENT_VARIABLE] ?? 0);
  if (!Number.isSafeInteger(parent) || parent <= 1) {
    return;
  }
  const timer = setInterval(() => {
    if (process.ppid !== parent) {
      process.exit(ORPHAN_EXIT_CODE);
    }
  }, LOOK_EVERY_MS);
  timer.unref();
}
