/** Tells every oracle what happens, names the first law that is broken, and keeps what a story needs. */
import type { ConductorEvent } from '#conductor/core/events';
import type { LogLevel, OutboundRequest, WriteBatch } from '#conductor/core/ports';
import type { NodeRequest } from '#conductor/core/node/calls';
import type { RaftPosition } from '#conductor/core/raft/status';
import type { Outcome } from '#conductor/core/rpc/message';
import type { Block } from './blocks.ts';
import type { PayloadStatus } from './execution-client.ts';
import { storyOf, type SimEvent } from './faults.ts';
import type { Machine } from './machine.ts';
import { laws, type LawName } from './oracles/laws.ts';
import { inMixedCluster, mixedScopes } from './oracles/mixed-laws.ts';
import { SecondBlocks } from './oracles/second-blocks.ts';
import type { Ending, Oracle } from './oracles/oracle.ts';
import { ShownPositions } from './shown-positions.ts';
import { watchForSometimes } from './sometimes.ts';
import { tallyOf } from './tally.ts';
import { Trace } from './trace.ts';
import { noneTold, type Call, type RunObserver } from './observer.ts';
import type { World } from './world.ts';

export interface Violation {
  readonly law: LawName;
  readonly message: string;
  readonly atMs: number;
}

/** One line of what happened. */
export interface Moment {
  readonly atMs: number;
  readonly text: string;
}

type Listeners = Readonly<Record<'sent' | 'observed' | 'observedAgain', readonly Oracle[]>> & {
  /** By the kind of the event; filled in as events come. */
  readonly handled: Map<ConductorEvent['kind'], readonly Oracle[]>;
};

/** Lines of a story that are kept; the oldest go first. */
const STORY_MAX = 4000;

export class Judge implements RunObserver {
  violation: Violation | null = null;
  readonly #told = noneTold();
  readonly moments: Moment[] = [];
  /** Things that are worth having happened (sometimes-assertions), with how often they did. */
  readonly sometimes = new Map<string, number>();
  readonly #names: readonly LawName[];
  #oracles: readonly Oracle[];
  /** Those that listen to what happens most often. */
  #listeners: Listeners;
  readonly #trace = new Trace();
  #world: World | null = null;
  readonly #shown = new ShownPositions();
  /** Where there are op-conductors. */
  #second: SecondBlocks | null = null;
  readonly #states = new Map<string, { role: string; term: number }>();

  /** `others` are told of everything, too, and judge nothing. */
  constructor(names: readonly LawName[] = Object.keys(laws) as LawName[], others: readonly Oracle[] = []) {
    this.#names = names;
    const count = (name: string): void => this.#count(name);
    const oracles = names.map((law) => laws[law]((message) => this.broken(law, message), count));
    this.#oracles = [...oracles, watchForSometimes(count), ...others];
    this.#listeners = listenersOf(this.#oracles);
  }

  get hash(): string {
    return this.#trace.hash;
  }

  /** Events handled by conductors, and blocks published. */
  get handledCount(): number {
    return this.#told.handled;
  }

  get publishedCount(): number {
    return this.#told.published;
  }

  tally(): ReadonlyMap<LawName, number> {
    return tallyOf(this.#told, this.#names, this.#oracles);
  }

  watch(world: World): void {
    this.#world = world;
    if (world.configuration.opConductors > 0) {
      this.#second = new SecondBlocks(world);
      this.#oracles = this.#oracles.map((oracle, at) => {
        const law = this.#names[at];
        return law === undefined ? oracle : inMixedCluster(oracle, mixedScopes[law]);
      });
      this.#listeners = listenersOf(this.#oracles);
    }
    for (const oracle of this.#oracles) oracle.watch?.(world);
  }

  broken(law: LawName, message: string): void {
    if (this.#second?.excuses(law) === true) return;
    this.violation ??= { law, message, atMs: this.#nowMs };
    this.#tell(`LAW BROKEN: ${law}: ${message}`);
  }

  /** An event of the run happens now. */
  happened(event: SimEvent): void {
    this.#trace.add(event.kind, event.at, this.#nowMs);
    this.#tell(storyOf(event, this.#world?.machines.length ?? 3));
    this.#count(`event ${event.kind}`);
  }

  finish(ending: Ending): void {
    for (const oracle of this.#oracles) oracle.finish?.(ending);
  }

  started(machine: Machine): void {
    this.#told.started++;
    this.#trace.add('start', machine.index, this.#nowMs);
    if (machine.life > 1) this.#tell(`conductor ${machine.id} starts`);
    for (const oracle of this.#oracles) oracle.started?.(machine);
  }

  ended(machine: Machine): void {
    this.#told.ended++;
    this.#trace.add('end', machine.index, this.#nowMs);
    this.#tell(`conductor ${machine.id} has ended`);
    this.#states.delete(machine.id);
    for (const oracle of this.#oracles) oracle.ended?.(machine);
  }

  exited(machine: Machine, undone: string): void {
    this.#told.exited++;
    if (undone !== '') this.#tell(`${machine.id} ends, and leaves undone: ${undone}`);
    for (const oracle of this.#oracles) oracle.exited?.(machine, undone);
  }

  wiped(machine: Machine): void {
    this.#told.wiped++;
    for (const oracle of this.#oracles) oracle.wiped?.(machine);
  }

  scrubbed(machine: Machine, index: number): void {
    this.#told.scrubbed++;
    this.#tell(`a scrub of ${machine.id} finds that entry ${index} cannot be read`);
    for (const oracle of this.#oracles) oracle.scrubbed?.(machine, index);
  }

  readBegins(machine: Machine): void {
    this.#told.readBegins++;
    for (const oracle of this.#oracles) oracle.readBegins?.(machine);
  }

  called(machine: Machine, call: Call): void {
    this.#told.called++;
    for (const oracle of this.#oracles) oracle.called?.(machine, call);
  }

  answered(machine: Machine, call: Call, outcome: Outcome): void {
    this.#told.answered++;
    for (const oracle of this.#oracles) oracle.answered?.(machine, call, outcome);
  }

  asked(machine: Machine, request: NodeRequest): void {
    this.#told.asked++;
    for (const oracle of this.#oracles) oracle.asked?.(machine, request);
  }

  handled(machine: Machine, event: ConductorEvent): void {
    this.#told.handled++;
    this.#trace.add(event.kind, machine.index, this.#nowMs);
    for (const oracle of this.#handlersOf(event.kind)) oracle.handled!(machine, event);
  }

  sent(machine: Machine, message: OutboundRequest): void {
    this.#told.sent++;
    for (const oracle of this.#listeners.sent) oracle.sent!(machine, message);
  }

  written(machine: Machine, batch: WriteBatch): void {
    this.#told.written++;
    this.#second?.written(machine, batch);
    this.#trace.add('write', machine.index, this.#nowMs);
    for (const oracle of this.#oracles) oracle.written?.(machine, batch);
  }

  observed(machine: Machine, status: RaftPosition): void {
    this.#told.observed++;
    const isAgain = this.#shown.isAgain(machine, status);
    if (!isAgain) this.#tellOfLeader(machine, status);
    if (!isAgain) this.#second?.observed(machine, status);
    const { observed, observedAgain } = this.#listeners;
    for (const oracle of isAgain ? observedAgain : observed) oracle.observed!(machine, status);
  }

  leftInDoubt(machine: Machine, block: Block): void {
    this.#told.leftInDoubt++;
    for (const oracle of this.#oracles) oracle.leftInDoubt?.(machine, block);
  }

  ordered(machine: Machine, method: Parameters<RunObserver['ordered']>[1], hash: string): void {
    this.#told.ordered++;
    for (const oracle of this.#oracles) oracle.ordered?.(machine, method, hash);
  }

  overridden(machine: Machine): void {
    this.#told.overridden++;
    this.#tell(`${machine.id} sequences without the log`);
    for (const oracle of this.#oracles) oracle.overridden?.(machine);
  }

  judged(machine: Machine, block: Block, status: PayloadStatus): void {
    this.#told.judged++;
    if (status === 'INVALID') this.#tell(`the client of ${machine.id} says that block ${block.number} is invalid`);
    for (const oracle of this.#oracles) oracle.judged?.(machine, block, status);
  }

  committed(machine: Machine, block: Block): void {
    this.#told.committed++;
    this.#second?.committed(block);
    for (const oracle of this.#oracles) oracle.committed?.(machine, block);
  }

  published(machine: Machine, block: Block): void {
    this.#told.published++;
    this.#trace.add(block.hash, machine.index, this.#nowMs);
    this.#tell(`${machine.id} publishes block ${block.number} (${block.hash.slice(2, 8)})`);
    for (const oracle of this.#oracles) oracle.published?.(machine, block);
  }

  handsOver(machine: Machine, to: string, isPastAppends: boolean, isAdvice: boolean): void {
    this.#told.handsOver++;
    for (const oracle of this.#oracles) oracle.handsOver?.(machine, to, isPastAppends, isAdvice);
  }

  said(machine: Machine, level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.#told.said++;
    if (level === 'warn' || level === 'error')
      this.#tell(`${machine.id} says: ${message}${fields?.['err'] === undefined ? '' : ` (${String(fields['err'])})`}`);
    for (const oracle of this.#oracles) oracle.said?.(machine, level, message, fields);
  }

  counted(machine: Machine, name: string, by: number): void {
    this.#told.counted++;
    for (const oracle of this.#oracles) oracle.counted?.(machine, name, by);
  }

  measured(machine: Machine, name: string, value: number): void {
    this.#told.measured++;
    for (const oracle of this.#oracles) oracle.measured?.(machine, name, value);
  }

  threw(machine: Machine, error: unknown): void {
    this.#told.threw++;
    this.#tell(`${machine.id} fails: ${String(error)}`);
    for (const oracle of this.#oracles) oracle.threw?.(machine, error);
  }

  get #nowMs(): number {
    return this.#world?.nowMs ?? 0;
  }

  #handlersOf(kind: ConductorEvent['kind']): readonly Oracle[] {
    const known = this.#listeners.handled.get(kind);
    if (known !== undefined) return known;
    const handlers = this.#oracles.filter(({ handled, handles }) => handled && (handles?.includes(kind) ?? true));
    this.#listeners.handled.set(kind, handlers);
    return handlers;
  }

  #tellOfLeader({ id }: Machine, { role, term }: RaftPosition): void {
    const state = this.#states.get(id);
    if (state?.role === role && state.term === term) return;
    this.#states.set(id, { role, term });
    if (role === 'leader') this.#tell(`${id} leads in term ${term}`);
  }

  #count(name: string): void {
    this.sometimes.set(name, (this.sometimes.get(name) ?? 0) + 1);
  }

  #tell(text: string): void {
    if (this.moments.length >= STORY_MAX) this.moments.shift();
    this.moments.push({ atMs: this.#nowMs, text });
  }
}

function listenersOf(oracles: readonly Oracle[]): Listeners {
  const observed = oracles.filter((oracle) => oracle.observed !== undefined);
  return {
    handled: new Map(),
    sent: oracles.filter(({ sent }) => sent !== undefined),
    observed,
    observedAgain: observed.filter(({ goesByPosition }) => goesByPosition !== true),
  };
}
