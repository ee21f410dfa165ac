/**
 * A run that a reader acts in: the simulator's execution, moved on by whole milliseconds, so that whatever is done
 * is written down exactly and its string brings anybody to the very same moment. Knows no timers: cluster-worker.ts
 * has the only one.
 */
import { EntryType, type Entry } from '#conductor/core/raft/types';
import type { MethodName } from '#conductor/core/rpc/methods';
import { Execution } from '#simulator/execution';
import type { SimEvent } from '#simulator/faults';
import { laws } from '#simulator/oracles/laws';
import { leftOut } from '#simulator/oracles/oracle';
import type { Machine } from '#simulator/machine';
import { EVENTS_MAX, EVENT_LIMITS, runToText } from '#simulator/run-value';
import { endOf } from './event-words.ts';
import type { Moment } from './link.ts';
import { Observer } from './observer.ts';
import { answerOn } from './port.ts';
import type { Frame, LinkFrame, Measure, NodeFrame, PortAnswer, PortCall } from './protocol.ts';
import { RefusedError, runOf } from './run-of-moment.ts';
import { seconds } from './seconds.ts';
import { clusterVerbs, eventsOf, verbOf, type ClusterVerbName, type VerbName } from './verbs.ts';
import { obstacle } from './obstacle.ts';

/** A page lets a run go on for so long. */
const LASTS_MS_MAX = 1_800_000;
/** Entries of a log that are told. */
const MEASURES_MAX = 24;
/** No block for so long, and it is said. */
const SILENT_MS = 2500;
/** A step to the next sentence looks so far ahead. */
const STEP_MS_MAX = 10_000;
/** A client waits so long for an answer. */
const CALL_MS_MAX = 2000;
/** Virtual time between two looks at whether the chain is silent. */
const LOOK_MS = 100;

/** Laws that this build judges (site/engine/small-cluster.ts leaves some out). */
const lawsJudged = Object.values(laws).filter((law) => law !== leftOut).length;

export class LiveRun {
  readonly #observer = new Observer();
  readonly #execution: Execution;
  /** What is still to happen of the run that was opened, and the time to let pass after it. */
  readonly #rest: SimEvent[];
  #restMs: number;
  /** What the one who shared the moment saw; empty for nothing to compare with. */
  readonly #trace: string;
  /** Whole milliseconds since the last event. */
  #afterMs = 0;
  #isSilenceSaid = false;
  readonly #answers = new Map<string, boolean>();
  readonly #committed = new Map<string, number>();

  /** Throws RefusedError for a string that is no run, or one that takes too long. */
  constructor(moment: Moment) {
    this.#trace = moment.trace;
    const run = runOf(moment, LASTS_MS_MAX);
    this.#rest = [...run.events];
    this.#restMs = moment.afterMs;
    this.#execution = new Execution(run.configuration, this.#observer, (event) => this.#tellEnd(event));
    this.#observer.begin();
    if (!this.isReplaying) this.#arrive();
  }

  get isReplaying(): boolean {
    return this.#rest.length > 0 || this.#restMs > 0;
  }

  /** Why time cannot go on; null while it can. */
  get ended(): string | null {
    if (this.#execution.isOver) return 'A law is broken: the run ends here.';
    if (this.#observer.shownMs >= LASTS_MS_MAX) return 'Half an hour has passed: start over to go on.';
    if (this.#afterMs >= EVENT_LIMITS.afterMs) return 'Ten minutes without an act have passed: do something to go on.';
    return null;
  }

  /** Lets whole milliseconds pass; fewer at the end of the run or of its replay. */
  pass(ms: number): void {
    const untilMs = Math.min(this.#afterMs + ms, EVENT_LIMITS.afterMs);
    while (this.#afterMs < untilMs && !this.#execution.isOver) {
      this.#afterMs = Math.min(this.#afterMs + LOOK_MS, untilMs);
      this.#execution.advanceTo(this.#afterMs);
      this.#listen();
    }
  }

  /** Goes towards the moment that was opened, by so much at most. */
  replay(ms: number): void {
    const next = this.#rest[0];
    const wantedMs = next?.afterMs ?? this.#restMs;
    this.pass(Math.min(ms, wantedMs - this.#afterMs));
    if (this.#execution.isOver) {
      this.#rest.length = 0;
      this.#restMs = 0;
    }
    if (this.#afterMs < wantedMs) return;
    if (next === undefined) this.#restMs = 0;
    else {
      this.#rest.shift();
      this.#apply(next);
    }
    if (!this.isReplaying) this.#arrive();
  }

  /** Goes on until something is worth a sentence. */
  passToSentence(): void {
    const { saidCount } = this.#observer;
    for (let passedMs = 0; passedMs < STEP_MS_MAX && this.ended === null; passedMs++) {
      this.pass(1);
      if (this.#observer.saidCount > saidCount) return;
    }
  }

  /** Does something, or ends it when it is under way. Throws RefusedError. */
  act(verb: VerbName, at: number | 'leader'): void {
    const machine = this.#target(at);
    const { run } = this.#execution;
    const underWay = this.#execution.underWay.filter((number) => {
      const event = run.events[number]!;
      return verbOf(event) === verb && event.at % run.configuration.servers === machine.index;
    });
    if (underWay.length > 0) {
      for (const number of underWay) this.#execution.endEarly(number);
      return;
    }
    const reason = obstacle(verb, { name: machine.id, presence: presenceOf(machine) });
    if (reason !== null) throw new RefusedError(reason);
    this.#applyAll(eventsOf(verb, machine.index, run.configuration.servers, this.#afterMs));
  }

  /** Does something to the whole cluster. Throws RefusedError. */
  actOnAll(verb: ClusterVerbName): void {
    const { event: kind, forMs, amount } = clusterVerbs[verb];
    this.#applyAll([{ kind, afterMs: this.#afterMs, at: 0, to: 0, forMs, amount }]);
  }

  /**
   * Posts a body to a server's port and lets time pass until it is answered. What the call changes is in no link: a
   * run's string has no calls.
   */
  call(call: PortCall): PortAnswer {
    const machine = this.#execution.world!.machine(call.at);
    const answers: string[] = [];
    answerOn(machine, call, (answer) => answers.push(answer));
    let tookMs = 0;
    for (; answers.length === 0 && tookMs < CALL_MS_MAX && this.ended === null; tookMs++) this.pass(1);
    return { id: call.id, text: answers[0] ?? null, tookMs };
  }

  frame(isPlaying: boolean): Frame {
    const observer = this.#observer;
    const { machines } = this.#execution.world!;
    const { violation } = observer;
    return {
      nowMs: observer.shownMs,
      isPlaying,
      isReplaying: this.isReplaying,
      ended: this.ended,
      run: runToText(this.#execution.run),
      afterMs: this.#afterMs,
      hash: observer.hash,
      lawsHeld: lawsJudged - (violation === null ? 0 : 1),
      lawBroken: violation === null ? null : `${violation.law}: ${violation.message}`,
      nodes: machines.map((machine) => this.#node(machine)),
      links: this.#links(),
      strokes: observer.takeStrokes(),
      blocks: [...observer.blocks],
      sentences: observer.takeSentences(),
    };
  }

  /** Where the link leads to: says in what it is not what its reader may think. */
  #arrive(): void {
    const { configuration, events } = this.#execution.run;
    const { servers } = configuration;
    const beyond = events.find(({ at }) => at >= servers);
    if (beyond !== undefined)
      this.#observer.tell(
        `this address names s${beyond.at}, and the last server here is s${servers - 1}: it counts on from s0, so s${beyond.at % servers} was meant`,
        true,
      );
    if (this.#trace !== '' && this.#trace !== this.#observer.hash)
      this.#observer.tell(
        'this address was made with another version of the simulator: what it showed was not this',
        true,
      );
  }

  #applyAll(events: readonly SimEvent[]): void {
    if (this.#execution.run.events.length + events.length > EVENTS_MAX)
      throw new RefusedError(`A run has at most ${EVENTS_MAX} events. Start over to do more.`);
    for (const event of events) this.#apply(event);
  }

  #apply(event: SimEvent): void {
    this.#execution.apply(event);
    this.#afterMs = 0;
  }

  #target(at: number | 'leader'): Machine {
    const world = this.#execution.world!;
    if (at !== 'leader') return world.machine(at);
    const leader = world.leader();
    if (leader === null) throw new RefusedError('Nobody leads at the moment.');
    return leader;
  }

  #tellEnd(event: SimEvent): void {
    this.#observer.tell(endOf(event, this.#execution.run.configuration.servers), true);
  }

  /** Says so when the chain falls silent. */
  #listen(): void {
    const silentMs = this.#observer.shownMs - (this.#observer.blocks.at(-1)?.atMs ?? 0);
    const isSilent = silentMs >= SILENT_MS * this.#execution.run.configuration.blockSeconds;
    if (isSilent && !this.#isSilenceSaid) this.#observer.tell(`no block for ${seconds(silentMs)}`, true);
    this.#isSilenceSaid = isSilent;
  }

  #node(machine: Machine): NodeFrame {
    const { conductor, disk, node } = machine;
    const { configuration, events } = this.#execution.run;
    const position = conductor?.position();
    const own = this.#execution.underWay.map((number) => events[number]!);
    const names = own.filter(({ at }) => at % configuration.servers === machine.index).map(verbOf);
    return {
      name: machine.id,
      presence: presenceOf(machine),
      role: position?.role ?? this.#observer.roleOf(machine),
      term: position?.term ?? disk.hardState?.term ?? 0,
      isPaused: this.#ask(machine, 'conductor_paused', false),
      isHealthy: this.#ask(machine, 'conductor_sequencerHealthy', true),
      sequencer: !node.isUp ? 'down' : node.isActive ? 'active' : 'idle',
      head: node.head.number,
      commitIndex: this.#commitIndex(machine, position?.commitIndex),
      lastIndex: disk.lastIndex,
      log: measuresOf(machine),
      verbs: [...new Set(names.filter((name) => name !== null))],
    };
  }

  /** What it knows to be committed; what it knew last while it is down. */
  #commitIndex({ id }: Machine, known: number | undefined): number {
    if (known !== undefined) this.#committed.set(id, known);
    return this.#committed.get(id) ?? 0;
  }

  /** What a conductor answers now; what it answered last when it cannot. */
  #ask({ conductor, id, nowMs }: Machine, method: MethodName, otherwise: boolean): boolean {
    const key = `${id} ${method}`;
    if (conductor === null) this.#answers.delete(key);
    const outcome = conductor?.answerNow(method, nowMs);
    if (outcome?.kind === 'result') this.#answers.set(key, outcome.json === 'true');
    return this.#answers.get(key) ?? otherwise;
  }

  #links(): readonly LinkFrame[] {
    const { machines, links } = this.#execution.world!;
    const found: LinkFrame[] = [];
    for (const { index: from } of machines)
      for (const { index: to } of machines) {
        if (from === to || links.isClean(from, to)) continue;
        found.push({ from, to, state: links.isCut(from, to) ? 'cut' : 'impaired' });
      }
    return found;
  }
}

function presenceOf({ conductor, isFrozen }: Machine): NodeFrame['presence'] {
  if (conductor === null) return 'down';
  return isFrozen ? 'frozen' : 'up';
}

function measuresOf({ disk }: Machine): Measure[] {
  const first = Math.max(disk.firstIndex, disk.lastIndex - MEASURES_MAX + 1);
  const measures: Measure[] = [];
  for (let index = first; index <= disk.lastIndex; index++) {
    const entry = disk.entryAt(index);
    if (entry !== null) measures.push({ index, term: entry.term, kind: measureKind(entry) });
  }
  return measures;
}

function measureKind({ type }: Entry): Measure['kind'] {
  if (type === EntryType.command) return 'block';
  return type === EntryType.configuration ? 'membership' : 'other';
}
