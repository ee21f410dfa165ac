/**
 * The address that the documentation of a release is for. It stands in every page, so it is the project's own, whatever
 * SITE_URL the caller's shell has, unless it is given by word; and then the notes say so.
 */

export interface SiteAddress {
  /** The environment that the site is built in. */
  readonly env: NodeJS.ProcessEnv;
  /** As given, without a slash at the end; null for the project's own. */
  readonly given: string | null;
  /** One line for who releases, or ''. */
  readonly remark: string;
}

/** `given` is what --site-url says. Throws an Error for what is no origin. */
export function siteAddress(given: string | undefined, env: NodeJS.ProcessEnv): SiteAddress {
  const { SITE_URL: ofShell, ...rest } = env;
  if (given === undefined) {
    const remark = ofShell === undefined ? '' : `SITE_URL=${ofShell} does not count here; --site-url=${ofShell} would.`;
    return { env: rest, given: null, remark };
  }
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || ![url.origin, `${url.origin}/`].includes(given))
    throw new Error(`--site-url=${given} is no origin such as https://docs.example.org: scheme and host, no path`);
  return { env: { ...rest, SITE_URL: url.origin }, given: url.origin, remark: `${builtFor(url.origin)}.` };
}

/** The notes of a release, Markdown: what the changelog says, and what is not as the project publishes it. */
export function releaseNotes(text: string, { given }: Pick<SiteAddress, 'given'>): string {
  return given === null ? `${text}\n` : `${text}\n\n${builtFor(given)}.\n`;
}

function builtFor(address: string): string {
  return `The documentation in the edge bundle is for ${address} (--site-url), not for the project's own address`;
}
