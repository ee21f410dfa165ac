/**
 * Draws a Mermaid source as SVG that is part of the page: no style elements, attributes or fonts of its
 * own, colours as custom properties `--diagram-*` that the stylesheet sets by day and by night, and a title
 * and description for readers who cannot see it. What follows the first SVG, another or a list, takes its place
 * where the column is narrow.
 */
import { createHash } from 'node:crypto';
import { curlyApostrophes } from './apostrophes.ts';
import { escapeText } from './escape-text.ts';
import { graphDrawings } from './graph/graph-drawings.ts';
import { readGraph } from './graph/read-graph.ts';
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
export function drawDiagram(written: string): DrawnDiagram {
  const source = curlyApostrophes(written);
  const title = TITLE.exec(source)?.[1]?.trim();
  const described = DESCRIPTION.exec(source);
  const description = (described?.[1] ?? described?.[2])?.replaceAll(/\s+/g, ' ').trim();
  if (title === undefined || description === undefined || description === '') {
    throw new Error('it needs a line `accTitle: …` and a line `accDescr: …` that says what the drawing shows.');
  }
  if (OWN_COLOURS.test(source))
    throw new Error('it takes its colours from the theme; leave out style, classDef and linkStyle.');
  const id = `d${createHash('sha256').update(source).digest('hex').slice(0, 6)}`;
  const drawings = drawingsOf(linesOf(source.replace(TITLE, '').replace(DESCRIPTION, '')));
  const svg = drawings.map((drawing, at) => named(drawing, at === 0 ? id : `${id}n`, title, description)).join('');
  return { svg, title, description };
}

/** The drawing for the column of text, then what phones get instead, if anything. */
function drawingsOf(lines: readonly string[]): string[] {
  const sequence = readSequence(lines);
  if (sequence !== null) {
    const { svg, list } = drawSequence(sequence);
    return [svg, list];
  }
  const graph = readGraph(lines);
  if (graph === null)
    throw new Error('its first line is no kind that is known here: flowchart, stateDiagram-v2 or sequenceDiagram.');
  const { wide, narrow } = graphDrawings(graph);
  return narrow === null ? [wide] : [wide, narrow];
}

function linesOf(source: string): string[] {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('%%'));
}

function named(svg: string, id: string, title: string, description: string): string {
  const label = `<title id="${id}-t">${escapeText(title)}</title><desc id="${id}-d">${escapeText(description)}</desc>`;
  return svg.replace(
    /<svg[^>]*>/,
    (tag) => `${tag.slice(0, -1)} role="img" aria-labelledby="${id}-t ${id}-d">${label}`,
  );
}
