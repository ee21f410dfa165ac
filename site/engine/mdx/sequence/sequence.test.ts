import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawSequence } from './draw-sequence.ts';
import { readSequence } from './read-sequence.ts';

const pages = join(import.meta.dirname, '../../../../content/pages');
const sources = globSync('**/*.mdx', { cwd: pages }).flatMap((file) =>
  [...readFileSync(join(pages, file), 'utf8').matchAll(/```mermaid\n(\s*sequenceDiagram[\s\S]*?)```/g)].map(
    ([, source], at): [name: string, source: string] => [`${file} ${at + 1}`, source ?? ''],
  ),
);

function linesOf(source: string): string[] {
  const lines = source.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('acc'));
}

describe('sequence diagrams', () => {
  it('are read: participants by their names, messages, answers, notes', () => {
    const read = readSequence(
      'sequenceDiagram\nparticipant A as The node\nA->>B: asks\nB-->>A: answers\nNote over A,B: both know\nA->>A: thinks\nA--xB: closed'.split(
        '\n',
      ),
    );
    expect(read).toEqual({
      participants: ['The node', 'B'],
      events: [
        { kind: 'message', from: 0, to: 1, text: 'asks', isAnswer: false, isLost: false },
        { kind: 'message', from: 1, to: 0, text: 'answers', isAnswer: true, isLost: false },
        { kind: 'note', from: 0, to: 1, text: 'both know' },
        { kind: 'message', from: 0, to: 0, text: 'thinks', isAnswer: false, isLost: false },
        { kind: 'message', from: 0, to: 1, text: 'closed', isAnswer: true, isLost: true },
      ],
    });
  });

  it('have lifelines at equal distances where there is room', () => {
    const { svg } = drawSequence(
      readSequence(['sequenceDiagram', 'A->>B: x', 'B->>C: a message of many words that wants some room'])!,
    );
    const [first, second, third] = Array.from(svg.matchAll(/<path d="M([\d.]+) \d+V/g), ([, x]) => Number(x));
    expect(second! - first!).toBeCloseTo(third! - second!, 0);
  });

  it('are not guessed', () => {
    expect(readSequence(['flowchart LR', 'A --> B'])).toBeNull();
    expect(() => readSequence(['sequenceDiagram', 'A->>+B: x'])).toThrow('is not known here');
    expect(() => readSequence(['sequenceDiagram', 'loop always', 'A->>B: x', 'end'])).toThrow('“loop always”');
  });

  it('stand on pages', () => {
    expect(sources.length).toBeGreaterThan(10);
  });

  it.each(sources)('%s: no wider than the column, every stroke and box inside of the sheet', (_, source) => {
    const read = readSequence(linesOf(source));
    if (read === null) throw new Error('it was not read');
    const { svg, list } = drawSequence(read);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.map(Number) ?? [];
    expect(width).toBeLessThanOrEqual(768);
    const xs = [
      ...[...svg.matchAll(/<rect x="([-\d.]+)" y="[-\d.]+" width="([\d.]+)"/g)].flatMap(([, x, w]) => [
        Number(x),
        Number(x) + Number(w),
      ]),
      ...[...svg.matchAll(/<path d="M([-\d.]+)/g)].map(([, x]) => Number(x)),
    ];
    expect(Math.min(...xs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...xs)).toBeLessThanOrEqual(width ?? 0);
    const boxes = [...svg.matchAll(/<rect x="([-\d.]+)" y="1" width="([\d.]+)"/g)].map(
      ([, x, w]) => [Number(x), Number(w)] as const,
    );
    for (const [at, [x]] of boxes.slice(1).entries()) expect(x).toBeGreaterThan(boxes[at]![0] + boxes[at]![1]);
    const ys = [...svg.matchAll(/<tspan x="[-\d.]+" y="([\d.]+)"/g)].map(([, y]) => Number(y));
    expect(Math.max(...ys)).toBeLessThan(height ?? 0);
    for (const { text } of read.events)
      expect(list.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')).toContain(text);
  });
});
