/**
 * The laws of figure 3.2 of the thesis, checked after every step of a test cluster: election safety, log matching,
 * leader completeness, state machine safety; that terms, votes and commits never regress; and that outcomes are honest
 * (rule 5): what is refused never takes effect, what is unknown takes effect where it said or not at all, and a read
 * sees everything acknowledged before it was asked for.
 */
import { assert } from '../../assert.ts';
import type { EntrySummary, WriteBatch } from '../../ports.ts';
import type { RaftCommand, RaftResult } from '../events.ts';
import type { RaftStatus } from '../status.ts';
import { EntryType, type HardState } from '../types.ts';
import type { ListMachine } from './list-machine.ts';

const decoder = new TextDecoder();

interface Observed {
  readonly machine: ListMachine;
  readonly restores: number;
  readonly appliedCount: number;
  readonly commitIndex: number;
}

export class Laws {
  readonly #leaders = new Map<number, string>();
  /** index → "term command" of whatever was applied there first, anywhere. */
  readonly #applied = new Map<number, string>();
  /** command → where it was applied. */
  readonly #indexOf = new Map<string, number>();
  /** "index/term" → type and summary of the entry, the same in every log. */
  readonly #entries = new Map<string, string>();
  /** index → its entry's term, and the lowest term of a server that knew it committed. */
  readonly #committed = new Map<number, { readonly term: number; knownInTerm: number }>();
  readonly #hard = new Map<string, HardState>();
  readonly #observed = new Map<string, Observed>();
  readonly #proposals = new Map<number, string>();
  readonly #readFloors = new Map<number, number>();
  readonly #refused = new Set<string>();
  readonly #unknown = new Map<string, number>();
  readonly #answered = new Set<number>();
  /** Request → the server it waits at. */
  readonly #pending = new Map<number, string>();
  readonly #acknowledged = new Map<number, string>();
  #maxAcknowledged = 0;

  /** A wiped store starts its promises anew. */
  forget(id: string): void {
    this.#hard.delete(id);
  }

  written(id: string, batch: WriteBatch): void {
    if (!batch.hardState) return;
    const before = this.#hard.get(id);
    const now = batch.hardState;
    if (before) {
      assert(now.term >= before.term, `term of ${id} never regresses`);
      assert(now.votedTerm >= before.votedTerm, `voted term of ${id} never regresses`);
      const changedVote = now.votedTerm === before.votedTerm && now.votedFor?.id !== before.votedFor?.id;
      assert(!changedVote, `${id} votes once per term`);
    }
    this.#hard.set(id, now);
  }

  /** A command is about to be handed to a server. */
  asked(
    id: string,
    requestId: number,
    command: { readonly kind: RaftCommand['kind']; readonly data?: Uint8Array },
  ): void {
    this.#pending.set(requestId, id);
    if (command.kind === 'propose') this.#proposals.set(requestId, decoder.decode(command.data!));
    if (command.kind === 'read') this.#readFloors.set(requestId, this.#maxAcknowledged);
  }

  /** The outcome of what a dead process was asked for is never told. */
  crashed(id: string): void {
    for (const [requestId, server] of this.#pending) if (server === id) this.#pending.delete(requestId);
  }

  /** Requests without an outcome so far. */
  get unanswered(): number[] {
    return [...this.#pending.keys()];
  }

  answered(result: RaftResult, machine: ListMachine): void {
    const { requestId } = result;
    assert(!this.#answered.has(requestId), `request ${requestId} is answered once`);
    this.#answered.add(requestId);
    this.#pending.delete(requestId);
    const floor = this.#readFloors.get(requestId);
    if (floor !== undefined && result.kind === 'done') {
      assert(result.index >= floor, `a read at ${result.index} sees what was acknowledged at ${floor} before it`);
      assert(
        floor === 0 || machine.applied.at(-1)!.index >= floor,
        `a read is answered when everything up to ${floor} is applied`,
      );
    }
    const command = this.#proposals.get(requestId);
    if (command === undefined) return;
    if (result.kind === 'done') {
      this.#acknowledged.set(result.index, command);
      this.#maxAcknowledged = Math.max(this.#maxAcknowledged, result.index);
      this.assertCommitted(result.index, command);
    } else if (result.kind === 'refused') {
      this.#refused.add(command);
      assert(!this.#indexOf.has(command), `the refused "${command}" is not applied`);
    } else {
      this.#unknown.set(command, result.index);
      const index = this.#indexOf.get(command) ?? result.index;
      assert(index === result.index, `the unknown "${command}" is applied at ${result.index} or nowhere`);
    }
  }

  observe(id: string, status: RaftStatus, machine: ListMachine): void {
    const held = this.#observed.get(id);
    const before = held?.machine === machine ? held : null;
    assert(!before || status.commitIndex >= before.commitIndex, `commit index of ${id} never regresses in one life`);
    assert(status.commitIndex <= status.lastIndex, 'what is committed is in the log');
    const inForce = status.configuration.index;
    const isHeld = inForce <= status.snapshotIndex || machine.known.get(inForce)?.type === EntryType.configuration;
    assert(isHeld, `the configuration in force on ${id} is that of index ${inForce} of its log`);
    for (let index = (before?.commitIndex ?? 0) + 1; index <= status.commitIndex; index++) {
      const entry = machine.known.get(index);
      if (entry) this.#commit(id, entry, status.term);
    }
    this.#checkApplied(id, machine, before);
    if (status.role === 'leader') this.#checkLeader(id, status, machine);
    const { restores, applied } = machine;
    this.#observed.set(id, { machine, restores, appliedCount: applied.length, commitIndex: status.commitIndex });
  }

  /** Every command reported committed is applied at that index, for ever. */
  assertCommitted(index: number, command: string): void {
    const applied = this.#applied.get(index);
    assert(
      applied !== undefined && applied.endsWith(` ${command}`),
      `index ${index} holds the acknowledged "${command}", not "${applied}"`,
    );
  }

  /** At the end of a run: everything acknowledged is still there on a server that has applied everything. */
  assertKept(machine: ListMachine): void {
    const held = new Map(machine.applied.map(({ index, command }) => [index, command]));
    for (const [index, command] of this.#acknowledged) {
      assert(
        held.get(index) === command,
        `the acknowledged "${command}" is kept at ${index}, not "${held.get(index)}"`,
      );
    }
  }

  #commit(id: string, entry: EntrySummary, knownInTerm: number): void {
    const { index, term } = entry;
    const key = `${index}/${term}`;
    const content = `${entry.type} ${entry.summary ? decoder.decode(entry.summary) : entry.size}`;
    const other = this.#entries.get(key) ?? content;
    assert(other === content, `log matching: entry ${key} is "${other}" and, on ${id}, "${content}"`);
    this.#entries.set(key, content);
    const first = this.#committed.get(index);
    assert(
      !first || first.term === term,
      `index ${index} is committed with terms ${first?.term} and ${term}, on ${id}`,
    );
    if (!first) this.#committed.set(index, { term, knownInTerm });
    else first.knownInTerm = Math.min(first.knownInTerm, knownInTerm);
  }

  #checkLeader(id: string, status: RaftStatus, machine: ListMachine): void {
    const { term } = status;
    const other = this.#leaders.get(term);
    assert(other === undefined || other === id, `election safety: term ${term} has leaders ${other} and ${id}`);
    if (other === id) return;
    this.#leaders.set(term, id);
    for (const [index, committed] of this.#committed) {
      if (committed.knownInTerm >= term || index <= status.snapshotIndex) continue;
      const held = machine.known.get(index)?.term;
      assert(
        held === committed.term,
        `leader completeness: ${id} leads term ${term} with term ${held} at ${index}, not ${committed.term}`,
      );
    }
  }

  #checkApplied(id: string, machine: ListMachine, before: Observed | null): void {
    const from = before?.restores === machine.restores ? before.appliedCount : 0;
    for (const { index, term, command } of machine.applied.slice(from)) {
      const value = `${term} ${command}`;
      const other = this.#applied.get(index) ?? value;
      assert(other === value, `state machine safety: index ${index} is "${other}" and, on ${id}, "${value}"`);
      this.#applied.set(index, value);
      const elsewhere = this.#indexOf.get(command) ?? index;
      assert(elsewhere === index, `"${command}" is applied once, not at ${elsewhere} and ${index}`);
      this.#indexOf.set(command, index);
      assert(!this.#refused.has(command), `the refused "${command}" is not applied`);
      assert((this.#unknown.get(command) ?? index) === index, `the unknown "${command}" is applied where it said`);
    }
  }
}
