/**
 * What a Conductor wants done: calls, answers and the exit, joined with raft's Ready; and what is to follow when a call
 * or a command of its own has ended. Results and notices of a Ready are kept back until its write is durable, then
 * handed to the conductor itself.
 */
import { assert } from './assert.ts';
import type { CallResult, NodeRequest } from './node/calls.ts';
import type { Answer, ConductorReady, StartedCall } from './events.ts';
import type { Outcome } from './rpc/message.ts';
import type { RaftNotice, RaftResult, Ready } from './raft/events.ts';

/** Ids of the conductor's own commands begin here; those of the host's are smaller. */
const ownRequestBase = 2 ** 40;

interface Due {
  readonly results: readonly RaftResult[];
  readonly notices: readonly RaftNotice[];
}

const nothingDue: Due = { results: [], notices: [] };
const emptyReady: Ready = { sendFirst: [], write: null, send: [], replies: [], forget: [], results: [], notices: [] };

export class Outbox {
  #calls: StartedCall[] = [];
  #answers: Answer[] = [];
  exit: ConductorReady['exit'] = null;
  #results: RaftResult[] = [];
  #notices: RaftNotice[] = [];
  #nextCallId = 1;
  #nextRequestId = ownRequestBase;
  /** What follows when a call has ended, by its id; every call ends, by an answer or by its deadline at the host. */
  readonly #afterCalls = new Map<number, (result: CallResult) => void>();
  /** The same of commands to the log, by request id. */
  readonly #afterCommands = new Map<number, (result: RaftResult) => void>();

  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#answers.length === 0 && this.exit === null;
  }

  /** Queues a request; `then` is called once, with its result. */
  call(request: NodeRequest, then: (result: CallResult) => void): void {
    const callId = this.#nextCallId++;
    this.#calls.push({ ...request, callId });
    this.#afterCalls.set(callId, then);
  }

  /** A call has ended: lets what waits for it follow. An id that nothing waits for is ignored. */
  callEnded(callId: number, result: CallResult): void {
    const then = this.#afterCalls.get(callId);
    this.#afterCalls.delete(callId);
    then?.(result);
  }

  /** The id of a command that is about to be given to the log; `then` is called once, with its result. */
  command(then: (result: RaftResult) => void): number {
    const requestId = this.#nextRequestId++;
    this.#afterCommands.set(requestId, then);
    return requestId;
  }

  /** A command has ended, durably: lets what waits for it follow. */
  commandEnded(result: RaftResult): void {
    const then = this.#afterCommands.get(result.requestId);
    assert(then !== undefined, 'a command of the conductor ends once');
    this.#afterCommands.delete(result.requestId);
    then(result);
  }

  answer(answerId: number, outcome: Outcome): void {
    this.#answers.push({ answerId, outcome });
  }

  /** Joins all that is queued to raft's Ready. Results of the host's own commands stay in it. */
  take(ready: Ready | null): ConductorReady {
    const raft = ready ?? emptyReady;
    const others: RaftResult[] = [];
    for (const result of raft.results) (result.requestId >= ownRequestBase ? this.#results : others).push(result);
    for (const notice of raft.notices) this.#notices.push(notice);
    const taken = {
      ...raft,
      results: others,
      calls: this.#calls,
      answers: this.#answers,
      exit: this.exit,
    };
    this.#calls = [];
    this.#answers = [];
    this.exit = null;
    return taken;
  }

  /** Results and notices kept back by `take`; to be called when the write that came with them is durable. */
  takeDue(): Due {
    if (this.#results.length === 0 && this.#notices.length === 0) return nothingDue;
    const due = { results: this.#results, notices: this.#notices };
    this.#results = [];
    this.#notices = [];
    return due;
  }
}
