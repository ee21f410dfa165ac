/**
 * Watches a run as the simulator's judge does, every law included, and keeps what there is to show: messages that
 * arrived, blocks, and what happened in sentences.
 */
import type { ConductorEvent } from '#conductor/core/events';
import type { LogLevel } from '#conductor/core/ports';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Block } from '#simulator/blocks';
import type { SimEvent } from '#simulator/faults';
import { Judge } from '#simulator/judge';
import type { Machine } from '#simulator/machine';
import type { World } from '#simulator/world';
import { beginningOf } from './event-words.ts';
import type { BlockFrame, NodeFrame, Sentence, StrokeFrame } from './protocol.ts';
import { seconds } from './seconds.ts';

/** Blocks, and messages and sentences between two frames, that are kept. */
const BLOCKS_MAX = 64;
const STROKES_MAX = 24;
const SENTENCES_MAX = 400;
/** What arrived before that is no news, however much time has passed since the last frame. */
const STROKES_MS = 200;
/** From here on a pause between two blocks is worth a word: blocks of a second, and a half. */
const GAP_MS = 1500;

export class Observer extends Judge {
  #watched: World | null = null;
  #formedMs = 0;
  #isFormed = false;
  #blocks: BlockFrame[] = [];
  #strokes: StrokeFrame[] = [];
  #sentences: Sentence[] = [];
  readonly #roles = new Map<string, NodeFrame['role']>();
  #nextId = 1;
  #saidCount = 0;

  /** The cluster is formed: time and sentences begin. */
  begin(): void {
    this.#formedMs = this.#watched?.nowMs ?? 0;
    this.#isFormed = true;
    this.#strokes = [];
    const { length } = this.#blocks;
    this.#blocks = this.#blocks.slice(length - 1).map((block) => ({ ...block, atMs: block.atMs - this.#formedMs }));
  }

  /** Virtual milliseconds since the cluster was formed. */
  get shownMs(): number {
    return (this.#watched?.nowMs ?? 0) - this.#formedMs;
  }

  get blocks(): readonly BlockFrame[] {
    return this.#blocks;
  }

  /** Sentences said so far, taken ones included. */
  get saidCount(): number {
    return this.#saidCount;
  }

  /** What came since it was last taken. */
  takeStrokes(): readonly StrokeFrame[] {
    const sinceMs = this.shownMs - STROKES_MS;
    return this.#strokes.splice(0).filter(({ atMs }) => atMs >= sinceMs);
  }

  takeSentences(): readonly Sentence[] {
    return this.#sentences.splice(0);
  }

  /** As it was when it was last seen. */
  roleOf(machine: Machine): NodeFrame['role'] {
    return this.#roles.get(machine.id) ?? 'follower';
  }

  /** Adds a sentence; it gets its capital and its full stop here. */
  tell(text: string, isLoud: boolean, atMs = this.shownMs): void {
    // The names of servers are written small.
    const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/^S(?=\d)/, 's');
    const last = this.#sentences.at(-1);
    if (!this.#isFormed || (last?.text === sentence && last.atMs === atMs)) return;
    this.#saidCount++;
    if (this.#sentences.length >= SENTENCES_MAX) this.#sentences.shift();
    this.#sentences.push({ id: this.#nextId++, atMs, text: sentence, isLoud });
  }

  override watch(world: World): void {
    super.watch(world);
    this.#watched = world;
  }

  override happened(event: SimEvent): void {
    super.happened(event);
    this.tell(beginningOf(event, this.#watched?.machines.length ?? 3), true);
  }

  override started(machine: Machine): void {
    super.started(machine);
    if (machine.life > 1) this.tell(`conductor ${machine.id} starts`, false);
  }

  override ended(machine: Machine): void {
    super.ended(machine);
    this.#roles.delete(machine.id);
    this.tell(`conductor ${machine.id} has ended`, false);
  }

  override handled(machine: Machine, event: ConductorEvent): void {
    super.handled(machine, event);
    if (!this.#isFormed) return;
    const message = event.kind === 'request' ? event.request : event.kind === 'response' ? event.response : null;
    if (message === null || message.kind === 'error') return;
    const from = this.#watched!.machines.findIndex(({ id }) => id === message.id);
    if (from < 0) return;
    const kind = strokeOf(message, event.kind === 'request');
    const to = machine.index;
    if (kind === null) return;
    // One of a kind is enough, and the latest is the one that counts.
    const same = this.#strokes.findIndex((one) => one.from === from && one.to === to && one.kind === kind);
    if (same >= 0) this.#strokes.splice(same, 1);
    if (this.#strokes.length >= STROKES_MAX) this.#strokes.shift();
    this.#strokes.push({ id: this.#nextId++, from, to, kind, atMs: this.shownMs });
  }

  override observed(machine: Machine, status: RaftPosition): void {
    super.observed(machine, status);
    const { role, term } = status;
    const before = this.#roles.get(machine.id);
    if (before === role) return;
    this.#roles.set(machine.id, role);
    if (role === 'leader') this.tell(`${machine.id} leads in term ${term}`, true);
    else if (role === 'candidate') this.tell(`${machine.id} asks for votes in term ${term}`, false);
    else if (before === 'leader') this.tell(`${machine.id} steps down and follows`, true);
  }

  override published(machine: Machine, block: Block): void {
    super.published(machine, block);
    const { shownMs } = this;
    const last = this.#blocks.at(-1);
    const gapMs = last === undefined ? 0 : shownMs - last.atMs;
    this.#blocks.push({ number: block.number, atMs: shownMs, by: machine.index });
    if (this.#blocks.length > BLOCKS_MAX) this.#blocks.shift();
    if (gapMs >= GAP_MS)
      this.tell(`${machine.id} publishes block ${block.number}, ${seconds(gapMs)} after the one before it`, true);
    else this.tell(`${machine.id} publishes block ${block.number}`, false);
  }

  override overridden(machine: Machine): void {
    super.overridden(machine);
    this.tell(`${machine.id} sequences without the log`, true);
  }

  override said(machine: Machine, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    super.said(machine, level, message, fields);
    const text = message === 'Sequencer is unhealthy' ? String(fields?.['err']) : message;
    if (level === 'warn' || level === 'error') this.tell(`${machine.id} says: ${text}`, false);
  }

  override broken(...args: Parameters<Judge['broken']>): void {
    super.broken(...args);
    const [law, message] = args;
    this.tell(`a law is broken: ${law}: ${message}`, true);
  }
}

type Message =
  | Extract<ConductorEvent, { kind: 'request' }>['request']
  | Extract<ConductorEvent, { kind: 'response' }>['response'];

/** How a message is drawn; null for answers that only say yes. */
function strokeOf(message: Message, isRequest: boolean): StrokeFrame['kind'] | null {
  if (message.kind === 'vote' || message.kind === 'prevote') return 'vote';
  if (!isRequest) return null;
  if (message.kind === 'timeoutNow') return 'handover';
  if (message.kind === 'append') return 'entries' in message && message.entries?.length ? 'append' : 'heartbeat';
  return 'append';
}
