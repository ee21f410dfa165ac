import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conductorPage, documentationAddress, errorsPage } from './documentation.ts';

test.each([conductorPage, errorsPage])('%s, which the program links to, is a page of the site', (page) => {
  expect(new URL(page).origin).toBe(documentationAddress);
  const pages = join(import.meta.dirname, '..', '..', 'content', 'pages');
  expect(existsSync(join(pages, `${new URL(page).pathname}.mdx`))).toBe(true);
});
