import { describe, expect, it } from 'vitest';
import { chaptersOf } from './Contents.tsx';

const heading = (depth: 1 | 2 | 3 | 4, text: string) => ({ depth, text, slug: text, line: 1 });
const outline = (...headings: ReturnType<typeof heading>[]): unknown =>
  chaptersOf(headings).map((chapter) => [chapter.heading.text, ...chapter.parts.map(({ heading: part }) => part.text)]);

describe('the list of headings', () => {
  it('holds those of the second level with those of the third below them, and no others', () => {
    expect(outline(heading(1, 'T'), heading(2, 'a'), heading(3, 'b'), heading(4, 'c'), heading(2, 'd'))).toEqual([
      ['a', 'b'],
      ['d'],
    ]);
  });

  it('has those of the fourth level below the third, and none without one', () => {
    const [chapter] = chaptersOf([
      heading(2, 'a'),
      heading(4, 'lost'),
      heading(3, 'b'),
      heading(4, 'c'),
      heading(4, 'd'),
    ]);
    expect(chapter?.parts.map(({ details }) => details.map(({ text }) => text))).toEqual([['c', 'd']]);
  });

  it('a third level before any second stands alone', () => {
    expect(outline(heading(3, 'a'), heading(3, 'b'), heading(2, 'c'))).toEqual([['a', 'b'], ['c']]);
  });
});
