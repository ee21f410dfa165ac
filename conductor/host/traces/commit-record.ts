/**
 * What is noted of one conductor_commitUnsafePayload while it is under way, and the trace that it makes when it is over:
 * parse, hash, validate, append, replicate, commit, answer. Times are monotonic milliseconds.
 */
import type { FinishedSpan, FinishedTrace, TraceParent } from '#conductor/adapters/tracing/finished-trace';
import type { Outcome } from '#conductor/core/rpc/message';

/** Something that was asked of somebody else and may be answered. */
export interface Asked {
  readonly whom: string;
  readonly beganMs: number;
  /** null while there is no answer. */
  endedMs: number | null;
  error: string | null;
}

export interface CommitRecord {
  readonly parent: TraceParent | null;
  /** "0x" and 64 digits; '' where the call names none. */
  readonly hash: string;
  /** null where the call names none. */
  readonly number: number | null;
  /** When its HTTP request came, when the body was whole, and when it was read. */
  readonly arrivedMs: number;
  readonly wholeMs: number;
  readonly readMs: number;
  /** When the core took it. */
  readonly takenMs: number;
  /** When the core first wanted something done with it: hash and admission are over. */
  admittedMs: number | null;
  readonly validations: Asked[];
  /** When its entry was sent and began to be written, and when that was durable; null while it is not in the log. */
  appendedMs: number | null;
  durableMs: number | null;
  index: number | null;
  term: number | null;
  readonly replications: Asked[];
  /** When the last was heard that made it committed, and when it was applied. */
  majorityMs: number | null;
  committedMs: number | null;
  answeredMs: number | null;
  outcome: Outcome | null;
}

/** The trace of a commit that was answered. What was asked and not answered ends with the latest that is known. */
export function commitTrace(record: CommitRecord, serverId: string): FinishedTrace {
  const { arrivedMs, readMs, takenMs, parent, outcome } = record;
  const answeredMs = record.answeredMs ?? readMs;
  const endMs = Math.max(answeredMs, ...record.replications.map(({ endedMs }) => endedMs ?? 0));
  const children = [
    span('receive', arrivedMs, record.wholeMs),
    span('parse', record.wholeMs, readMs),
    span('hash', takenMs, record.admittedMs ?? answeredMs),
    ...validation(record, endMs),
    ...logSpans(record, endMs),
  ];
  if (record.committedMs !== null) {
    children.push(span('commit', record.majorityMs ?? record.committedMs, record.committedMs));
    children.push(span('answer', record.committedMs, answeredMs));
  }
  const root = {
    name: 'conductor_commitUnsafePayload',
    beganMs: arrivedMs,
    endedMs: answeredMs,
    attributes: {
      'rpc.system': 'jsonrpc',
      'rpc.method': 'conductor_commitUnsafePayload',
      'conductor.server': serverId,
      'block.hash': record.hash,
      ...(record.number === null ? {} : { 'block.number': record.number }),
      ...(record.index === null ? {} : { 'raft.index': record.index, 'raft.term': record.term ?? 0 }),
    },
    error: outcome?.kind === 'error' ? outcome.message : null,
    children,
  };
  return { root, kind: 'server', parent };
}

function validation({ validations, appendedMs, answeredMs }: CommitRecord, endMs: number): FinishedSpan[] {
  const [first] = validations;
  if (first === undefined) return [];
  const children = validations.map((asked) => askedSpan('validate at', asked, endMs));
  return [{ ...span('validate', first.beganMs, appendedMs ?? answeredMs ?? endMs), children }];
}

function logSpans(record: CommitRecord, endMs: number): FinishedSpan[] {
  const { appendedMs, durableMs, majorityMs, replications } = record;
  if (appendedMs === null) return [];
  const spans = [span('append', appendedMs, durableMs ?? endMs)];
  if (replications.length === 0) return spans;
  const children = replications.map((asked) => askedSpan('replicate to', asked, endMs));
  // Until a majority had it; who was slower ends after it.
  return [...spans, { ...span('replicate', appendedMs, majorityMs ?? endMs), children }];
}

function askedSpan(verb: string, { whom, beganMs, endedMs, error }: Asked, endMs: number): FinishedSpan {
  const unanswered = endedMs === null ? 'not answered while the trace was open' : null;
  return { ...span(`${verb} ${whom}`, beganMs, endedMs ?? endMs), error: error ?? unanswered };
}

function span(name: string, beganMs: number, endedMs: number): FinishedSpan {
  return { name, beganMs, endedMs: Math.max(beganMs, endedMs), attributes: {}, error: null, children: [] };
}
