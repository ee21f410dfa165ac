/** A commit as it goes through a leader of three, step by step, and the trace that tells it. */
import { beforeEach, expect, test } from 'vitest';
import type { FinishedSpan, FinishedTrace } from '#conductor/adapters/tracing/finished-trace';
import type { ConductorReady } from '#conductor/core/events';
import { summarizeData } from '#conductor/core/payload/block-summary';
import { buildBlock } from '#conductor/core/payload/build-block';
import { formatEnvelope } from '#conductor/core/payload/envelope';
import { prefixedHex } from '#conductor/core/payload/hex';
import { encodeSsz } from '#conductor/core/payload/ssz';
import type { OutboundRequest } from '#conductor/core/ports';
import { EntryType, type RpcRequest } from '#conductor/core/raft/types';
import { CommitTraces } from './commit-traces.ts';

const header = { protocolVersion: 3, id: 'n1', address: 'n1:1' };
const block = buildBlock({ parent: null, timestamp: 1000, transactions: [], salt: new Uint8Array(32) });
const hash = prefixedHex(block.executionPayload.blockHash);
const ssz = encodeSsz(block) as Uint8Array;
const entry = {
  ...{ index: 7, term: 3, type: EntryType.command, data: ssz, extensions: null },
  appendedAt: new Uint8Array(15),
};
const idle: ConductorReady = {
  ...{ sendFirst: [], write: null, send: [], replies: [], forget: [], results: [], notices: [] },
  ...{ calls: [], answers: [], exit: null },
};
const nothing = { kind: 'result', json: 'null' } as const;

let nowMs = 0;
let told: FinishedTrace[] = [];
let waiting: (() => void)[] = [];
let traces: CommitTraces;
beforeEach(() => {
  nowMs = 100;
  told = [];
  waiting = [];
  traces = new CommitTraces({
    serverId: 'n1',
    sink: { emit: (trace) => void told.push(trace) },
    nowMs: () => nowMs,
    later: (_ms, then) => void waiting.push(then),
  });
});

function arrive(parent: FinishedTrace['parent'] = null): void {
  nowMs = 103;
  traces.called(1, [{ payload: formatEnvelope(block) }], { arrivedMs: 100, wholeMs: 101, readMs: 102, parent });
  traces.handled({ kind: 'rpc', answerId: 1, method: 'm', values: [], from: '' }, 103, 110);
}

function request(requestId: number, peerId: string, sent: RpcRequest): OutboundRequest {
  return { requestId, peerId, address: `${peerId}:1`, channel: 'replicate', request: sent, timeoutMs: 1000 };
}

function append(requestId: number, peerId: string): OutboundRequest {
  return request(requestId, peerId, {
    ...{ ...header, kind: 'append', term: 3, leader: 'n1', prevLogIndex: 6, prevLogTerm: 3 },
    ...{ entries: [entry], leaderCommit: 6 },
  });
}

function appendAt(atMs: number): void {
  nowMs = atMs;
  traces.wanted({
    ...idle,
    sendFirst: [append(21, 'n2'), append(22, 'n3')],
    write: { entries: [{ entry, summary: summarizeData(ssz, null) }] },
  });
}

function answerFrom(requestId: number, atMs: number): void {
  nowMs = atMs;
  const response = { ...header, kind: 'append', term: 3, lastLog: 6, success: true, noRetryBackoff: false } as const;
  traces.handled({ kind: 'response', requestId, response }, atMs, atMs + 1);
}

function commitAt(atMs: number): void {
  nowMs = atMs;
  traces.published({ kind: 'commit', number: 0, hash, timestamp: 1000, blocks: 1 });
  nowMs = atMs + 1;
  traces.answered(1, nothing);
}

const rows = (spans: readonly FinishedSpan[]): string[] =>
  spans.flatMap(({ name, beganMs, endedMs, children }) => [
    `${name} ${beganMs}-${endedMs}`,
    ...rows(children).map((row) => `  ${row}`),
  ]);

test('a commit of a leader of three: each phase has its time, and each peer', () => {
  arrive();
  appendAt(111);
  nowMs = 115;
  traces.written();
  answerFrom(21, 118);
  commitAt(120);
  expect(told).toEqual([]);
  answerFrom(22, 140);
  expect(waiting.length).toBe(1);
  waiting[0]!();
  const [{ root, kind, parent }] = told as [FinishedTrace];
  expect({ kind, parent, error: root.error }).toEqual({ kind: 'server', parent: null, error: null });
  expect(root.attributes).toMatchObject({ 'block.hash': hash, 'block.number': 0, 'raft.index': 7, 'raft.term': 3 });
  expect(rows([root])).toEqual([
    'conductor_commitUnsafePayload 100-121',
    '  receive 100-101',
    '  parse 101-102',
    '  hash 103-110',
    '  append 111-115',
    '  replicate 111-118',
    '    replicate to n2 111-118',
    '    replicate to n3 111-140',
    '  commit 118-120',
    '  answer 120-121',
  ]);
});

test('a validated commit: the own client and the voters are asked between hash and append', () => {
  arrive();
  nowMs = 111;
  const call = {
    callId: 5,
    target: 'engine',
    method: 'engine_newPayloadV4',
    params: `[{"blockHash":"${hash}"}]`,
  } as const;
  const ask = request(31, 'n2', { ...header, kind: 'validate', term: 3, payload: ssz });
  traces.wanted({ ...idle, calls: [{ ...call, timeoutMs: 8000 }], send: [ask] });
  const verdict = { ...header, kind: 'validate', term: 3, verdict: 1, message: null } as const;
  traces.handled({ kind: 'response', requestId: 31, response: verdict }, 130, 131);
  traces.handled({ kind: 'callResult', callId: 5, result: { kind: 'result', value: {} } }, 150, 151);
  appendAt(152);
  nowMs = 153;
  traces.written();
  for (const id of [21, 22]) answerFrom(id, 154);
  commitAt(155);
  expect(waiting).toEqual([]);
  expect(rows(told[0]!.root.children).slice(2, 6)).toEqual([
    'hash 103-110',
    'validate 111-152',
    '  validate at the own client 111-150',
    '  validate at n2 111-130',
  ]);
});

test('a peer that never answers is named as one, a second later', () => {
  arrive();
  appendAt(111);
  traces.written();
  answerFrom(21, 118);
  commitAt(120);
  waiting[0]!();
  const silent = told[0]!.root.children.find(({ name }) => name === 'replicate')!.children[1]!;
  expect(silent).toMatchObject({ name: 'replicate to n3', error: expect.stringContaining('not answered') });
});

test('a refused commit ends with its error, and has nothing of the log', () => {
  arrive();
  nowMs = 112;
  traces.answered(1, { kind: 'error', code: -32000, message: 'node is not the leader' });
  const [{ root }] = told as [FinishedTrace];
  expect(root.error).toBe('node is not the leader');
  expect(rows([root])).toEqual([
    'conductor_commitUnsafePayload 100-112',
    '  receive 100-101',
    '  parse 101-102',
    '  hash 103-112',
  ]);
});

test('the trace continues the one of its request', () => {
  const parent = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: '' };
  arrive(parent);
  traces.answered(1, nothing);
  expect(told[0]!.parent).toEqual(parent);
});

test('another block’s commit, entries and calls are not taken for its own', () => {
  arrive();
  traces.published({ kind: 'commit', number: 0, hash, timestamp: 1000, blocks: 1 });
  const other = buildBlock({ parent: block, timestamp: 1001, transactions: [], salt: new Uint8Array(32) });
  const data = encodeSsz(other) as Uint8Array;
  traces.wanted({ ...idle, write: { entries: [{ entry: { ...entry, data }, summary: summarizeData(data, null) }] } });
  traces.answered(1, nothing);
  expect(told[0]!.root.children.map(({ name }) => name)).toEqual(['receive', 'parse', 'hash']);
});
