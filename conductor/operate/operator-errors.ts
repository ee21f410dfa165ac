/** The errors that end an operators' command with a sentence instead of a stack. */

/** The command line asks for something that cannot be; the message says what to write instead. */
export class OperatorUsageError extends Error {
  readonly code = 'USAGE';
}

/** A check says no before anything was done; ends with exit code 3. */
export class RefusedError extends Error {
  readonly code = 'REFUSED';
}
