/**
 * Whoever reaches the port may send anything that decodes, and a peer may answer anything: no server ever throws,
 * regresses in term, takes back what it has applied, or asks to be woken without end.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LoneNode } from './testing/lone-node.ts';
import {
  appendFrom,
  appendReply,
  ballot,
  commandEntry,
  configurationEntry,
  nonvoter,
  noopEntry,
  preVoteFrom,
  snapshotFrom,
  storeWith,
  timeoutNowFrom,
  voteFrom,
  voters,
} from './testing/messages.ts';
import type { Configuration, Entry, RpcRequest, RpcResponse } from './types.ts';

const RUNS = process.env['CONDUCTOR_TEST_FULL'] === '1' ? 20_000 : 1500;

const id = fc.constantFrom('n1', 'n2', 'n3', 'n4', '');
const term = fc.nat(7);
const index = fc.nat(12);
const configuration: fc.Arbitrary<Configuration> = fc.constantFrom(
  voters('n1', 'n2', 'n3'),
  voters('n1'),
  voters('n2'),
  voters(),
  { servers: [...voters('n2', 'n3').servers, nonvoter('n1')] },
  { servers: [...voters('n1', 'n2').servers, ...voters('n2').servers] },
);

const entry: fc.Arbitrary<(at: number) => Entry> = fc.oneof(
  term.map((held) => (at: number) => commandEntry(at, held)),
  term.map((held) => (at: number) => noopEntry(at, held)),
  fc.tuple(term, configuration).map(
    ([held, members]) =>
      (at: number) =>
        configurationEntry(at, held, members),
  ),
  fc.tuple(term, fc.nat(9)).map(([held, type]) => (at: number) => ({ ...commandEntry(at, held), type })),
);

/** Mostly contiguous from the previous index, as what passes for a correct request goes deepest. */
const append: fc.Arbitrary<RpcRequest> = fc
  .record({
    id,
    term,
    prev: index,
    prevTerm: term,
    commit: index,
    made: fc.array(entry, { maxLength: 4 }),
    gap: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ id, term, prev, prevTerm, commit, made, gap }) => {
    const entries = made.map((make, i) => make(prev + 1 + i * (1 + gap)));
    return appendFrom(id, { term, prevLogIndex: prev, prevLogTerm: prevTerm, leaderCommit: commit, entries });
  });

const request: fc.Arbitrary<RpcRequest> = fc.oneof(
  { weight: 6, arbitrary: append },
  { weight: 1, arbitrary: fc.tuple(id, term, index, term).map((args) => preVoteFrom(...args)) },
  { weight: 1, arbitrary: fc.tuple(id, term, index, term, fc.boolean()).map((args) => voteFrom(...args)) },
  { weight: 1, arbitrary: id.map(timeoutNowFrom) },
  {
    weight: 2,
    arbitrary: fc
      .record({ term, index, lastTerm: term, configuration, configurationIndex: index })
      .map((part) => snapshotFrom('n2', part)),
  },
);

const response: fc.Arbitrary<RpcResponse> = fc.oneof(
  fc.record({ term, success: fc.boolean(), lastLog: index }).map((part) => appendReply('n2', part)),
  fc.tuple(term, fc.boolean()).map(([held, granted]) => ballot('n2', 'vote', held, granted)),
  fc.tuple(term, fc.boolean()).map(([held, granted]) => ballot('n2', 'prevote', held, granted)),
  fc.tuple(term, fc.boolean()).map(([held, success]): RpcResponse => {
    return { kind: 'snapshot', protocolVersion: 0, id: null, address: null, term: held, success };
  }),
  fc.constant<RpcResponse>({ kind: 'error', message: 'no' }),
);

type Act = (node: LoneNode) => void;

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(request, fc.nat(3)).map(
      ([sent, from]): Act =>
        (node) =>
          void node.request(sent, from),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.tuple(fc.nat(), response).map(([which, answer]): Act => (node) => {
      const [message] = node.sent.splice(which % Math.max(1, node.sent.length), 1);
      if (message) node.answer(message, answer);
    }),
  },
  {
    weight: 4,
    arbitrary: fc.nat().map((which): Act => (node) => {
      const [message] = node.sent.splice(which % Math.max(1, node.sent.length), 1);
      if (message?.request.kind === 'append') node.acknowledge(message);
      else if (message?.request.kind === 'vote' || message?.request.kind === 'prevote')
        node.answer(message, ballot(message.peerId, message.request.kind, message.request.term, true));
      else if (message) node.fail(message, 'reset');
    }),
  },
  {
    weight: 2,
    arbitrary: fc.nat(1500).map(
      (ms): Act =>
        (node) =>
          node.run(ms),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Act>((node) => void node.propose('x')) },
  {
    weight: 1,
    arbitrary: fc.nat(3).map(
      (connectionId): Act =>
        (node) =>
          node.handle({ kind: 'inboundClosed', connectionId }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Act>((node) => void node.node.takeSnapshot()) },
  {
    weight: 1,
    arbitrary: fc.tuple(id, fc.constantFrom('removeServer' as const, 'demoteVoter' as const)).map(
      ([who, kind]): Act =>
        (node) =>
          void node.command({ kind, id: who, previousIndex: 0 }),
    ),
  },
);

const start = fc.constantFrom(
  () => new LoneNode({ raft: { trailingLogs: 2 } }),
  () => new LoneNode({ store: storeWith([]) }),
  () => new LoneNode({ store: storeWith([configurationEntry(1, 1, voters('n1', 'n2', 'n3')), commandEntry(2, 1)]) }),
  () => LoneNode.leader(voters('n1', 'n2', 'n3'), { raft: { trailingLogs: 2 } }),
);

describe('a server among liars', () => {
  it('never throws, and keeps to what it has promised and applied', () => {
    fc.assert(
      fc.property(start, fc.array(act, { maxLength: 60, size: 'max' }), (make, acts) => {
        const node = make();
        let { term, commitIndex } = node.status;
        for (const taken of acts) {
          taken(node);
          const now = node.status;
          expect(now.term).toBeGreaterThanOrEqual(term);
          expect(now.commitIndex).toBeGreaterThanOrEqual(commitIndex);
          expect(now.lastIndex).toBeGreaterThanOrEqual(now.commitIndex);
          ({ term, commitIndex } = now);
        }
        // What it has written down can be opened again.
        expect(new LoneNode({ store: node.store }).status.lastIndex).toBe(node.status.lastIndex);
      }),
      { numRuns: RUNS },
    );
  }, 600_000);
});
