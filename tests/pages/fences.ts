/**
 * The fenced blocks of an MDX text: language, what stands after it, the text without the fence's own indent,
 * and where it begins. One reading for everything that is run, parsed or type-checked out of pages.
 */
import { readCodeMeta } from '../../site/engine/mdx/code-meta.ts';

/** A fence of a page. */
export interface Fence {
  readonly lang: string;
  readonly meta: ReturnType<typeof readCodeMeta>;
  readonly text: string;
  /** Line of the opening fence in the text that was read, from 1. */
  readonly line: number;
}

/** In their order; one that is never closed is left out. */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: { indent: string; ticks: string; lang: string; meta: string; line: number; lines: string[] } | null = null;
  for (const [at, line] of text.split('\n').entries()) {
    const [, indent = '', ticks, info = ''] = /^(\s*)(`{3,})(.*)$/.exec(line) ?? [];
    if (open === null) {
      if (ticks === undefined) continue;
      const [lang = '', ...meta] = info.trim().split(' ');
      open = { indent, ticks, lang, meta: meta.join(' '), line: at + 1, lines: [] };
    } else if (ticks === open.ticks && info.trim() === '') {
      fences.push({ lang: open.lang, meta: readCodeMeta(open.meta), text: open.lines.join('\n'), line: open.line });
      open = null;
    } else {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    }
  }
  return fences;
}
