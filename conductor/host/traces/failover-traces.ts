/**
 * Makes traces of failovers of what a conductor publishes of itself. The server that takes over: elect, confirm, catch up,
 * start, first block. The one that hands over: stop, transfer. Both name the term, by which they are found together.
 */
import type { FinishedSpan, TraceSink } from '#conductor/adapters/tracing/finished-trace';
import type { PublishedEvent } from '#conductor/core/published-event';

/** Most phases of one trace: a start that fails is tried again and again. */
const phasesMax = 64;

export interface FailoverTracesOptions {
  readonly serverId: string;
  readonly sink: TraceSink;
  readonly nowMs: () => number;
}

type Attributes = FinishedSpan['attributes'];
type Event<Kind extends PublishedEvent['kind']> = Extract<PublishedEvent, { readonly kind: Kind }>;

/** A trace under way. */
interface Course {
  readonly name: 'failover' | 'handover';
  readonly beganMs: number;
  /** When the phase that is under way began. */
  phaseMs: number;
  readonly phases: FinishedSpan[];
  attributes: Attributes;
  isConfirmed: boolean;
  hasOrdered: boolean;
  hasStarted: boolean;
  /** Orders that have not ended. */
  pending: number;
}

export class FailoverTraces {
  readonly #options: FailoverTracesOptions;
  #isLeader = false;
  /** Since when no leader is known, or this server is no follower any more; null while there is one. */
  #lostMs: number | null = null;
  #term = 0;
  /** Why this server last was a candidate. */
  #campaign = '';
  #takingOver: Course | null = null;
  #handingOver: Course | null = null;

  constructor(options: FailoverTracesOptions) {
    this.#options = options;
  }

  published(event: PublishedEvent): void {
    switch (event.kind) {
      case 'role':
        return this.#roleIs(event);
      case 'leader':
        return this.#leaderIs(event);
      case 'confirmed':
        return this.#confirmed(event);
      case 'order':
        return this.#ordered(event);
      case 'orderDone':
        return this.#orderDone(event);
      case 'commit':
        return this.#committed(event);
    }
  }

  /** Tells what is not over: the process is. */
  end(): void {
    this.#finish('takingOver', 'the process ended');
    this.#finish('handingOver', 'the process ended');
  }

  #roleIs({ role, term, reason }: Event<'role'>): void {
    const nowMs = this.#options.nowMs();
    this.#term = term;
    this.#isLeader = role === 'leader';
    if (role === 'leader') {
      this.#takingOver = course('failover', this.#lostMs ?? nowMs, { 'raft.term': term });
      this.#phase(this.#takingOver, 'elect', { 'raft.term': term, 'raft.reason': this.#campaign || reason });
      this.#lostMs = null;
      return;
    }
    this.#finish('takingOver', `leadership was lost: ${reason}`);
    if (role !== 'candidate') return;
    this.#campaign = reason;
    this.#lostMs ??= nowMs;
  }

  #leaderIs({ leader, term }: Event<'leader'>): void {
    if (leader === null) {
      if (!this.#isLeader) this.#lostMs ??= this.#options.nowMs();
      return;
    }
    if (leader === this.#options.serverId) return;
    this.#lostMs = null;
    const handing = this.#handingOver;
    if (handing === null) return;
    handing.attributes = { ...handing.attributes, 'raft.leader': leader, 'raft.term': term };
    if (handing.pending > 0) return;
    this.#phase(handing, 'new leader', {});
    this.#finish('handingOver', null);
  }

  #confirmed({ confirmed, message }: Event<'confirmed'>): void {
    const taking = this.#takingOver;
    if (taking === null || taking.isConfirmed) return;
    this.#phase(taking, 'confirm', {}, confirmed ? null : message);
    taking.isConfirmed = confirmed;
  }

  #ordered({ order, payloads }: Event<'order'>): void {
    if (order !== 'start') {
      this.#handingOver ??= course('handover', this.#options.nowMs(), { 'raft.term': this.#term });
      this.#handingOver.phaseMs = this.#options.nowMs();
      this.#handingOver.pending += 1;
      return;
    }
    if (this.#handingOver?.pending === 0) this.#finish('handingOver', 'the lead was kept');
    const taking = this.#takingOver;
    if (taking === null) return;
    this.#phase(taking, 'catch up', { 'conductor.payloads': payloads });
    taking.hasOrdered = true;
  }

  #orderDone({ order, done, message }: Event<'orderDone'>): void {
    const about = order === 'start' ? this.#takingOver : this.#handingOver;
    if (about === null) return;
    if (order !== 'start') about.pending -= 1;
    this.#phase(about, order === 'start' ? 'start sequencer' : `${order}`, {}, done ? null : message);
    if (order === 'start') about.hasStarted ||= done;
    else if (order === 'transfer' && !done) this.#finish('handingOver', message);
    // Who stops without leading has been followed already: nobody else is waited for.
    else if (order === 'stop' && !this.#isLeader && this.#lostMs === null) this.#finish('handingOver', null);
  }

  #committed({ number, hash }: Event<'commit'>): void {
    const taking = this.#takingOver;
    // A node that builds already is not started. What the old leader left is committed before the leadership is confirmed.
    if (taking === null || !(taking.hasStarted || (taking.isConfirmed && !taking.hasOrdered))) return;
    this.#phase(taking, 'first block', { 'block.number': number, 'block.hash': hash });
    this.#finish('takingOver', null);
  }

  /** The phase under way is over, and the next begins. */
  #phase(of: Course, name: string, attributes: Attributes, error: string | null = null): void {
    const endedMs = this.#options.nowMs();
    if (of.phases.length < phasesMax)
      of.phases.push({ name, beganMs: of.phaseMs, endedMs, attributes, error, children: [] });
    of.phaseMs = endedMs;
  }

  #finish(which: 'takingOver' | 'handingOver', error: string | null): void {
    const over = which === 'takingOver' ? this.#takingOver : this.#handingOver;
    if (over === null) return;
    if (which === 'takingOver') this.#takingOver = null;
    else this.#handingOver = null;
    const { name, beganMs, phases, attributes } = over;
    const { serverId, nowMs, sink } = this.#options;
    const named = { 'conductor.server': serverId, ...attributes };
    const root = { name, beganMs, endedMs: nowMs(), attributes: named, error, children: phases };
    sink.emit({ root, kind: 'internal', parent: null });
  }
}

function course(name: Course['name'], beganMs: number, attributes: Attributes): Course {
  const state = { isConfirmed: false, hasOrdered: false, hasStarted: false, pending: 0 };
  return { name, beganMs, phaseMs: beganMs, phases: [], attributes, ...state };
}
