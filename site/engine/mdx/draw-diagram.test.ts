import { describe, expect, it } from 'vitest';
import { drawDiagram } from './draw-diagram.ts';

const SOURCES = {
  flowchart: 'flowchart LR\n  A[Left] -->|1.23456| B{Right}\n  B --> C[(Store)]',
  sequence: 'sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: 0.5 < 1',
  state: 'stateDiagram-v2\n  [*] --> Follower\n  Follower --> Leader',
};
const withWords = (source: string): string =>
  source.replace('\n', '\n  accTitle: A & B\n  accDescr: From <left> to right.\n');

describe('diagrams', () => {
  it.each(Object.entries(SOURCES))('of kind %s bring no style, address or id that could clash', (_kind, source) => {
    const { svg, title, description } = drawDiagram(withWords(source));
    expect([title, description]).toEqual(['A & B', 'From <left> to right.']);
    expect(svg).toMatch(
      /^<svg [^>]*role="img" aria-labelledby="(d\w+)-t \1-d"><title id="\1-t">A &amp; B<\/title><desc id="\1-d">From &lt;left&gt; to right\.<\/desc>/,
    );
    expect(svg).not.toMatch(/<style| style=|data-|https?:(?!\/\/www\.w3\.org)|accTitle|accDescr/);
    const id = /<title id="(d\w+)-t"/.exec(svg)?.[1] ?? 'none';
    for (const [, used] of svg.matchAll(/(?:id="|url\(#)([^")]*)/g)) expect(used?.startsWith(id), used).toBe(true);
    for (const [, colour] of svg.matchAll(/(?:fill|stroke)="([^"]*)"/g))
      expect(colour).toMatch(/^(?:none|var\(--diagram-[\w-]+\))$/);
  });

  it('have the apostrophes of print, as the text beside them', () => {
    const { svg, description } = drawDiagram(withWords("flowchart LR\n  A[Bob's node]").replace('right.', "Bob's."));
    expect(svg + description).toContain('Bob’s');
    expect(svg + description).not.toContain("'");
  });

  it('keep the numbers of their words', () => {
    expect(drawDiagram(withWords(SOURCES.flowchart)).svg).toContain('>1.23456<');
  });

  it.each([
    ['flowchart LR\nA --> B', /accTitle/],
    ['flowchart LR\naccTitle: a\nA --> B', /accDescr/],
    ['flowchart LR\naccTitle: a\naccDescr: b\nA --> B\nstyle A fill:#f00', /colours from the theme/],
    ['gantt\naccTitle: a\naccDescr: b\nx: 1', /first line is no kind/],
    ['flowchart LR\naccTitle: a\naccDescr: b\nsubgraph one', /“subgraph one” is not known/],
    ['flowchart LR\naccTitle: a\naccDescr: b', /no nodes/],
    ['sequenceDiagram\naccTitle: a\naccDescr: b\nloop always', /“loop always” is not known/],
  ])('are refused with a reason: %j', (source, reason) => {
    expect(() => drawDiagram(source)).toThrow(reason);
  });

  it('may be described over several lines', () => {
    const { description } = drawDiagram('flowchart LR\naccTitle: a\naccDescr {\n one\n two\n}\nA --> B');
    expect(description).toBe('one two');
  });
});
