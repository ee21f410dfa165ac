/**
 * For robots and readers of feeds: sitemap, robots.txt and the notices as RSS 2.0.
 */
import { escapeXml, listedPages, type OutputFile, type OutputInput } from './output-file.ts';

const FEED_PATH = 'notices.xml';

export function feedFiles(input: OutputInput): OutputFile[] {
  const { address } = input.settings;
  return [
    { path: 'sitemap.xml', text: sitemap(input) },
    { path: 'robots.txt', text: `User-agent: *\nAllow: /\n\nSitemap: ${address}/sitemap.xml\n` },
    { path: FEED_PATH, text: notices(input) },
  ];
}

/** Pages that count as originals. */
function sitemap({ graph, settings, lastUpdated }: OutputInput): string {
  const entries = listedPages(graph)
    .filter(({ frontMatter }) => frontMatter.canonical === undefined)
    .map(({ route, file }) => {
      const date = lastUpdated.get(file);
      return `<url><loc>${escapeXml(settings.address + route)}</loc>${date === undefined ? '' : `<lastmod>${date}</lastmod>`}</url>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`;
}

/** Pages with a date, newest first. */
function notices({ graph, settings }: OutputInput): string {
  const { name, address } = settings;
  const items = listedPages(graph)
    .flatMap((page) => (page.frontMatter.date === undefined ? [] : [{ page, date: page.frontMatter.date }]))
    .sort((a, b) => b.date.localeCompare(a.date))
    .map(({ page, date }) => {
      const url = escapeXml(address + page.route);
      const { title, description } = page.frontMatter;
      return `<item><title>${escapeXml(title)}</title><link>${url}</link><guid>${url}</guid><pubDate>${rfc822(date)}</pubDate><description>${escapeXml(description)}</description></item>`;
    });
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${escapeXml(name)}: notices</title>
<link>${address}/</link>
<description>${escapeXml(`Changes that readers of ${name} have to prepare for.`)}</description>
<atom:link href="${address}/${FEED_PATH}" rel="self" type="application/rss+xml"/>
${items.join('\n')}
</channel></rss>
`;
}

function rfc822(date: string): string {
  return new Date(`${date}T00:00:00Z`).toUTCString();
}
