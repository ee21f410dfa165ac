import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conductorPage, documentationAddress } from './documentation.ts';

test('the page that the devnet links to is a page of the site', () => {
  expect(new URL(conductorPage).origin).toBe(documentationAddress);
  const pages = join(import.meta.dirname, '..', '..', 'content', 'pages');
  expect(existsSync(join(pages, `${new URL(conductorPage).pathname}.mdx`))).toBe(true);
});
