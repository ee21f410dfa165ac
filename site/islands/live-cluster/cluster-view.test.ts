import { describe, expect, it } from 'vitest';
import { announcementAfter, emptyView, withReply, type ClusterView } from './cluster-view.ts';
import type { Frame, Sentence, StrokeFrame } from './protocol.ts';

function frameAt(nowMs: number, parts: Partial<Frame> = {}): Frame {
  return {
    nowMs,
    isPlaying: true,
    isReplaying: false,
    ended: null,
    run: 'v1~',
    afterMs: nowMs,
    hash: '0'.repeat(16),
    lawsHeld: 30,
    lawBroken: null,
    nodes: [],
    links: [],
    strokes: [],
    blocks: [],
    sentences: [],
    ...parts,
  };
}

function stroke(id: number): StrokeFrame {
  return { id, atMs: 0, from: 0, to: 1, kind: 'append' };
}

function sentence(id: number, isLoud = true): Sentence {
  return { id, atMs: id, text: `Sentence ${id}.`, isLoud };
}

/** What is shown after frames that arrive at these times of the page's clock. */
function after(...frames: readonly (readonly [number, Frame])[]): ClusterView {
  return frames.reduce((view, [atMs, frame]) => withReply(view, { kind: 'frame', frame }, atMs), emptyView);
}

describe('what the page shows', () => {
  it('draws a message for a while when time goes on, and then no more', () => {
    const first = [0, frameAt(10, { strokes: [stroke(1)] })] as const;
    expect(after(first, [500, frameAt(20)]).strokes.map(({ id }) => id)).toEqual([1]);
    expect(after(first, [700, frameAt(20)]).strokes).toEqual([]);
  });

  it('keeps nothing of a run before the one that is shown', () => {
    const old = frameAt(9000, { strokes: [stroke(1)], sentences: [sentence(7)] });
    const view = after([0, old], [10, frameAt(5, { strokes: [stroke(2)], sentences: [sentence(1)] })]);
    expect([view.strokes.map(({ id }) => id), view.sentences.map(({ id }) => id)]).toEqual([[2], [1]]);
  });

  it('keeps the messages of a step until the next one', () => {
    const step = [0, frameAt(10, { isPlaying: false, strokes: [stroke(1)] })] as const;
    const still = frameAt(10, { isPlaying: false });
    const next = frameAt(11, { isPlaying: false, strokes: [stroke(2)] });
    expect(after(step, [9000, still]).strokes.map(({ id }) => id)).toEqual([1]);
    expect(after(step, [9000, still], [9001, next]).strokes.map(({ id }) => id)).toEqual([2]);
  });

  it('keeps a bounded number of sentences, the latest', () => {
    const many = Array.from({ length: 1000 }, (_, id) => sentence(id));
    const { sentences } = after([0, frameAt(1, { sentences: many })], [1, frameAt(2, { sentences: [sentence(1000)] })]);
    expect(sentences.length).toBeLessThan(1000);
    expect(sentences.at(-1)!.id).toBe(1000);
  });

  it('shows a refusal beside what there is, also while time goes on', () => {
    const refused = withReply(after([0, frameAt(1)]), { kind: 'refused', message: 'No.' }, 1);
    const later = withReply(refused, { kind: 'frame', frame: frameAt(2) }, 2);
    expect(later.refusal).toBe('No.');
    expect(later.frame?.nowMs).toBe(2);
  });

  it('reads out what is loud and new, as one text', () => {
    const said = [sentence(1), sentence(2), sentence(3, false), sentence(4)];
    expect(announcementAfter(said, 1)).toBe('Sentence 2. Sentence 4.');
    expect(announcementAfter(said, 4)).toBe('');
  });
});
