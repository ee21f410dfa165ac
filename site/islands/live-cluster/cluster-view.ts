/** What the page shows, from the frames that arrive: a pure fold, so that it can be tested without a worker. */
import type { Frame, Reply, Sentence, StrokeFrame } from './protocol.ts';

/** Sentences that are kept for the log. */
const SENTENCES_MAX = 300;
/** How long a message is drawn while time goes on, milliseconds. */
const STROKE_MS = 600;

export interface DrawnStroke extends StrokeFrame {
  readonly sinceMs: number;
}

export interface ClusterView {
  /** null until the cluster is formed. */
  readonly frame: Frame | null;
  readonly strokes: readonly DrawnStroke[];
  /** Oldest first. */
  readonly sentences: readonly Sentence[];
  /** Why the last command was refused; empty for none. */
  readonly refusal: string;
}

export const emptyView: ClusterView = { frame: null, strokes: [], sentences: [], refusal: '' };

/** `nowMs` is the page's own clock. Strokes of a step stay until the next one; of a run before, nothing does. */
export function withReply(before: ClusterView, reply: Reply, nowMs: number): ClusterView {
  if (reply.kind === 'ready' || reply.kind === 'answer') return before;
  if (reply.kind === 'refused') return { ...before, refusal: reply.message };
  const { frame } = reply;
  const view = before.frame !== null && frame.nowMs < before.frame.nowMs ? emptyView : before;
  const fresh = frame.strokes.map((stroke) => ({ ...stroke, sinceMs: nowMs }));
  const kept = frame.isPlaying ? view.strokes.filter(({ sinceMs }) => nowMs < sinceMs + STROKE_MS) : [];
  const hasPassed = frame.nowMs !== view.frame?.nowMs;
  return {
    frame,
    strokes: hasPassed ? [...kept, ...fresh] : view.strokes,
    sentences:
      frame.sentences.length === 0 ? view.sentences : [...view.sentences, ...frame.sentences].slice(-SENTENCES_MAX),
    refusal: view.refusal,
  };
}

/** What to read out after the sentence with this number: the loud ones, as one text. */
export function announcementAfter(sentences: readonly Sentence[], id: number): string {
  return sentences
    .filter((sentence) => sentence.isLoud && sentence.id > id)
    .map(({ text }) => text)
    .join(' ');
}
