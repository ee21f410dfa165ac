/**
 * What a Conductor wants done: calls, answers and the exit, joined with raft's Ready. Results and
 * notices of a Ready are kept back until its write is durable, then handed to the conductor itself.
 */
import type { NodeRequest } from './node/calls.ts';
import type { Answer, ConductorReady, StartedCall } from './events.ts';
import type { Outcome } from './rpc/message.ts';
import type { RaftNotice, RaftResult, Ready } from './raft/events.ts';

/** Ids of the conductor's own commands begin here; those of the host's are smaller. */
const ownRequestBase = 2 ** 40;

const emptyReady: Ready = { sendFirst: [], write: null, send: [], replies: [], forget: [], results: [], notices: [] };

export class Outbox {
  #calls: StartedCall[] = [];
  #answers: Answer[] = [];
  exit: ConductorReady['exit'] = null;
  #results: RaftResult[] = [];
  #notices: RaftNotice[] = [];
  #nextCallId = 1;
  #nextRequestId = ownRequestBase;

  get isEmpty(): boolean {
    return this.#calls.length === 0 && this.#answers.length === 0 && this.exit === null;
  }

  /** Queues a request and returns the id its result comes under. */
  call(request: NodeRequest): number {
    const callId = this.#nextCallId++;
    this.#calls.push({ ...request, callId });
    return callId;
  }

  answer(answerId: number, outcome: Outcome): void {
    this.#answers.push({ answerId, outcome });
  }

  nextRequestId(): number {
    return this.#nextRequestId++;
  }

  /** Joins all that is queued to raft's Ready. Results of the host's own commands stay in it. */
  take(ready: Ready | null): ConductorReady {
    const raft = ready ?? emptyReady;
    const own = raft.results.filter((one) => one.requestId >= ownRequestBase);
    this.#results.push(...own);
    this.#notices.push(...raft.notices);
    const taken = {
      ...raft,
      results: own.length === 0 ? raft.results : raft.results.filter((one) => one.requestId < ownRequestBase),
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
  takeDue(): { readonly results: readonly RaftResult[]; readonly notices: readonly RaftNotice[] } {
    const due = { results: this.#results, notices: this.#notices };
    this.#results = [];
    this.#notices = [];
    return due;
  }
}
