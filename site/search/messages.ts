/** What the page and its search worker say to each other. Answers carry the number of their question. */
import type { SearchAnswer, SearchRequest } from './answer.ts';

export type ToWorker =
  /** Fetch the head of the index from this address, other files from beside it; again after a failure. */
  | { readonly kind: 'load'; readonly url: string }
  | { readonly kind: 'find'; readonly id: number; readonly request: SearchRequest };

export type FromWorker =
  | { readonly kind: 'ready' }
  /** `reason` is a sentence. Questions asked before are never answered. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** With the pass `names` another follows, which takes its place. */
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SearchAnswer };
