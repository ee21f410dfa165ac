/**
 * The page's end of the search worker: starts it at the first question, keeps one question under way and only
 * the newest waiting, so that fast typing never queues, and says when it fails.
 */
import type { SearchAnswer, SearchRequest } from '../../search/answer.ts';
import type { FromWorker, ToWorker } from '../../search/messages.ts';

export interface SearchListener {
  /** The index is there. */
  ready(): void;
  /** What the newest question got, from names first, then in full; older answers are dropped. */
  answered(answer: SearchAnswer): void;
  /** Nothing will be answered until `retry`. */
  failed(reason: string): void;
}

/** The part of a Worker that is used. */
export interface WorkerPort extends EventTarget {
  postMessage(message: ToWorker): void;
  terminate(): void;
}

export class SearchClient {
  readonly #open: () => WorkerPort;
  readonly #url: string;
  readonly #listener: SearchListener;
  #worker: WorkerPort | null = null;
  #asked = 0;
  #isBusy = false;
  #next: SearchRequest | null = null;

  constructor(options: { open: () => WorkerPort; url: string; listener: SearchListener }) {
    this.#open = options.open;
    this.#url = options.url;
    this.#listener = options.listener;
  }

  /** Loads the worker and the head of the index; does nothing when that was done and has not failed. */
  start(): void {
    if (this.#worker !== null) return;
    try {
      this.#worker = this.#open();
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#worker.addEventListener('message', (event) => {
      if (event instanceof MessageEvent) this.#hear(event.data);
    });
    this.#worker.addEventListener('error', () => this.#fail('The search script could not be loaded.'));
    this.#worker.postMessage({ kind: 'load', url: this.#url });
  }

  ask(request: SearchRequest): void {
    this.start();
    this.#next = request;
    this.#askNext();
  }

  /** Forgets what was asked: no answer follows. */
  forget(): void {
    this.#next = null;
    this.#asked += 1;
  }

  #askNext(): void {
    if (this.#isBusy || this.#next === null || this.#worker === null) return;
    this.#asked += 1;
    this.#isBusy = true;
    this.#worker.postMessage({ kind: 'find', id: this.#asked, request: this.#next });
    this.#next = null;
  }

  #hear(message: FromWorker): void {
    if (message.kind === 'ready') this.#listener.ready();
    else if (message.kind === 'failed') this.#fail(message.reason);
    else {
      const isLast = message.answer.pass !== 'names';
      if (isLast) this.#isBusy = false;
      if (message.id === this.#asked && this.#next === null) this.#listener.answered(message.answer);
      if (isLast) this.#askNext();
    }
  }

  #fail(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#isBusy = false;
    this.#listener.failed(reason);
  }
}
