/**
 * The head of a document. The boot script stands before the styles: theme and stored choices are in
 * place when the first pixel is painted. Every inline script is allowed by its hash.
 */
import type { ReactElement } from 'react';
import type { Page } from '../engine/page.ts';
import type { FrameProps } from './frame-props.ts';

export function Head({ settings, page, assets, canonicalUrl }: FrameProps): ReactElement {
  const { title, description } = page.frontMatter;
  const isHome = page.route === '/';
  const isApart = ['/404', '/500', '/search'].includes(page.route);
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {assets.contentSecurityPolicy === '' ? null : (
        <meta httpEquiv="Content-Security-Policy" content={assets.contentSecurityPolicy} />
      )}
      <title>{isHome ? title : `${title} · ${settings.name}`}</title>
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      <script dangerouslySetInnerHTML={{ __html: assets.bootScript }} />
      {preloadedFonts(page, assets.fonts).map((font) => (
        <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="anonymous" />
      ))}
      {assets.styles.map((sheet) => (
        <link key={sheet} rel="stylesheet" href={sheet} />
      ))}
      {assets.scripts.map((script) => (
        <script key={script} type="module" src={script} />
      ))}
      {isApart ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={canonicalUrl} />}
      {isApart ? null : <link rel="alternate" type="text/markdown" href={markdownTwin(page.route)} />}
      <link rel="alternate" type="application/rss+xml" title="Notices" href="/notices.xml" />
      <link rel="icon" type="image/svg+xml" href="/icon.svg" />
      <meta property="og:type" content={isHome ? 'website' : 'article'} />
      <meta property="og:site_name" content={settings.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={canonicalUrl} />
      {assets.socialImage === '' ? null : (
        <>
          <meta property="og:image" content={assets.socialImage} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
      {assets.speculationRules === '' ? null : (
        <script type="speculationrules" dangerouslySetInnerHTML={{ __html: assets.speculationRules }} />
      )}
    </head>
  );
}

/** The faces of prose and headings, and that of code where the page has some: what comes late may break lines anew. */
function preloadedFonts(page: Page, fonts: readonly string[]): readonly string[] {
  const names = ['body', 'title', ...(page.markdown.includes('`') ? ['mono'] : [])];
  return names.flatMap((name) => fonts.find((font) => font.startsWith(`/assets/${name}-`)) ?? []);
}

/** Where the Markdown of a route is served. */
export function markdownTwin(route: string): string {
  return route === '/' ? '/index.md' : `${route}.md`;
}
