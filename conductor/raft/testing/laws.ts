/**
 * The laws of figure 3.2 of the thesis, checked after every step of a test cluster: election safety, log
 * matching, leader completeness, state machine safety; and that terms, votes and commits never regress.
 */
import { assert } from '../../assert.ts';
import type { WriteBatch } from '../../ports.ts';
import type { RaftStatus } from '../status.ts';
import type { HardState } from '../types.ts';
import type { ListMachine } from './list-machine.ts';

export class Laws {
  readonly #leaders = new Map<number, string>();
  /** index → "term command" of whatever was applied there first, anywhere. */
  readonly #applied = new Map<number, string>();
  readonly #checked = new Map<string, { machine: ListMachine; count: number }>();
  readonly #hard = new Map<string, HardState>();
  readonly #commit = new Map<string, { machine: ListMachine; commitIndex: number }>();
  maxApplied = 0;

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

  observe(id: string, status: RaftStatus, machine: ListMachine): void {
    if (status.role === 'leader') {
      const other = this.#leaders.get(status.term) ?? id;
      assert(other === id, `election safety: term ${status.term} has leaders ${other} and ${id}`);
      this.#leaders.set(status.term, id);
    }
    const commit = this.#commit.get(id);
    assert(
      commit?.machine !== machine || status.commitIndex >= commit.commitIndex,
      `commit index of ${id} never regresses in one life`,
    );
    this.#commit.set(id, { machine, commitIndex: status.commitIndex });
    assert(status.commitIndex <= status.lastIndex, 'what is committed is in the log');
    const seen = this.#checked.get(id);
    const from = seen?.machine === machine ? Math.min(seen.count, machine.applied.length) : 0;
    for (const { index, term, command } of machine.applied.slice(from)) {
      const value = `${term} ${command}`;
      const other = this.#applied.get(index) ?? value;
      assert(other === value, `state machine safety: index ${index} is "${other}" and, on ${id}, "${value}"`);
      this.#applied.set(index, value);
      this.maxApplied = Math.max(this.maxApplied, index);
    }
    this.#checked.set(id, { machine, count: machine.applied.length });
  }

  /** Every command reported committed is applied at that index, for ever. */
  assertCommitted(index: number, command: string): void {
    const applied = this.#applied.get(index);
    assert(
      applied !== undefined && applied.endsWith(` ${command}`),
      `index ${index} holds the acknowledged "${command}", not "${applied}"`,
    );
  }
}
