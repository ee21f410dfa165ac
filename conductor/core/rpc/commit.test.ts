import { describe, expect, test } from 'vitest';
import type { Proof, ProofKind } from '../evidence/proof.ts';
import type { Peer } from '../control/target.ts';
import type { RaftResult } from '../raft/events.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { buildBlock } from '../payload/build-block.ts';
import { formatEnvelope, type Envelope } from '../payload/envelope.ts';
import { prefixedHex } from '../payload/hex.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { TestLog } from '../payload/testing/test-log.ts';
import type { EntrySummary } from '../ports.ts';
import type { RaftStatus } from '../raft/status.ts';
import { PayloadCommits } from './commit.ts';
import type { Outcome } from './message.ts';
import type { ValidationPolicy } from './validation.ts';

function chainOf(count: number, parent: Envelope | null = null, salt = 0): Envelope[] {
  const chain: Envelope[] = [];
  for (let each = 0; each < count; each += 1) {
    const transactions = [Uint8Array.of(0x7e, each)];
    const from = chain.at(-1) ?? parent;
    chain.push(buildBlock({ parent: from, timestamp: 1000 + each, transactions, salt: new Uint8Array(32).fill(salt) }));
  }
  return chain;
}
const hashOf = (envelope: Envelope): string => prefixedHex(envelope.executionPayload.blockHash);

const holder = (headHash: string): Peer => ({
  ...{ id: 'b', isVoter: true, isNative: true, isInContact: true, isAgainstTip: false, ceasedLeadingAtMs: null },
  known: {
    ...{ isHealthy: null, isPaused: false, headNumber: 1n, headHash },
    ...{ safeNumber: null, l1Number: null, observations: [] },
  },
});

/** Commits over a log in memory; what the node is asked and what the log decides is up to the test. */
class CommitWorld {
  now = 0;
  status = { role: 'leader', term: 2, isReady: true, isTransferring: false };
  readonly log = new TestLog();
  readonly proposed: {
    readonly entry: EntrySummary;
    readonly data: Uint8Array;
    readonly isValidated: boolean;
    readonly end: (result: RaftResult) => void;
  }[] = [];
  timesCommitted = 0;
  readonly answers = new Map<number, Outcome>();
  readonly asked: { readonly request: NodeRequest; readonly end: (result: CallResult) => void }[] = [];
  timesOff = 0;
  /** What is proved of every committed block, and the blocks for which the own sequencer was told that it builds badly. */
  proof: Proof = { kind: 'unproved', why: '' };
  /** What the own node shows against every committed block. */
  refuses: ProofKind | null = null;
  readonly seals: string[] = [];
  readonly refusedSeals: string[] = [];
  /** Remembered as refused, with the reason. */
  readonly refusedBlocks: string[] = [];
  actsOnSeals = true;
  /** Rule 3 was tried; a peer whose node has that head; to whom leadership was handed. */
  wasBrought = false;
  holds: string | null = null;
  readonly handedTo: string[] = [];
  readonly alarms: string[] = [];
  /** Counters by name and labels, one for each time. */
  readonly counts: string[] = [];
  readonly commits: PayloadCommits;
  #nextId = 1;

  constructor(trustedHash: string | null = null, validation: ValidationPolicy = 'off') {
    const nothing = (): void => undefined;
    const { chain } = this.log;
    this.commits = new PayloadCommits({
      chain,
      metrics: {
        count: (name: string, labels: Readonly<Record<string, string>> = {}) =>
          void this.counts.push([name, ...Object.values(labels)].join(' ')),
        gauge: nothing,
        observe: nothing,
      },
      logger: { log: nothing },
      refusedBlocks: { add: (hash, reason) => void this.refusedBlocks.push(`${reason} ${hash}`) },
      isHashVerified: true,
      validation,
      blockTimeMs: 1000,
      voters: () => ({ ids: [], selfId: '' }),
      askVoters: () => [],
      sealRefused: (seal) => void this.refusedSeals.push(seal.hash),
      sealedAgain: (seal) => {
        this.seals.push(seal.hash);
        return this.actsOnSeals;
      },
      clientIsUnable: nothing,
      trustedHash,
      rollback: {
        chain: { head: () => chain.tip(), at: () => null, envelope: () => null, envelopeJson: () => null },
        peers: () => (this.holds === null ? [] : [holder(this.holds)]),
        proofAgainst: () => this.proof,
        isLeft: () => false,
        refusal: () => (this.refuses === null ? null : { reason: 'says the client', kind: this.refuses }),
        wasBroughtTo: () => this.wasBrought,
        lookNow: () => undefined,
        lookedAtMs: () => this.now,
      },
      nowMs: () => this.now,
      status: () => this.status as RaftStatus,
      call: (request, then) => void this.asked.push({ request, end: then }),
      read: nothing,
      ask: nothing,
      transfer: nothing,
      propose: (data, isValidated, then) =>
        void this.proposed.push({ entry: this.log.append(data), data, isValidated, end: then }),
      blockCommitted: () => void (this.timesCommitted += 1),
      answer: (answerId, outcome) => {
        expect(this.answers.has(answerId)).toBe(false);
        this.answers.set(answerId, outcome);
      },
      nodeIsOff: () => void (this.timesOff += 1),
      hasStartedSequencer: () => false,
      handTo: (id) => void this.handedTo.push(id),
      rollbackRefused: (why) => void this.alarms.push(why),
    });
  }

  /** Offers a payload; its answer id. */
  offer(envelope: Envelope): number {
    const answerId = this.#nextId++;
    this.commits.commit(answerId, formatEnvelope(envelope));
    return answerId;
  }

  /** The oldest proposal is committed and applied. */
  commitNext(): void {
    const { entry, end } = this.proposed.shift()!;
    this.log.apply(entry);
    end({ kind: 'done', requestId: 1, index: entry.index, term: 2, value: null });
    this.commits.review();
  }

  pass(ms: number): void {
    this.now += ms;
    this.commits.review();
  }

  answerCall(result: CallResult): void {
    this.asked.shift()!.end(result);
  }

  follow(): void {
    this.status = { role: 'follower', term: 3, isReady: false, isTransferring: false };
    this.commits.review();
  }

  error(answerId: number): { message: string; data: unknown } | null {
    const outcome = this.answers.get(answerId);
    if (outcome?.kind !== 'error') return null;
    return { message: outcome.message, data: JSON.parse(outcome.data ?? 'null') as unknown };
  }
}

const silent: CallResult = { kind: 'failed', reason: 'timeout', message: 'no answer' };
const done: Outcome = { kind: 'result', json: 'null' };
const [one, two, three] = chainOf(3) as [Envelope, Envelope, Envelope];
const [other] = chainOf(1, one, 7) as [Envelope];
const header = (envelope: Envelope): CallResult => ({
  kind: 'result',
  value: {
    number: `0x${envelope.executionPayload.blockNumber.toString(16)}`,
    hash: hashOf(envelope),
    parentHash: prefixedHex(envelope.executionPayload.parentHash),
  },
});

/** A world in which `one` is committed. */
function started(trustedHash: string | null = null): CommitWorld {
  const world = new CommitWorld(trustedHash);
  world.offer(one);
  world.commitNext();
  return world;
}

describe('waiting (rules 1 and 2)', () => {
  test('what comes before this term’s first entry is applied waits for it', () => {
    const world = new CommitWorld();
    world.status.isReady = false;
    const id = world.offer(one);
    world.pass(100);
    expect(world.proposed).toEqual([]);
    world.status.isReady = true;
    world.pass(0);
    world.commitNext();
    expect(world.answers.get(id)).toEqual(done);
  });

  test('a committed block that the own client alone refuses: it is tried once more, then leadership goes to who holds it', () => {
    const world = new CommitWorld();
    world.offer(one);
    world.commitNext();
    world.refuses = 'invalid';
    world.offer(one);
    expect([world.timesOff, world.handedTo, world.alarms]).toEqual([1, [], []]);
    world.wasBrought = true;
    world.proof = { kind: 'unproved', why: 'b is not heard' };
    world.offer(one);
    expect(world.alarms).toEqual(['b is not heard']);
    world.holds = hashOf(one);
    world.offer(one);
    expect([world.timesOff, world.handedTo]).toEqual([1, ['b']]);
  });

  test('the same hash of a committed block is refused where clients are proved to refuse that', () => {
    const world = new CommitWorld();
    world.offer(one);
    world.commitNext();
    expect(world.answers.get(world.offer(one))).toEqual(done);
    world.refuses = 'invalid';
    expect(world.error(world.offer(one))?.data).toMatchObject({ outcome: 'unknown' });
    world.proof = { kind: 'proved', by: 'invalid', voters: ['a', 'b'], mayReplaceTipOnly: false };
    const again = world.offer(one);
    expect(world.error(again)?.data).toMatchObject({ outcome: 'refused', reason: 'invalid' });
    expect(world.seals).toEqual([hashOf(one)]);
    world.proof = { ...world.proof, by: 'operator' };
    expect(world.error(world.offer(one))?.data).toMatchObject({ reason: 'invalid' });
    world.actsOnSeals = false;
    expect(world.error(world.offer(one))?.data).toMatchObject({ outcome: 'unknown' });
    world.refuses = 'left';
    world.proof = { ...world.proof, by: 'left' };
    expect(world.answers.get(world.offer(one))).toEqual(done);
  });

  test('the same hash waits for its pending entry: appended once, both answered when it commits, not before', () => {
    const world = started();
    const ids = [world.offer(two), world.offer(two)];
    world.pass(10);
    expect(world.proposed).toHaveLength(1);
    expect(ids.map((id) => world.answers.has(id))).toEqual([false, false]);
    world.commitNext();
    expect(ids.map((id) => world.answers.get(id))).toEqual([done, done]);
  });

  test('payloads follow each other in the log before any of them is committed', () => {
    const world = started();
    const ids = [world.offer(two), world.offer(three)];
    expect(world.proposed).toHaveLength(2);
    world.commitNext();
    world.commitNext();
    expect(ids.map((id) => world.answers.get(id))).toEqual([done, done]);
  });

  test('no more than 1024 wait at once', () => {
    const world = new CommitWorld();
    world.status.isReady = false;
    for (let each = 0; each < 1024; each += 1) world.offer(one);
    const id = world.offer(one);
    expect(world.error(id)?.data).toEqual({ outcome: 'refused', reason: 'busy' });
  });
});

describe('same-height: another block where one is pending', () => {
  test('is refused with the pending block; when that commits the node is brought to it (rule 3)', () => {
    const world = started();
    world.offer(two);
    const id = world.offer(other);
    expect(world.error(id)?.message).toContain(`holds pending block 1 (${hashOf(two)})`);
    expect(world.error(id)?.data).toEqual({
      outcome: 'refused',
      reason: 'height-held',
      pending: { number: '0x1', hash: hashOf(two) },
    });
    expect(world.timesOff).toBe(0);
    world.commitNext();
    expect(world.timesOff).toBe(1);
  });

  test('also when that one was answered as unknown long before it commits', () => {
    const world = started();
    const late = world.offer(two);
    world.pass(5000);
    expect(world.error(late)?.data).toEqual({ outcome: 'unknown', reason: 'timeout' });
    world.offer(other);
    world.pass(60_000);
    expect(world.timesOff).toBe(0);
    world.commitNext();
    expect(world.timesOff).toBe(1);
    world.pass(10);
    expect(world.timesOff).toBe(1);
  });

  test('and where one is committed: refused with that, and the node is brought to it at once', () => {
    const world = started();
    world.offer(two);
    world.commitNext();
    const id = world.offer(other);
    world.answerCall(silent);
    expect(world.error(id)?.data).toMatchObject({ committed: { number: '0x1', hash: hashOf(two) } });
    expect(world.timesOff).toBe(1);
    expect(world.refusedBlocks).toEqual([`height-held ${hashOf(other)}`]);
  });

  test('while leadership is handed over it is refused too', () => {
    const world = new CommitWorld();
    world.log.commit(encodeSsz(one) as Uint8Array, encodeSsz(two) as Uint8Array);
    world.status = { role: 'leader', term: 2, isReady: false, isTransferring: true };
    expect(world.error(world.offer(other))?.data).toMatchObject({ outcome: 'refused', reason: 'height-held' });
  });
});

describe('outcomes (rule 5)', () => {
  test('unknown, in the words of the log, when leadership is lost while the entry is pending', () => {
    const world = started();
    const id = world.offer(two);
    const { end } = world.proposed[0]!;
    end({ kind: 'unknown', requestId: 1, reason: 'leadership lost: test', index: 2, term: 2 });
    expect(world.error(id)?.data).toEqual({ outcome: 'unknown', reason: 'leadership lost: test' });
    expect(world.error(id)?.message).toContain('may still be committed');
    expect(world.counts).toEqual(['payloads_unknown_total']);
  });

  test.each([0, 3192.3, 31052.10304450554])('is over at its deadline, whenever it came: %d', (cameMs) => {
    const world = started();
    world.pass(cameMs);
    const id = world.offer(two);
    world.now = world.commits.nextDeadlineMs();
    world.commits.review();
    expect(world.answers.has(id)).toBe(true);
    expect(world.commits.nextDeadlineMs()).toBe(Infinity);
  });

  test('unknown when its deadline passes while pending; answered once', () => {
    const world = started();
    const id = world.offer(two);
    world.pass(4999);
    expect(world.answers.has(id)).toBe(false);
    expect(world.commits.nextDeadlineMs()).toBe(5000);
    world.pass(1);
    expect(world.error(id)?.data).toEqual({ outcome: 'unknown', reason: 'timeout' });
    world.commitNext();
  });

  test('overdue from then on, until one is committed in that term', () => {
    const world = started();
    const { term } = world.status;
    world.offer(two);
    world.pass(4999);
    expect(world.commits.isOverdueIn(term)).toBe(false);
    world.pass(1);
    expect([term, term + 1].map((one) => world.commits.isOverdueIn(one))).toEqual([true, false]);
    world.offer(two);
    world.commitNext();
    expect(world.commits.isOverdueIn(term)).toBe(false);
  });

  test('also if that is the one that was overdue, which nobody waits for any more', () => {
    const world = started();
    world.offer(two);
    world.pass(5000);
    world.commitNext();
    expect(world.commits.isOverdueIn(world.status.term)).toBe(false);
  });

  test('unknown for the same hash whose entry is pending when leadership is lost', () => {
    const world = started();
    world.offer(two);
    const id = world.offer(two);
    world.follow();
    expect(world.error(id)?.data).toMatchObject({ outcome: 'unknown' });
  });

  test('refused when leadership is lost before anything was appended', () => {
    const world = new CommitWorld();
    world.status.isReady = false;
    const id = world.offer(one);
    world.follow();
    expect(world.error(id)?.data).toEqual({ outcome: 'refused', reason: 'not-leader' });
    expect(world.counts).toEqual(['payloads_refused_total not-leader']);
  });

  test('refused when time runs out before anything was appended', () => {
    const world = new CommitWorld();
    world.status.isReady = false;
    const id = world.offer(one);
    world.pass(5000);
    expect(world.error(id)?.data).toEqual({ outcome: 'refused', reason: 'timeout' });
  });

  test('unknown when the log holds the block from an earlier leader, not yet known committed', () => {
    const world = started();
    world.offer(two);
    world.status.isReady = false;
    world.commits.giveUp('shutting-down');
    const id = world.offer(two);
    world.pass(5000);
    expect(world.error(id)?.data).toEqual({ outcome: 'unknown', reason: 'timeout' });
  });

  test('unknown for the same hash whose entry is committed in the moment in which leadership is lost', () => {
    const world = started();
    world.offer(two);
    const id = world.offer(two);
    world.log.apply(world.proposed.shift()!.entry);
    world.follow();
    expect(world.error(id)?.data).toEqual({ outcome: 'unknown', reason: 'leadership-lost' });
  });

  test('unknown where another server leads and the log holds the block, committed or not', () => {
    for (const isCommitted of [false, true]) {
      const world = started();
      world.offer(two);
      if (isCommitted) world.commitNext();
      world.follow();
      const id = world.offer(two);
      expect(world.error(id)).toMatchObject({
        message: 'failed to apply payload envelope: node is not the leader',
        data: { outcome: 'unknown', reason: 'not-leader' },
      });
      expect(world.error(world.offer(three))?.data).toEqual({ outcome: 'refused', reason: 'not-leader' });
    }
  });

  test('all that waits is answered when the store fails', () => {
    const world = started();
    const id = world.offer(two);
    world.commits.giveUp('store-failed');
    expect(world.error(id)?.data).toEqual({ outcome: 'unknown', reason: 'store-failed' });
    expect(world.commits.inFlight).toBe(0);
  });
});

describe('after a question to the node, term and tip are looked at again (rules 1 and 4)', () => {
  test('leadership lost during the walk: refused, nothing appended', () => {
    const world = started();
    const id = world.offer(three);
    world.status = { role: 'follower', term: 3, isReady: false, isTransferring: false };
    world.answerCall(header(two));
    expect(world.error(id)?.data).toEqual({ outcome: 'refused', reason: 'not-leader' });
    expect(world.proposed).toEqual([]);
  });

  test('another tip after the walk: judged anew', () => {
    const world = started();
    const id = world.offer(three);
    world.offer(two);
    world.commitNext();
    world.answerCall(header(two));
    expect(world.proposed).toHaveLength(1);
    world.commitNext();
    expect(world.answers.get(id)).toEqual(done);
  });

  test('another block at a height of the walk was committed meanwhile: refused', () => {
    const world = started();
    const id = world.offer(three);
    world.offer(other);
    world.commitNext();
    world.answerCall(header(two));
    world.answerCall(silent);
    expect(world.error(id)?.data).toMatchObject({ outcome: 'refused', reason: 'parent-mismatch' });
  });

  test('a walk whose payload has been answered makes room for the next', () => {
    const world = started();
    const first = world.offer(three);
    world.pass(5000);
    expect(world.error(first)?.data).toEqual({ outcome: 'refused', reason: 'timeout' });
    world.asked.length = 0;
    const again = world.offer(three);
    world.answerCall(header(two));
    world.commitNext();
    expect(world.answers.get(again)).toEqual(done);
  });
});

test('a payload above a gap of heights is counted when its parents lead to the committed head, and only then (rule 4)', () => {
  const world = started();
  world.offer(three);
  expect(world.counts).toEqual([]);
  world.answerCall(header(two));
  expect(world.proposed).toHaveLength(1);
  expect(world.counts).toEqual(['payload_gaps_total']);
  const silenced = started();
  silenced.offer(three);
  silenced.answerCall(silent);
  expect(silenced.counts).toEqual(['payloads_refused_total gap']);
});

describe('a gap beyond what is walked (rule 4)', () => {
  const beyond = { ...one, executionPayload: { ...one.executionPayload, blockNumber: 5000n } };
  const [far] = chainOf(1, beyond, 9) as [Envelope];

  test('is refused with a sentence that names the flag, and the node is not asked', () => {
    const world = started();
    const id = world.offer(far);
    expect(world.error(id)?.data).toMatchObject({ outcome: 'refused', reason: 'gap', committed: { number: '0x0' } });
    expect(world.error(id)?.message).toContain(`--consensus.allow-gap=${hashOf(far)}`);
    expect(world.asked).toEqual([]);
  });

  test('is accepted on the word of an operator for a block on its way, and for no other', () => {
    const world = started(prefixedHex(far.executionPayload.parentHash));
    const id = world.offer(far);
    world.commitNext();
    expect(world.answers.get(id)).toEqual(done);
    const other = started(`0x${'22'.repeat(32)}`);
    const refusedId = other.offer(far);
    other.answerCall(silent);
    expect(other.error(refusedId)?.data).toMatchObject({ outcome: 'refused', reason: 'gap' });
  });
});

describe('what a client has said of a block is on record with it (rule 28)', () => {
  test('one that was not asked has not found it valid', () => {
    const world = new CommitWorld(null, 'off');
    world.offer(one);
    expect(world.proposed).toMatchObject([{ isValidated: false }]);
  });

  test.each([
    ['VALID', true],
    ['SYNCING', false],
  ])('one that says %s: %s', (status, isValidated) => {
    const world = new CommitWorld(null, 'leader');
    world.offer(one);
    world.answerCall({ kind: 'result', value: { status, latestValidHash: null, validationError: null } });
    // Where it stands, it is asked for where it says that it syncs.
    if (world.asked.length > 0) world.answerCall(silent);
    expect(world.proposed).toMatchObject([{ isValidated }]);
  });
});

describe('a large payload', () => {
  const large = buildBlock({ parent: one, timestamp: 1001, transactions: [new Uint8Array(1_100_000).fill(0x7e)] });

  test('stays whole in the log when its commit is answered', () => {
    const world = started();
    const answerId = world.offer(large);
    const [{ data } = { data: new Uint8Array() }] = world.proposed;
    world.commitNext();
    expect(world.answers.get(answerId)).toEqual(done);
    expect(data).toEqual(encodeSsz(large));
  });
});

describe('a verdict that comes late (rule 28)', () => {
  /** A block goes on without a verdict, then the client says this, and then the block is committed; what its sequencer is told. */
  const committedAfter = (status: string): { readonly world: CommitWorld; readonly answerId: number } => {
    const world = new CommitWorld(null, 'leader');
    const answerId = world.offer(one);
    const verdict = world.asked.shift()!;
    world.pass(500);
    expect(world.proposed).toHaveLength(1);
    verdict.end({ kind: 'result', value: { status, latestValidHash: null, validationError: 'bad root' } });
    world.commitNext();
    return { world, answerId };
  };

  test('a refusal before the commit keeps the block from being acknowledged', () => {
    const { world, answerId } = committedAfter('INVALID');
    const reason = 'invalid, says the execution client: bad root';
    expect(world.error(answerId)?.data).toEqual({ outcome: 'unknown', reason });
  });

  test('and neither when it is offered again: what is committed is not refused', () => {
    const { world } = committedAfter('INVALID');
    expect(world.error(world.offer(one))?.data).toMatchObject({ outcome: 'unknown' });
    expect(world.proposed).toHaveLength(0);
  });

  test('where no node can be given it its job is dropped: it would be offered for ever', () => {
    const { world } = committedAfter('INVALID');
    world.offer(one);
    expect(world.refusedSeals).toEqual([]);
    world.wasBrought = true;
    world.holds = hashOf(one);
    world.offer(one);
    expect([world.refusedSeals, world.handedTo]).toEqual([[], ['b']]);
    world.holds = null;
    expect(world.error(world.offer(one))?.data).toMatchObject({ outcome: 'unknown' });
    expect(world.refusedSeals).toEqual([hashOf(one)]);
  });

  test('what is found valid is acknowledged', () => {
    const { world, answerId } = committedAfter('VALID');
    expect(world.answers.get(answerId)).toEqual(done);
  });
});
