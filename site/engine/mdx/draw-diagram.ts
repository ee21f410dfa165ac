/**
 * Draws a Mermaid source as SVG that is part of the page: no style elements, attributes or fonts of its
 * own, colours as custom properties `--diagram-*` that the stylesheet sets by day and by night, and a title
 * and description for readers who cannot see it.
 */
import { createHash } from 'node:crypto';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { escapeText } from './escape-text.ts';
import { drawSequence } from './sequence/draw-sequence.ts';
import { readSequence } from './sequence/read-sequence.ts';

export interface DrawnDiagram {
  readonly svg: string;
  readonly title: string;
  readonly description: string;
}

const TITLE = /^[ \t]*accTitle[ \t]*:[ \t]*(.+)$/m;
const DESCRIPTION = /^[ \t]*accDescr[ \t]*(?::[ \t]*(.+)$|\{([^}]*)\})/m;
const OWN_COLOURS = /^[ \t]*(?:style|classDef|linkStyle)\b/m;

/** Throws a sentence for the author. */
export function drawDiagram(source: string): DrawnDiagram {
  const title = TITLE.exec(source)?.[1]?.trim();
  const described = DESCRIPTION.exec(source);
  const description = (described?.[1] ?? described?.[2])?.replaceAll(/\s+/g, ' ').trim();
  if (title === undefined || description === undefined || description === '') {
    throw new Error('it needs a line `accTitle: …` and a line `accDescr: …` that says what the drawing shows.');
  }
  if (OWN_COLOURS.test(source))
    throw new Error('it takes its colours from the theme; leave out style, classDef and linkStyle.');
  const drawing = source.replace(TITLE, '').replace(DESCRIPTION, '');
  const id = `d${createHash('sha256').update(source).digest('hex').slice(0, 6)}`;
  const sequence = readSequence(drawing);
  if (sequence !== null) {
    const { svg, list } = drawSequence(sequence);
    return { svg: themed(svg, id, title, description) + list, title, description };
  }
  const svg = renderMermaidSVG(drawing, { transparent: true, padding: 8 });
  if (!/<(?:text|rect|path|polygon)\b/.test(svg))
    throw new Error('nothing comes of it; is its first line a kind of diagram?');
  return { svg: themed(svg, id, title, description), title, description };
}

function themed(svg: string, id: string, title: string, description: string): string {
  const label = `<title id="${id}-t">${escapeText(title)}</title><desc id="${id}-d">${escapeText(description)}</desc>`;
  return svg
    .replaceAll(/<style>[\s\S]*?<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, (tag) => plainTag(tag, id))
    .replaceAll(/>\s+</g, '><')
    .replace(/<svg[^>]*>/, (tag) => `${tag.slice(0, -1)} role="img" aria-labelledby="${id}-t ${id}-d">${label}`)
    .trim();
}

/** One tag: without styles and data, ids its own in the page, colours by the theme's names, numbers short. */
function plainTag(tag: string, id: string): string {
  return tag
    .replaceAll(/ (?:style|data-[\w-]+)="[^"]*"/g, '')
    .replaceAll(/ id="([^"]*)"/g, ` id="${id}-$1"`)
    .replaceAll(/url\(#([^)]*)\)/g, `url(#${id}-$1)`)
    .replaceAll(/var\(--_?([\w-]+)[^"]*"/g, 'var(--diagram-$1)"')
    .replaceAll(/-?\d+\.\d{2,}/g, (number) => String(Math.round(Number(number) * 10) / 10));
}
