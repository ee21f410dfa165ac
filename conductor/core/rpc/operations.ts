/**
 * Calls that wait for the log or for the node, until a result or a deadline ends them. What the log is not ready
 * for is tried again; how many may wait is bounded.
 */
import type { RaftResult } from '../raft/events.ts';
import { Suffrage } from '../raft/types.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import type { Outcome } from './message.ts';
import { failed, nothing, unknown } from './outcomes.ts';
import { isTooEarly, type Command, type RpcEvent, type ServiceHost } from './service-host.ts';

/** Longest wait for a change of the cluster, milliseconds. */
export const operationDeadlineMs = 5000;
/** The same for a new voter: the log waits as long as it gets ahead (raft/staging.ts), and then has to commit it. */
const newVoterDeadlineMs = 22_000;
/** Calls that may wait for a result at once; more are refused. */
const operationsWaitingMax = 256;
/** A change is tried again this often while the log is not ready for it. */
const retryMs = 20;

/** A command given to the log for a call. */
interface Operation {
  readonly event: RpcEvent;
  readonly sinceMs: number;
  readonly command: Command;
  /** Transfer of a node that does not lead is success, when no target was named. */
  readonly isLenient: boolean;
  retryAtMs: number;
  /** Why it was refused when it was last tried; '' before. */
  refusal: string;
}

export class Operations {
  readonly #host: ServiceHost;
  readonly #finish: (event: RpcEvent, outcome: Outcome) => void;
  /** Given to the log, and without a result. */
  readonly #commands = new Set<Operation>();
  readonly #retries = new Set<Operation>();
  /** Questions to the node and to peers that have no answer yet. */
  #questions = 0;

  /** `finish` is called once for each call whose command came to an end. */
  constructor(host: ServiceHost, finish: (event: RpcEvent, outcome: Outcome) => void) {
    this.#host = host;
    this.#finish = finish;
  }

  /** Why one more call may not wait; null when it may. */
  whyFull(): string | null {
    const count = this.#commands.size + this.#retries.size + this.#questions;
    return count >= operationsWaitingMax ? `${operationsWaitingMax} calls already wait` : null;
  }

  /** Gives a command to the log. With `isLenient` it is success on a node that does not lead. */
  command(event: RpcEvent, command: Command, isLenient = false): void {
    this.#run({ event, command, isLenient, sinceMs: this.#host.time.nowMs, retryAtMs: 0, refusal: '' });
  }

  /** Asks all peers how they stand; what follows is up to `proceed`, also where they are silent. The log bounds the wait. */
  askPeers(proceed: () => void): void {
    this.#questions += 1;
    this.#host.command({ kind: 'ask' }, () => {
      this.#questions -= 1;
      proceed();
    });
  }

  /** Asks the node or a peer; what follows is up to `proceed`. */
  ask(request: NodeRequest, proceed: (answer: CallResult) => void): void {
    this.#questions += 1;
    this.#host.outbox.call(request, (answer) => {
      this.#questions -= 1;
      proceed(answer);
    });
  }

  tick(): void {
    const nowMs = this.#host.time.nowMs;
    const isOver = ({ sinceMs }: Operation): boolean => nowMs >= sinceMs + operationDeadlineMs;
    for (const operation of this.#retries) {
      if (nowMs < operation.retryAtMs) continue;
      this.#retries.delete(operation);
      // The last refusal says why: one more try would end without a word.
      if (isOver(operation)) this.#finish(operation.event, failed(operation.refusal));
      else this.#run(operation);
    }
    for (const operation of this.#commands) {
      if (nowMs < deadlineOf(operation)) continue;
      this.#commands.delete(operation);
      this.#finish(operation.event, unknown('no result in time; the change may still happen', 'timeout'));
    }
  }

  /** When `tick` is wanted, monotonic milliseconds; Infinity for never. */
  nextDeadlineMs(): number {
    let earliest = Infinity;
    for (const operation of this.#retries) earliest = Math.min(earliest, operation.retryAtMs);
    for (const operation of this.#commands) earliest = Math.min(earliest, deadlineOf(operation));
    return earliest;
  }

  #run(operation: Operation): void {
    this.#commands.add(operation);
    this.#host.command(operation.command, (result) => {
      // One that was given up has been answered.
      if (this.#commands.delete(operation)) this.#settle(operation, result);
    });
  }

  #settle(operation: Operation, done: RaftResult): void {
    const { event, command } = operation;
    if (done.kind === 'done') return this.#finish(event, nothing);
    if (done.kind === 'unknown')
      return this.#finish(event, unknown('leadership lost while committing log', done.reason));
    if (done.reason === 'not-leader' && operation.isLenient) return this.#finish(event, nothing);
    if (isTooEarly(done.reason, command)) {
      operation.retryAtMs = this.#host.time.nowMs + retryMs;
      operation.refusal = done.message;
      this.#retries.add(operation);
      return;
    }
    const ineligible = command.kind === 'transfer' ? (command.exclude ?? []) : [];
    const isNobodyEligible = done.reason === 'no-peer' && ineligible.length > 0;
    const advice = `: ${ineligible.join(', ')} cannot be expected to sequence; conductor_transferLeaderToServer hands over all the same`;
    this.#finish(event, failed(`${done.message}${isNobodyEligible ? advice : ''}`));
  }
}

/** When a command without a result is given up. */
function deadlineOf({ sinceMs, command }: Operation): number {
  const isNewVoter = command.kind === 'addServer' && command.suffrage === Suffrage.voter;
  return sinceMs + (isNewVoter ? newVoterDeadlineMs : operationDeadlineMs);
}
