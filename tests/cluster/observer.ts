/**
 * Watches a cluster from outside while it is being hurt, and records every breach of Raft's
 * promises that an observer can see: election safety, terms and votes that never regress, commit
 * indexes that never regress within one life, one operation per index over all nodes and all times.
 */
import type { ControlClient, NodeStatus } from './control.ts';
import type { NodeProcess } from './node-process.ts';
import type { OperationRecord } from './operation.ts';
import { pause } from './wait.ts';

const POLL_MS = 50;
const ANSWER_TIMEOUT_MS = 1000;

/** What the observer needs of a node; NodeProcess has it. */
export interface ObservedNode extends Pick<NodeProcess, 'id' | 'implementation' | 'lives' | 'disks'> {
  readonly control: Pick<ControlClient, 'status' | 'operations'>;
}

interface Seen {
  life: number;
  disk: number;
  term: number;
  votedTerm: number;
  votedFor: string;
  commitIndex: number;
  operationsThrough: number;
}

export class Observer {
  /** Sentences about what was broken; empty in a correct run. */
  readonly violations: string[] = [];
  /** Every operation any node ever showed, by index: "client/sequence". */
  readonly operations = new Map<number, string>();
  readonly #cluster: { readonly running: readonly ObservedNode[] };
  readonly #seen = new Map<string, Seen>();
  readonly #leaderOfTerm = new Map<number, string>();
  readonly #running: Promise<void>;
  #stopped = false;

  constructor(cluster: { readonly running: readonly ObservedNode[] }) {
    this.#cluster = cluster;
    this.#running = this.#watch();
  }

  /** Ends the watch, then reads every operation of every running node once more from the first. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    for (const node of this.#cluster.running) this.#takeOperations(node.id, await node.control.operations(0));
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      await Promise.all(this.#cluster.running.map((node) => this.#look(node)));
      await pause(POLL_MS);
    }
  }

  async #look(node: ObservedNode): Promise<void> {
    const life = node.lives;
    try {
      const status = await node.control.status(ANSWER_TIMEOUT_MS);
      const seen = this.#seen.get(node.id);
      const from = seen?.life === life ? seen.operationsThrough + 1 : 0;
      const operations = await node.control.operations(from, ANSWER_TIMEOUT_MS);
      if (node.lives !== life) return;
      this.#takeStatus(life, status, node);
      this.#takeOperations(node.id, operations);
    } catch {
      // A node that was just killed or frozen does not answer; the next look finds it again.
    }
  }

  #takeStatus(life: number, status: NodeStatus, node: ObservedNode): void {
    const before = this.#seen.get(status.id);
    if (before !== undefined && before.disk === node.disks) {
      this.#require(status.term >= before.term, `${status.id}: term went from ${before.term} to ${status.term}`);
      this.#require(status.votedTerm >= before.votedTerm, `${status.id}: vote of term ${before.votedTerm} was lost`);
      // The Go node writes term and candidate of a vote one after the other, so only ours is held to this.
      const isSameVote = status.votedTerm !== before.votedTerm || status.votedFor === before.votedFor;
      this.#require(node.implementation === 'go' || isSameVote, `${status.id}: two votes in term ${status.votedTerm}`);
      const isCommitKept = before.life !== life || status.commitIndex >= before.commitIndex;
      this.#require(isCommitKept, `${status.id}: commit went from ${before.commitIndex} to ${status.commitIndex}`);
    }
    if (status.state === 'leader') {
      const other = this.#leaderOfTerm.get(status.term) ?? status.id;
      this.#require(other === status.id, `${other} and ${status.id} both led in term ${status.term}`);
      this.#leaderOfTerm.set(status.term, status.id);
    }
    const operationsThrough = before?.life === life ? before.operationsThrough : 0;
    const { term, votedTerm, votedFor, commitIndex } = status;
    this.#seen.set(status.id, { life, disk: node.disks, term, votedTerm, votedFor, commitIndex, operationsThrough });
  }

  #takeOperations(id: string, operations: readonly OperationRecord[]): void {
    let previous = 0;
    for (const { index, client, sequence } of operations) {
      this.#require(index > previous, `${id}: index ${index} after ${previous}`);
      previous = index;
      const operation = `${client}/${sequence}`;
      const known = this.operations.get(index) ?? operation;
      this.#require(known === operation, `${id}: index ${index} holds ${operation}, and held ${known} elsewhere`);
      this.operations.set(index, operation);
    }
    const seen = this.#seen.get(id);
    if (seen !== undefined) seen.operationsThrough = Math.max(seen.operationsThrough, previous);
  }

  #require(holds: boolean, violation: string): void {
    if (!holds) this.violations.push(violation);
  }
}
