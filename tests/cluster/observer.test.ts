import { describe, expect, it } from 'vitest';
import type { NodeStatus } from './control.ts';
import { Observer, type ObservedNode } from './observer.ts';
import type { OperationRecord } from './operation.ts';
import { waitFor } from './wait.ts';

const TIMEOUT_MS = 5000;

/** A node that goes through the given statuses, one per look, and stays at the last. */
class ScriptedNode implements ObservedNode {
  readonly implementation = 'bun';
  lives = 1;
  disks = 1;
  looks = 0;
  readonly id: string;
  readonly #script: readonly Partial<NodeStatus>[];
  readonly #operations: readonly OperationRecord[];

  constructor(id: string, script: readonly Partial<NodeStatus>[], operations: readonly OperationRecord[] = []) {
    this.id = id;
    this.#script = script;
    this.#operations = operations;
  }

  readonly control = {
    status: async (): Promise<NodeStatus> => {
      const status = this.#script[Math.min(this.looks, this.#script.length - 1)];
      this.looks += 1;
      return {
        state: 'follower',
        term: 1,
        votedTerm: 1,
        votedFor: 'a',
        commitIndex: 1,
        ...status,
        id: this.id,
      } as NodeStatus;
    },
    operations: async (from: number): Promise<OperationRecord[]> =>
      this.#operations.filter(({ index }) => index >= from),
  };
}

async function violationsOf(...nodes: readonly ScriptedNode[]): Promise<string[]> {
  const observer = new Observer({ running: nodes });
  await waitFor('every status to be seen', TIMEOUT_MS, () => (nodes.every(({ looks }) => looks > 2) ? true : null));
  await observer.stop();
  return observer.violations;
}

describe('the observer', () => {
  it('finds nothing where terms, votes and commits only grow', async () => {
    const grows = new ScriptedNode('n1', [
      {},
      { term: 2, votedTerm: 2, votedFor: 'b', commitIndex: 5 },
      { state: 'leader', term: 3, commitIndex: 6, votedTerm: 3 },
    ]);
    expect(await violationsOf(grows)).toEqual([]);
  });

  it.each([
    [{ term: 2 }, { term: 1 }, 'n1: term went from 2 to 1'],
    [{ votedTerm: 2 }, { votedTerm: 1 }, 'n1: vote of term 2 was lost'],
    [{ votedFor: 'a' }, { votedFor: 'b' }, 'n1: two votes in term 1'],
    [{ commitIndex: 9 }, { commitIndex: 8 }, 'n1: commit went from 9 to 8'],
  ])('sees %j become %j', async (before, after, violation) => {
    expect(await violationsOf(new ScriptedNode('n1', [before, after]))).toContain(violation);
  });

  it('sees two leaders in one term and two operations at one index', async () => {
    const one = new ScriptedNode('n1', [{ state: 'leader' }], [{ index: 4, client: 1, sequence: 1 }]);
    const two = new ScriptedNode('n2', [{ state: 'leader' }], [{ index: 4, client: 2, sequence: 1 }]);
    const violations = await violationsOf(one, two);
    expect(violations.some((violation) => violation.includes('both led in term 1'))).toBe(true);
    expect(violations.some((violation) => violation.includes('index 4 holds'))).toBe(true);
  });
});
