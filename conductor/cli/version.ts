/** What this binary is: the version of the package, and what it was built from. */

/** Put in by the build; absent when the sources are run as they are. */
declare const CONDUCTOR_COMMIT: string | undefined;

/** As --version, health_status and the metrics say it: "v" and the package's. */
export const version = 'v0.1.0';

/** One line for people: the version, the commit it was built from (or that it runs from sources), and the runtime. */
export function describeVersion(): string {
  const commit = typeof CONDUCTOR_COMMIT === 'undefined' ? 'from sources' : CONDUCTOR_COMMIT;
  const origin = commit === '' ? '' : ` (${commit})`;
  return `conductor version ${version}${origin}, Bun ${Bun.version}, ${process.platform} ${process.arch}`;
}
