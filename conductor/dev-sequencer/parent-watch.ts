/**
 * Ends a process when the one that started it is gone, even by kill −9: the parent (a devnet, or npm for the devnet
 * itself) is named by process id in an environment variable, and the child looks whether that is still its parent.
 */

/** Holds the process id of the parent; unset for processes started by hand. */
export const PARENT_VARIABLE = 'CONDUCTOR_DEVNET_PARENT';
/** Milliseconds between two looks. */
const LOOK_EVERY_MS = 500;
/** Exit code of an orphan. */
const ORPHAN_EXIT_CODE = 3;

/** Exits with the parent; does nothing in a process that was started by hand. */
export function exitWithParent(): void {
  watchParent(() => process.exit(ORPHAN_EXIT_CODE));
}

/** Calls back once when the parent named in the environment is gone; never in a process that was started by hand. */
export function watchParent(orphaned: () => void): void {
  const parent = Number(process.env[PARENT_VARIABLE] ?? 0);
  if (!Number.isSafeInteger(parent) || parent <= 1) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    orphaned();
  }, LOOK_EVERY_MS).unref();
}
