/** Carries out a run and records its facts, from the moment at which the cluster is formed: raft.tla has one set of members. */
import type { ConductorEvent } from '#conductor/core/events';
import type { OutboundRequest, WriteBatch } from '#conductor/core/ports';
import type { RaftPosition } from '#conductor/core/raft/status';
import { EntryType } from '#conductor/core/raft/types';
import { Execution } from '#simulator/execution';
import { Judge } from '#simulator/judge';
import type { Machine } from '#simulator/machine';
import type { Run } from '#simulator/run-value';
import { specEntry, type Fact, type Recording, type Sent, type SpecEntry, type StartServer } from './facts.ts';

/** How long a run goes on after its last fault is over. */
const SETTLE_MS = 3000;

/** The run must be one whose cluster can be formed; it is cut short after about so many facts. */
export function record(run: Run, factsMax = Infinity): Recording {
  const recorder = new Recorder();
  const execution = new Execution(run.configuration, recorder);
  const machines = execution.world?.machines ?? [];
  const begin = recorder.facts.length;
  const servers = machines.map((machine) => recorder.startOf(machine, machines));
  if (!isQuiet(servers)) recorder.facts.push({ kind: 'beyond', why: 'an election while the cluster was formed' });
  recorder.isFormed = true;
  const isEnough = (): boolean => recorder.facts.length - begin >= factsMax;
  for (const event of run.events) if (!isEnough()) execution.apply(event);
  if (!isEnough()) execution.advanceTo(Math.max(execution.calmFromMs - execution.nowMs, 0) + SETTLE_MS);
  return { servers, facts: recorder.facts, begin };
}

/** A judge without laws: what is recorded is judged by raft.tla. */
class Recorder extends Judge {
  readonly facts: Fact[] = [];
  isFormed = false;
  /** Whole logs, by server; a leader's with what it has sent and not yet written. */
  readonly #logs = new Map<number, SpecEntry[]>();
  readonly #sent = new Map<string, Sent>();
  readonly #positions = new Map<number, string>();
  /** Servers that have handled a request of which nothing was recorded since. */
  readonly #asked = new Set<number>();
  #machines: readonly Machine[] = [];

  constructor() {
    super([]);
  }

  /** The state of a server in a formed cluster. */
  startOf(machine: Machine, machines: readonly Machine[]): StartServer {
    const position = machine.conductor!.position();
    const { term, votedTerm, votedFor } = machine.disk.hardState!;
    const voter = votedTerm === term ? machines.findIndex(({ id }) => id === votedFor?.id) : -1;
    return {
      term,
      // A server that has recovered counts as having voted, for nobody: none is granted what it has given itself.
      votedFor: voter >= 0 ? voter : votedTerm === term ? machine.index : null,
      isLeader: position.role === 'leader',
      commitIndex: position.commitIndex,
      log: [...(this.#logs.get(machine.index) ?? [])],
    };
  }

  override sent(machine: Machine, message: OutboundRequest): void {
    super.sent(machine, message);
    const { request, requestId, peerId } = message;
    if (request.kind !== 'vote' && request.kind !== 'append') return;
    if (request.kind === 'append' && isHeartbeat(message)) return;
    this.#sent.set(`${machine.index}.${machine.life}.${requestId}`, request);
    this.facts.push({ kind: 'sent', at: machine.index, to: this.#indexOf(machine, peerId), request });
    if (this.isFormed || request.kind !== 'append') return;
    const log = this.#logOf(machine);
    for (const entry of request.entries ?? []) if (entry.index === log.length + 1) log.push(specEntry(entry));
  }

  override handled(machine: Machine, event: ConductorEvent): void {
    super.handled(machine, event);
    if (event.kind === 'request' && event.request.kind === 'append') {
      const { request } = event;
      if (request.prevLogIndex === 0 && (request.entries?.length ?? 0) === 0) return;
      this.#asked.add(machine.index);
      this.facts.push({ kind: 'asked', at: machine.index, request });
    } else if (event.kind === 'response') {
      const { response } = event;
      const request = this.#sent.get(`${machine.index}.${machine.life}.${event.requestId}`);
      if (request === undefined || response.kind !== request.kind || response.term !== request.term) return;
      const isGood = response.kind === 'vote' ? response.granted : response.kind === 'append' && response.success;
      if (isGood) this.facts.push({ kind: 'granted', at: machine.index, request });
    }
  }

  override written(machine: Machine, batch: WriteBatch): void {
    super.written(machine, batch);
    const { hardState, entries = [], truncateFrom, snapshot } = batch;
    if (snapshot !== undefined) this.#beyond('a snapshot');
    if (hardState?.recovering === true) this.#beyond('a new store');
    if (entries.some(({ entry }) => entry.type === EntryType.configuration)) this.#beyond('a change of members');
    if (!this.isFormed) {
      const log = this.#logOf(machine);
      if (truncateFrom !== undefined) log.length = Math.min(log.length, truncateFrom - 1);
      for (const { entry } of entries) if (entry.index === log.length + 1) log.push(specEntry(entry));
    }
    const { lastIndex } = machine.disk;
    const last = machine.disk.entryAt(lastIndex);
    this.facts.push({
      kind: 'written',
      at: machine.index,
      ...(hardState === undefined ? {} : { ballot: this.#ballotOf(machine, hardState) }),
      entries: entries.map(({ entry }) => ({ index: entry.index, ...specEntry(entry) })),
      lastIndex,
      last: last === null ? null : specEntry(last),
    });
  }

  override observed(machine: Machine, position: RaftPosition): void {
    super.observed(machine, position);
    const { role, term, commitIndex, hasFailed } = position;
    if (hasFailed) return;
    const text = `${role} ${term} ${commitIndex}`;
    if (this.#positions.get(machine.index) === text && !this.#asked.delete(machine.index)) return;
    this.#positions.set(machine.index, text);
    this.#asked.delete(machine.index);
    this.facts.push({ kind: 'observed', at: machine.index, role, term, commitIndex });
  }

  override started(machine: Machine): void {
    super.started(machine);
    if (!this.#machines.includes(machine)) this.#machines = [...this.#machines, machine];
    this.#positions.delete(machine.index);
    this.facts.push({ kind: 'started', at: machine.index, lastIndex: machine.disk.lastIndex });
  }

  override wiped(machine: Machine): void {
    super.wiped(machine);
    this.#beyond('a lost disk');
  }

  #beyond(why: string): void {
    if (this.isFormed) this.facts.push({ kind: 'beyond', why });
  }

  #ballotOf(machine: Machine, { term, votedTerm, votedFor }: NonNullable<WriteBatch['hardState']>) {
    const voted = votedTerm === term && votedFor !== null ? this.#indexOf(machine, votedFor.id ?? '') : null;
    return { term, votedFor: voted };
  }

  #indexOf(machine: Machine, id: string): number {
    if (id === machine.id) return machine.index;
    return this.#machines.find((other) => other.id === id)?.index ?? -1;
  }

  #logOf({ index }: Machine): SpecEntry[] {
    const log = this.#logs.get(index) ?? [];
    this.#logs.set(index, log);
    return log;
  }
}

/** One leader, whose term all are in, and followers whose logs are beginnings of its log. */
function isQuiet(servers: readonly StartServer[]): boolean {
  const leaders = servers.filter(({ isLeader }) => isLeader);
  const [leader] = leaders;
  if (leader === undefined || leaders.length > 1) return false;
  return servers.every(
    ({ term, log }) =>
      term === leader.term &&
      log.every((entry, at) => entry.term === leader.log[at]?.term && entry.value === leader.log[at]?.value),
  );
}

function isHeartbeat({ channel, request }: OutboundRequest): boolean {
  return (
    channel === 'heartbeat' || (request.kind === 'append' && request.prevLogIndex === 0 && !request.entries?.length)
  );
}
