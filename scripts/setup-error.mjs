/** What set-up tells the user when it cannot go on. Plain Node ≥ 20: this runs before anything is installed. */

/** Something the reader can act on; printed without a stack. */
export class SetupError extends Error {}

const LINES_SHOWN = 8;

/**
 * What to check when fetching failed, and the end of what the program said.
 *
 * @param {string} output
 */
export function networkAdvice(output) {
  const lastLines = output.split('\n').slice(-LINES_SHOWN).join('\n  ');
  return (
    'The first run needs the network, with the registry and proxy npm is configured for; later runs do not. ' +
    `What was said:\n  ${lastLines}`
  );
}
