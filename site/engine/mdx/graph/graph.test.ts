import fc from 'fast-check';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NARROW_MAX, WIDE_MAX, graphDrawings } from './graph-drawings.ts';
import { orderLayers } from './order-layers.ts';
import { rankNodes } from './rank-nodes.ts';
import { readGraph, type Graph } from './read-graph.ts';

/** What a drawing for a phone may be shrunk by: 13 px of type stay above 10. */
const SHRINK_MAX = 0.77;

const pages = join(import.meta.dirname, '../../../../content/pages');
const sources = globSync('**/*.mdx', { cwd: pages }).flatMap((file) =>
  [...readFileSync(join(pages, file), 'utf8').matchAll(/```mermaid\n(\s*(?:flowchart|state)[\s\S]*?)```/g)].map(
    ([, source], at): [name: string, graph: Graph] => [`${file} ${at + 1}`, read(source ?? '')],
  ),
);

function read(source: string): Graph {
  const lines = source.split('\n').map((line) => line.trim());
  const graph = readGraph(lines.filter((line) => line !== '' && !line.startsWith('acc')));
  if (graph === null) throw new Error('It is no graph.');
  return graph;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxesOf(svg: string): Box[] {
  const rects = svg.matchAll(/<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"/g);
  return [...rects].map((found) => {
    const [left, top, width, height] = found.slice(1).map(Number) as [number, number, number, number];
    return { left, top, right: left + width, bottom: top + height };
  });
}

function sheetOf(svg: string): readonly [width: number, height: number] {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  return [Number(width), Number(height)];
}

/** Nothing leaves the sheet, and no two boxes touch. */
function expectSound(svg: string): void {
  const [width, height] = sheetOf(svg);
  const boxes = boxesOf(svg);
  for (const [at, box] of boxes.entries()) {
    expect(Math.min(box.left, box.top, width - box.right, height - box.bottom)).toBeGreaterThanOrEqual(0);
    for (const other of boxes.slice(at + 1)) {
      const isApart =
        box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top;
      expect(isApart, JSON.stringify([box, other])).toBe(true);
    }
  }
  for (const [, x, y] of svg.matchAll(/<tspan x="([-\d.]+)" y="([-\d.]+)"/g)) {
    expect(Number(x)).toBeGreaterThan(0);
    expect(Number(x)).toBeLessThan(width);
    expect(Number(y)).toBeLessThan(height);
  }
}

describe('flowcharts and states', () => {
  it('put a chain on one line, also beside a line that passes by it, and leave a fork as wide as it is', () => {
    // By x and by y: which of them is across the flow depends on what fits.
    const middlesOf = (source: string): number[][] => {
      const boxes = boxesOf(graphDrawings(read(source)).wide);
      const byAxis = [boxes.map(({ left, right }) => left + right), boxes.map(({ top, bottom }) => top + bottom)];
      return byAxis.map((sums) => sums.map((sum) => Math.round(sum / 2)));
    };
    const chain = middlesOf('flowchart TD\nA[First] --> B[Second, longer] --> C[Third] --> D[Fourth]\nA --> D');
    expect(chain.map((places) => new Set(places).size)).toContain(1);
    const fork = middlesOf('flowchart TD\nA[First] --> B[Second]\nA --> C[Other]');
    const leans = fork.map(([root, one, other]) => Math.abs(root! - one! - (other! - root!)));
    expect(Math.min(...leans)).toBeLessThanOrEqual(2);
  });

  it('are read: shapes, arrows both ways and none, words in each way of writing them', () => {
    const graph = read(
      'flowchart LR\na[One] -->|yes| b{Two?} --> c[("A store")]\na -. may .- c\nb <--> d\nb -- no --> d',
    );
    expect(graph.nodes).toEqual([
      { text: 'One', shape: 'box' },
      { text: 'Two?', shape: 'choice' },
      { text: 'A store', shape: 'store' },
      { text: 'd', shape: 'box' },
    ]);
    const plain = { text: '', isDashed: false, hasHeadAtStart: false, hasHeadAtEnd: true };
    expect(graph.edges).toEqual([
      { ...plain, from: 0, to: 1, text: 'yes' },
      { ...plain, from: 1, to: 2 },
      { ...plain, from: 0, to: 2, text: 'may', isDashed: true, hasHeadAtEnd: false },
      { ...plain, from: 1, to: 3, hasHeadAtStart: true },
      { ...plain, from: 1, to: 3, text: 'no' },
    ]);
    const states = read('stateDiagram-v2\n[*] --> Up\nUp --> Down: falls');
    expect(states.nodes.map(({ shape }) => shape)).toEqual(['point', 'state', 'state']);
    expect(states.edges[1]?.text).toBe('falls');
  });

  it('follow their arrows; the arrow written last runs back where they close a circle', () => {
    expect(rankNodes(read('flowchart LR\na --> b\nb --> c\nc --> a')).ranks).toEqual([0, 1, 2]);
  });

  it('put neighbours that talk both ways side by side', () => {
    const { ranks, flat } = rankNodes(read('flowchart TD\na --> b\na --> c\nb <--> c'));
    expect([ranks, flat.size]).toEqual([[0, 1, 1], 1]);
  });

  it('do not cross lines that need not cross', () => {
    const graph = read('flowchart LR\na --> x\nb --> y\nc --> z\na --> z\nb --> x\nc --> y\nq --> y\nq --> p');
    expect(orderLayers(read('flowchart LR\na --> y\nb --> x\na --> z\nc --> x'), rankNodes(graph)).crossings).toBe(0);
  });

  it('stand on pages', () => {
    expect(sources.length).toBeGreaterThan(40);
  });

  it.each(sources)('%s: fits the column and a phone, boxes apart, all on the sheet', (_, graph) => {
    const { wide, narrow } = graphDrawings(graph);
    expectSound(wide);
    expect(sheetOf(wide)[0]).toBeLessThanOrEqual(WIDE_MAX);
    if (narrow !== null) expectSound(narrow);
    expect(NARROW_MAX / sheetOf(narrow ?? wide)[0]).toBeGreaterThanOrEqual(SHRINK_MAX);
  });

  it('of any graph keep their boxes apart', () => {
    const arrow = fc.tuple(fc.nat(7), fc.nat(7), fc.constantFrom('-->', '-->|some words|', '<-->', '-.->', '---'));
    fc.assert(
      fc.property(fc.array(arrow, { minLength: 1, maxLength: 12 }), (arrows) => {
        const lines = arrows.filter(([a, b]) => a !== b).map(([a, b, way]) => `n${a} ${way} n${b}`);
        fc.pre(lines.length > 0);
        expectSound(graphDrawings(read(['flowchart TD', ...lines].join('\n'))).wide);
      }),
      { numRuns: 40 },
    );
  });
});
