/**
 * One server of a transcript: a RaftNode with a disk and a clock of its own, whose every effect is written down in the
 * order in which it happens. What it sends waits with the cluster until a command delivers it.
 */
import { atOnce, Driver } from '../../drive.ts';
import type { OutboundRequest } from '../../ports.ts';
import type { RaftEvent, RaftOptions, Ready } from '../events.ts';
import { RaftNode } from '../node.ts';
import { RAFT_DEFAULTS } from '../options.ts';
import type { RpcResponse } from '../types.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';
import { entryText, noticeText, resultText, writeText } from './message-text.ts';

export interface TranscriptHost {
  line(text: string): void;
  send(message: OutboundRequest): void;
  reply(inboundId: number, response: RpcResponse): void;
  /** When the next of its requests has been without an answer for too long, by its own clock; and its failure then. */
  nextTimeoutMs(): number;
  failOverdue(): void;
  /** What a command asked for, by its request id, as it was written. */
  asked(requestId: number): string;
}

/** Applies in front of the reader. */
class SpokenMachine extends ListMachine {
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    super();
    this.#say = say;
  }

  override apply(entry: Parameters<ListMachine['apply']>[0]): string {
    const command = super.apply(entry);
    this.#say(`applies ${entry.index} "${command}"`);
    return command;
  }
}

export class TranscriptServer {
  readonly id: string;
  readonly #host: TranscriptHost;
  readonly #options: Partial<RaftOptions>;
  #store: MemoryStore;
  node: RaftNode | null = null;
  #driver: Driver<Ready> | null = null;
  /** Of its own clock: servers never compare theirs. */
  nowMs = 0;

  constructor(id: string, store: MemoryStore, options: Partial<RaftOptions>, host: TranscriptHost) {
    this.id = id;
    this.#store = store;
    this.#options = options;
    this.#host = host;
  }

  start(): void {
    const say = (text: string): void => this.#host.line(`${this.id} ${text}`);
    const { id } = this;
    const store = this.#store;
    const options = { ...RAFT_DEFAULTS, ...this.#options, id, address: `${id}:1` };
    const stateMachine = new SpokenMachine(say);
    const wallClock = { unixMs: () => this.nowMs, aheadMs: () => 0 };
    const node = new RaftNode(
      options,
      { store, stateMachine, random: { next: () => 0.5 }, wallClock, version: 'test' },
      this.nowMs,
    );
    this.node = node;
    this.#driver = new Driver<Ready>({
      core: node,
      writer: atOnce({
        write: (batch) => {
          store.write(batch);
          say(`writes ${writeText(batch)}`);
        },
      }),
      transport: {
        send: (message) => this.#host.send(message),
        reply: (inboundId, response) => this.#host.reply(inboundId, response),
        forget: (peerId) => say(`closes its connections to ${peerId}`),
      },
      nowMs: () => this.nowMs,
      writeFailed: () => say('cannot write'),
      deliver: ({ results, notices }) => {
        for (const notice of notices) {
          const text = noticeText(notice, id);
          if (text !== null) say(text);
        }
        for (const result of results) say(`answers ${this.#host.asked(result.requestId)}: ${resultText(result)}`);
      },
    });
    this.#driver.drain();
  }

  get isRunning(): boolean {
    return this.node !== null;
  }

  stop(): void {
    this.node = null;
    this.#driver?.stop();
  }

  /** Its disk is replaced by an empty one, while it is down. */
  wipe(): void {
    this.#store = new MemoryStore();
  }

  takeSnapshot(): void {
    this.node?.takeSnapshot();
    this.#driver?.drain();
  }

  /** From now on its disk takes nothing. */
  failDisk(): void {
    this.#store.failure = 'disk full';
  }

  handle(event: RaftEvent): void {
    this.node?.handle(event, this.nowMs);
    if (this.node !== null) this.#driver!.drain();
  }

  /** Lets its clock run, from deadline to deadline; ends early once `until` holds. */
  wait(ms: number, until: () => boolean = () => false): void {
    const endMs = this.nowMs + ms;
    while (this.node !== null && !until()) {
      const atMs = Math.min(this.node.nextDeadlineMs(), this.#host.nextTimeoutMs());
      if (atMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, atMs);
      this.#host.failOverdue();
      this.handle({ kind: 'tick' });
    }
    if (!until()) this.nowMs = endMs;
  }

  /** What its disk holds, and how far it has applied, in a line. */
  logText(): string {
    const { entries, snapshot } = this.#store.load();
    const from = entries[0]?.index ?? 0;
    const held = from === 0 ? [] : this.#store.read(from, from + entries.length - 1, Infinity);
    const state = this.node === null ? 'down' : `committed ${this.node.status().commitIndex}`;
    const before = snapshot === null ? '' : `snapshot through ${snapshot.index}/${snapshot.term}, `;
    return `${this.id}: ${before}${held.map(entryText).join(', ') || 'nothing'}; ${state}`;
  }
}
