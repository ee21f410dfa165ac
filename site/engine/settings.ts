/**
 * The site's settings. Its address is one of them: everything absolute (canonical links, sitemap,
 * feeds, social cards) is made from it. The variable SITE_URL overrides it, for a preview or another host.
 */
import { documentationAddress } from '#conductor/cli/documentation';

export interface SiteSettings {
  readonly name: string;
  /** One sentence about the whole site. */
  readonly description: string;
  /** Origin with scheme, without a slash at the end, e.g. `https://docs.example.org`. */
  readonly address: string;
  /** Web address of the repository: edit links and feedback start there. */
  readonly repository: string;
  readonly branch: string;
}

/** The settings, with the address of SITE_URL when it is given. Throws a sentence when that is no origin. */
export function siteSettings(environment: Readonly<Record<string, string | undefined>>): SiteSettings {
  return {
    name: 'Optimism Docs',
    description: 'How to build on, run and understand OP Stack chains, with Conductor for sequencers that stay up.',
    address: originOf(environment['SITE_URL'] ?? documentationAddress),
    repository: 'https://github.com/ethereum-optimism/docs',
    branch: 'main',
  };
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
  if (!isOrigin || url.username !== '') {
    throw new Error(
      `SITE_URL is ${JSON.stringify(text)}; it must be an origin such as ${documentationAddress}: the site lives at the root of a host.`,
    );
  }
  return url.origin;
}
