/**
 * What browsers may do with the site: the content security policy, with the hashes of the two inline
 * scripts, the rules for loading the next page early, and `_headers` for hosts that read it.
 */
import { createHash } from 'node:crypto';
import type { PageTree } from '../page-tree.ts';
import type { OutputFile } from './output-file.ts';
import { leavingRoutes } from './redirects.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'microphone',
  'midi',
  'payment',
  'usb',
];

/** For a meta element; as a header it also says who may frame the site: nobody. */
export function contentSecurityPolicy(inlineScripts: readonly string[]): string {
  const hashes = inlineScripts
    .filter((text) => text !== '')
    .map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'none'",
    // WebAssembly: the simulator of the live cluster hashes blocks with it.
    ["script-src 'self' 'wasm-unsafe-eval'", ...hashes].join(' '),
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    // The form of search.
    "form-action 'self'",
  ].join('; ');
}

/** Pages under the pointer are rendered ahead; what leaves the site or is no page is left alone. */
export function speculationRules(tree: PageTree): string {
  const excluded = ['/*.md', '/*.xml', '/*.txt', '/assets/*', ...leavingRoutes(tree)];
  const where = {
    and: [
      { href_matches: '/*' },
      { not: { href_matches: excluded } },
      { not: { selector_matches: '[download], [target]' } },
    ],
  };
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] });
}

/** In the format that Cloudflare and Netlify share. */
export function headersFile(policy: string): OutputFile {
  const everywhere = {
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': FEATURES.map((feature) => `${feature}=()`).join(', '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
  const rules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '/*': everywhere,
    '/assets/*': { 'Cache-Control': IMMUTABLE },
    '/cards/*': { 'Cache-Control': IMMUTABLE },
    // The pages are what search engines should find.
    '/*.md': { 'Content-Type': 'text/markdown; charset=utf-8', 'X-Robots-Tag': 'noindex' },
  };
  const text = Object.entries(rules)
    .map(([path, headers]) =>
      [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n'),
    )
    .join('\n\n');
  return { path: '_headers', text: `${text}\n` };
}
