/**
 * A recorded run as steps of raft.tla. What raft.tla does not know is put in its words:
 * - a batch is its entries one by one, each sent when the batch was and taken when the batch was durable;
 * - an election is one step up in the term, with votes asked of everybody at once: a term that a server hears of in
 *   another way (a heartbeat, a pre-vote, an answer) is the request of its candidate, which may come at any time;
 * - pre-votes, refusals, hand-overs and what else changes nothing durable are no steps;
 * - a leader that steps down in its term restarts;
 * - a leader counts an acknowledgement when its commit index moves, for it counts its own copy when that is durable.
 * After each transaction term, vote and end of the log are compared, and every commit index and leader that shows.
 */
import type { AppendEntriesRequest } from '#conductor/core/raft/types';
import { specEntry, type Fact, type Recording, type Sent } from './facts.ts';
import { leadIfElected, restart, vote } from './elections.ts';
import { planOf, type Plan } from './plan.ts';
import { advance, propose, send, take } from './replication.ts';
import { actions, type Step } from './steps.ts';
import { Walker } from './walker.ts';

export interface Mapped {
  readonly steps: readonly Step[];
  /** Why the rest of the run is beyond raft.tla; null when all of it is mapped. */
  readonly endedBy: string | null;
}

/** Steps of the facts from `begin` on; at most `stepsMax` and what belongs to the last one. */
export function mapRecording(recording: Recording, stepsMax = Infinity): Mapped {
  const mapping = new Mapping(recording);
  const endedBy = mapping.run(stepsMax);
  return { steps: mapping.walker.steps, endedBy };
}

/** Facts to what is done about each. */
class Mapping {
  readonly walker: Walker;
  readonly #recording: Recording;
  readonly #plan: Plan;
  /** How each request went. */
  readonly #routes: ReadonlyMap<object, Extract<Fact, { kind: 'sent' }>>;

  constructor(recording: Recording) {
    this.walker = new Walker(recording);
    this.#recording = recording;
    this.#plan = planOf(recording);
    this.#routes = new Map(recording.facts.flatMap((fact) => (fact.kind === 'sent' ? [[fact.request, fact]] : [])));
  }

  run(stepsMax: number): string | null {
    const { facts, begin, servers } = this.#recording;
    for (const [number, fact] of facts.entries()) {
      this.walker.fact = number;
      // What is on its way when the cluster is formed has been sent by its leader. One that leads no more by then, of a
      // cluster that an election is in the midst of, has no place in a state of raft.tla where nobody leads.
      if (number < begin) {
        if (fact.kind === 'sent' && servers[fact.at]?.isLeader === true)
          send(this.walker, fact.at, fact.to, this.#entriesOf(fact.request));
        continue;
      }
      if (this.walker.steps.length >= stepsMax) return 'enough steps';
      const beyond = this.#map(number, fact);
      if (beyond !== null) return beyond;
    }
    return null;
  }

  #map(number: number, fact: Fact): string | null {
    switch (fact.kind) {
      case 'beyond':
        return fact.why;
      case 'started':
        return this.#started(fact.at, fact.lastIndex);
      case 'sent':
        if (fact.request.kind === 'append') this.#sent(fact.at, fact.to, fact.request);
        return null;
      case 'granted':
        this.#granted(fact);
        return null;
      case 'written':
        this.#written(number, fact);
        return null;
      case 'observed':
        this.#observed(number, fact);
        return null;
      case 'asked':
        return null;
    }
  }

  #started(at: number, lastIndex: number): string | null {
    const server = this.walker.server(at);
    if (server.log.length > lastIndex) return 'a leader that ended between sending and writing';
    restart(this.walker, at);
    server.shown = null;
    return null;
  }

  #sent(at: number, to: number, request: AppendEntriesRequest): void {
    leadIfElected(this.walker, at, request.term);
    const server = this.walker.server(at);
    for (const entry of request.entries ?? [])
      if (entry.index === server.log.length + 1) propose(this.walker, at, specEntry(entry));
    if (server.state === 'Leader' && request.leaderCommit > (server.shown ?? server.commitIndex))
      advance(this.walker, at, request.leaderCommit);
    send(this.walker, at, to, this.#entriesOf(request));
  }

  #granted({ at, request }: Extract<Fact, { kind: 'granted' }>): void {
    const server = this.walker.server(at);
    if (server.term !== request.term) return;
    const from = this.#routes.get(request)?.to ?? -1;
    if (request.kind === 'vote') {
      if (server.state === 'Candidate') this.walker.receive({ kind: 'grant', from, to: at, term: request.term });
    } else if (server.state === 'Leader') {
      const known = server.arrived[from]!;
      known.push(...this.#entriesOf(request).filter((index) => !known.includes(index)));
    }
  }

  #written(number: number, fact: Extract<Fact, { kind: 'written' }>): void {
    const { at, ballot, entries, lastIndex, last } = fact;
    if (ballot !== undefined) vote(this.walker, at, ballot.term, ballot.votedFor);
    if (!this.#take(number, at) && entries.length > 0) this.#append(at, entries);
    if (ballot !== undefined) this.walker.step(actions.wrote(at, ballot.term, ballot.votedFor));
    if (last !== null) this.walker.step(actions.holds(at, lastIndex, last));
  }

  /** A leader writes what it may have sent already. */
  #append(at: number, entries: Extract<Fact, { kind: 'written' }>['entries']): void {
    leadIfElected(this.walker, at, entries[0]!.term);
    const { log } = this.walker.server(at);
    for (const { index, ...entry } of entries) if (index === log.length + 1) propose(this.walker, at, entry);
  }

  #observed(number: number, { at, role, term, commitIndex }: Extract<Fact, { kind: 'observed' }>): void {
    this.#take(number, at);
    const server = this.walker.server(at);
    if (role === 'leader') {
      leadIfElected(this.walker, at, term);
      if (server.state !== 'Leader' || server.term !== term) this.walker.step(actions.leads(at, term));
    } else if (server.state === 'Leader' && server.term === term) restart(this.walker, at);
    if (server.shown !== null && commitIndex > server.shown) {
      if (role === 'leader') advance(this.walker, at, commitIndex);
      else this.walker.step(actions.knows(at, commitIndex));
    }
    server.shown = commitIndex;
  }

  /** Entries of a request that raft.tla sends. */
  #entriesOf(request: Sent): readonly number[] {
    return request.kind === 'append' ? (this.#plan.entriesOf.get(request) ?? []) : [];
  }

  /** Whether a follower takes something here. */
  #take(number: number, at: number): boolean {
    const taking = this.#plan.takings.get(number);
    if (taking !== undefined) take(this.walker, at, this.#routes.get(taking.request)?.at ?? -1, taking);
    return taking !== undefined;
  }
}
