import { describe, expect, it } from 'vitest';
import { prefersMarkdown } from './prefers-markdown.ts';

describe('Markdown rather than HTML', () => {
  it.each([
    'text/markdown',
    'TEXT/Markdown; charset=utf-8',
    'text/markdown, text/html;q=0.9',
    'text/html;q=0.5,text/markdown;q=0.501',
    'text/markdown, text/plain, */*',
    'text/markdown, text/*;q=0.9, */*;q=0.1',
    'text/*;q=0.2, text/markdown;q=0.3',
    'text/html;q=0, */*',
    'text/html;q=0.2 , text/markdown ; q=1.000',
  ])('%s', (accept) => expect(prefersMarkdown(accept)).toBe(true));
});

describe('HTML', () => {
  it.each([
    null,
    '',
    '*/*',
    'text/*',
    'text/html',
    'text/html, text/markdown',
    'text/markdown, text/html',
    'text/markdown;q=0.5, */*',
    'text/markdown;q=0.9, text/html',
    'text/markdown;q=0',
    'text/markdown;q=0, text/html;q=0',
    'text/markdown;q=2',
    'text/markdown;q=high, text/html;q=0.1',
    'text/markdownish, application/markdown',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    ',;,q=1;;,',
  ])('%s', (accept) => expect(prefersMarkdown(accept)).toBe(false));

  it('a list without end', () => expect(prefersMarkdown(`${'text/markdown;q=x,'.repeat(5000)}text/html`)).toBe(false));
});
