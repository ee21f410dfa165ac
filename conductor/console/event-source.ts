/**
 * Follows `GET /events` of one conductor for as long as it is wanted: reads the stream, comes back after a break with
 * the id of the last event, and says what it cannot have.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcEndpoint } from '#conductor/operate/rpc-endpoint';

/** One event as it was published. */
export interface StreamedEvent {
  /** As the server numbers it: life and number; '' for the greeting. */
  readonly id: string;
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export type SourceState = 'stream' | 'polled' | 'refused';

export interface EventSourceOptions {
  readonly endpoint: RpcEndpoint;
  /** Id of the last event that is known from an earlier time; null for none. */
  readonly lastId: string | null;
  onEvent(event: StreamedEvent): void;
  /** What can be had of this server. */
  onState(state: SourceState): void;
  /** The stream broke: the server may be gone. */
  onBreak(): void;
}

/** Longest event that is read, characters; more is a server that is no conductor. */
const eventLengthMax = 64 * 1024;
/** A stream that is silent for longer is broken, milliseconds: a living one says so every 10 s. */
const silenceMsMax = 25_000;
/** Pauses before the next try: after a break, and of a server that publishes nothing, or not to us. */
const againMs = 500;
const againPolledMs = 30_000;
const connectMsMax = 5000;

/** Runs until the signal. */
export async function followEvents(options: EventSourceOptions, signal: AbortSignal): Promise<void> {
  let lastId = options.lastId;
  while (!signal.aborted) {
    const pauseMs = await followOnce(options, lastId, signal, (id) => (lastId = id));
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function followOnce(
  { endpoint, onEvent, onState, onBreak }: EventSourceOptions,
  lastId: string | null,
  signal: AbortSignal,
  seen: (id: string) => void,
): Promise<number> {
  const watchdog = new AbortController();
  let timer = setTimeout(() => watchdog.abort(), connectMsMax);
  try {
    const headers = lastId === null ? {} : { 'last-event-id': lastId };
    const response = await endpoint.open('/events', headers, AbortSignal.any([signal, watchdog.signal]));
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || response.body === null) {
      await response.body?.cancel();
      // 503: it has as many readers as it takes, which a look at the cluster would not change.
      if (response.status >= 500 && response.status !== 503) {
        onBreak();
        return againMs;
      }
      onState(response.status === 401 ? 'refused' : 'polled');
      return againPolledMs;
    }
    onState('stream');
    const parser = new EventParser();
    for await (const chunk of response.body) {
      clearTimeout(timer);
      timer = setTimeout(() => watchdog.abort(), silenceMsMax);
      for (const event of parser.take(chunk)) {
        if (event.id !== '') seen(event.id);
        onEvent(event);
      }
    }
    onBreak();
  } catch {
    // Gone, silent, or no conductor: all the same until it answers again.
    if (!signal.aborted) onBreak();
  } finally {
    clearTimeout(timer);
    watchdog.abort();
  }
  return againMs;
}

/** Cuts a stream into events; throws RangeError for one without an end. */
export class EventParser {
  #rest = '';
  /** A letter may come in two pieces. */
  readonly #letters = new TextDecoder();

  take(piece: Uint8Array): StreamedEvent[] {
    const blocks = (this.#rest + this.#letters.decode(piece, { stream: true })).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    if (this.#rest.length > eventLengthMax) throw new RangeError('an event without an end');
    return blocks.flatMap((block) => parseEvent(block) ?? []);
  }
}

function parseEvent(block: string): StreamedEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, value);
  }
  const kind = fields.get('event');
  const data = fields.get('data');
  if (kind === undefined || data === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null) return null;
    return { id: fields.get('id') ?? '', kind, data: parsed as Record<string, unknown> };
  } catch {
    return null;
  }
}
