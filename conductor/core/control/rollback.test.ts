import { describe, expect, it } from 'vitest';
import { permitted } from '../evidence/permitted.ts';
import type { Proof } from '../evidence/proof.ts';
import type { BlockRef, CallResult, NodeRequest } from '../node/calls.ts';
import { examineRollback, isGivenUpAbove, type RollbackHost, type RollbackVerdict } from './rollback.ts';
import type { Peer } from './target.ts';
import { block, type Block } from './testing/world.ts';

const FORK = 4n;
/** As op-node tells it while it has no head. */
const unset = `0x${'0'.repeat(64)}`;
/** Heights 1 to 6 are committed; the node has left them at height 4. */
const offered = block(5n, 1, FORK);
const LOWEST = { number: FORK, hash: block(FORK).hash };
const proved: Proof = { kind: 'proved', by: 'left', voters: ['a', 'b'], mayReplaceTipOnly: false };
const unproved: Proof = { kind: 'unproved', why: 'block 4 stays: c has not spoken' };

let clock = 0;

function host(changes: Partial<RollbackHost> = {}): RollbackHost {
  return {
    chain: {
      head: () => block(6n),
      at: (number) => (number >= 1n && number <= 6n ? { ...block(number), sizeBytes: 1 } : null),
      envelope: () => null,
      envelopeJson: () => null,
    },
    nowMs: () => (clock += 50),
    peers: () => [],
    proofAgainst: (against) => (against.number >= LOWEST.number ? proved : unproved),
    isLeft: (against) => against.number >= LOWEST.number,
    refusal: () => ({ reason: 'refused by the client', kind: 'invalid' }),
    wasBroughtTo: (hash) => hash === block(6n).hash,
    isOwnSequencer: () => true,
    lookNow: () => undefined,
    lookedAtMs: () => clock,
    ...changes,
  };
}

function peer(changes: Partial<Peer> = {}): Peer {
  return {
    id: 'b',
    isVoter: true,
    isNative: true,
    isInContact: true,
    isAgainstTip: false,
    known: null,
    ceasedLeadingAtMs: null,
    ...changes,
  };
}

function hinted(head: Block, changes: { readonly isHealthy?: boolean; readonly isPaused?: boolean } = {}) {
  const known = { headNumber: head.number, headHash: head.hash, safeNumber: null, l1Number: null, observations: [] };
  return { isHealthy: true, isPaused: false, ...known, ...changes };
}

/** A node whose unsafe head is the first, whose safe head is the second, on the branch from height 4. */
function node(unsafe: Block = block(4n, 1, FORK), safe: Block = block(2n)) {
  return ({ method, params }: NodeRequest): CallResult => {
    const head = ({ number, hash }: Block) => ({ number: Number(number), hash });
    if (method === 'optimism_syncStatus')
      return { kind: 'result', value: { unsafe_l2: head(unsafe), safe_l2: head(safe) } };
    const { number, hash, parentHash } = block(BigInt((JSON.parse(params) as [string])[0]), 1, FORK);
    return { kind: 'result', value: { number: `0x${number.toString(16)}`, hash, parentHash } };
  };
}

function run<Outcome>(
  steps: Generator<unknown, Outcome, never>,
  answer: (request: NodeRequest) => CallResult,
): Outcome {
  const typed = steps as Generator<{ kind: string; requests?: NodeRequest[] }, Outcome, unknown>;
  let step = typed.next();
  while (step.done !== true) {
    const { requests } = step.value;
    step = typed.next(
      requests === undefined ? { kind: 'wait' } : { kind: 'calls', results: requests.map((one) => answer(one)) },
    );
  }
  return step.value;
}

function verdict(changes: Partial<RollbackHost> = {}, answer = node()): RollbackVerdict {
  return run(examineRollback(host(changes), offered) as never, answer);
}

describe('the committed chain moves back only on proof (rule 6)', () => {
  it('against the lowest block that the node has left', () => {
    const asked: bigint[] = [];
    const proofAgainst = ({ number }: { readonly number: bigint }): Proof => {
      asked.push(number);
      return number === FORK ? proved : unproved;
    };
    expect(verdict({ proofAgainst })).toMatchObject({ kind: 'allowed', evidence: 'left, by a, b' });
    expect(asked).toContain(FORK);
  });

  it('not where the log does not reach down to where they parted: an operator is told, unless others stand on the log', () => {
    const chain = { ...host().chain, at: (number: bigint) => (number >= 6n ? host().chain.at(number) : null) };
    const off = peer({ known: hinted(block(4n, 1, FORK)) });
    const on = peer({ id: 'c', known: hinted(block(6n)) });
    const told = { kind: 'refused', why: expect.stringContaining('left-below-log') };
    expect(verdict({ chain, peers: () => [off] })).toEqual(told);
    expect(verdict({ chain, peers: () => [off, { ...on, isVoter: false }] })).toEqual(told);
    expect(verdict({ chain, peers: () => [on] })).toEqual({ kind: 'later' });
    expect(verdict({ chain, peers: () => [off], wasBroughtTo: () => false })).toEqual({ kind: 'later' });
  });

  it('and at once: nothing else is waited for', () => {
    expect(verdict({ wasBroughtTo: () => false })).toMatchObject({ kind: 'allowed' });
  });

  it('not where some voter has left the block that the node stands on, too: it has still to leave that', () => {
    expect(verdict({ isLeft: () => true })).toEqual({ kind: 'later' });
  });

  it.each(['invalid', 'notTaken'] as const)('unless it is %s: what clients refuse has nothing to do with L1', (by) => {
    const proofAgainst = (): Proof => ({ ...proved, by });
    expect(verdict({ isLeft: () => true, proofAgainst })).toMatchObject({ kind: 'allowed' });
  });

  it('one node that offers another block proves nothing, however long it does', () => {
    expect(verdict({ proofAgainst: () => unproved })).toEqual({ kind: 'refused', why: unproved.why });
    expect(verdict({ proofAgainst: () => unproved, wasBroughtTo: () => false })).toEqual({ kind: 'later' });
  });

  it('beside op-conductor the tip is replaced by a plain payload', () => {
    const proofAgainst = ({ number }: { readonly number: bigint }): Proof =>
      number === FORK ? { ...proved, mayReplaceTipOnly: true } : unproved;
    expect(verdict({ proofAgainst })).toMatchObject({ kind: 'allowed', asPlainPayload: true });
  });

  it('the word of others is waited for while our own node doubts the block, and not for long', () => {
    let asked = 0;
    const lateWord = ({ number }: { readonly number: bigint }): Proof =>
      number === FORK && ++asked > 3 ? proved : unproved;
    const late = { wasBroughtTo: () => false, proofAgainst: lateWord };
    expect(verdict(late)).toMatchObject({ kind: 'allowed' });
    expect(verdict({ ...late, proofAgainst: () => unproved })).toEqual({ kind: 'later' });
    asked = 0;
    expect(verdict({ ...late, refusal: () => null })).toEqual({ kind: 'later' });
  });

  it('its own node is looked at first: it may have left only just now', () => {
    let lookedAtMs = Infinity;
    const late: Partial<RollbackHost> = {
      wasBroughtTo: () => false,
      lookNow: () => void (lookedAtMs = clock + 200),
      lookedAtMs: () => (clock < lookedAtMs ? 0 : lookedAtMs),
      refusal: () => (clock < lookedAtMs ? null : host().refusal(LOWEST)),
      proofAgainst: ({ number }) => (number === FORK && clock >= lookedAtMs ? proved : unproved),
    };
    expect(verdict(late)).toMatchObject({ kind: 'allowed' });
    lookedAtMs = Infinity;
    const sinceMs = clock;
    expect(verdict({ ...late, lookNow: () => undefined })).toEqual({ kind: 'later' });
    expect(clock - sinceMs).toBeLessThan(2000);
  });

  it('one that offers a block while it is being reset is asked again for its head, and not for long', () => {
    let asked = 0;
    const isReset = (from: number) => (request: NodeRequest) =>
      request.method === 'optimism_syncStatus' && ++asked < from
        ? node({ ...block(0n), hash: unset })(request)
        : node()(request);
    expect(verdict({}, isReset(3))).toMatchObject({ kind: 'allowed' });
    asked = 0;
    expect(verdict({}, isReset(1000))).toEqual({ kind: 'later' });
    expect(asked).toBeLessThan(20);
  });

  it.each([
    ['the sequencer is not one this leader started or took from', { isOwnSequencer: () => false }, node()],
    ['its head is not the parent of what it offers', {}, node(block(3n))],
    ['its head is below its safe head', {}, node(block(4n, 1, FORK), block(9n))],
    ['it does not answer', {}, (): CallResult => ({ kind: 'failed', reason: 'timeout', message: 'no answer' })],
    ['its answer is something else', {}, (): CallResult => ({ kind: 'result', value: { unsafe_l2: null } })],
  ])('not if %s', (_, changes, answer) => {
    expect(verdict(changes, answer)).toEqual({ kind: 'later' });
  });

  it('--consensus.rollback=refuse leaves it to the operator', () => {
    const under = (proof: Proof) => ({
      proofAgainst: (of: BlockRef) => permitted(of, proof, 'refuse'),
      isLeft: () => false,
    });
    expect(verdict(under(proved))).toEqual({
      kind: 'refused',
      why: expect.stringMatching(
        /^that block 4 \(0x\w+\) is to be given up is proved \(left, by a, b\).*--consensus.rollback=refuse/,
      ),
    });
    expect(verdict(under({ ...proved, by: 'operator', voters: [] }))).toMatchObject({
      kind: 'allowed',
      evidence: "an operator's word",
    });
  });
});

describe('without proof a voter whose node holds the committed head gets leadership (rule 3)', () => {
  const without = { proofAgainst: () => unproved };

  it('once bringing our own node there was tried', () => {
    const peers = () => [peer({ known: hinted(block(6n)) })];
    expect(verdict({ ...without, peers })).toEqual({ kind: 'transfer', target: 'b' });
    expect(verdict({ ...without, peers, wasBroughtTo: () => false })).toEqual({ kind: 'later' });
  });

  it.each([
    ['is paused', { known: hinted(block(6n), { isPaused: true }) }],
    ['is unhealthy', { known: hinted(block(6n), { isHealthy: false }) }],
    ['does not answer', { known: hinted(block(6n)), isInContact: false }],
    ['is no voter', { known: hinted(block(6n)), isVoter: false }],
    ['has its node elsewhere', { known: hinted(block(4n, 1, FORK)) }],
  ])('not one that %s', (_, changes) => {
    expect(verdict({ ...without, peers: () => [peer(changes)] })).toEqual({ kind: 'refused', why: unproved.why });
  });
});

describe('a node is started below or beside the tip only on proof', () => {
  const at = (changes: Partial<RollbackHost>, head: Block): boolean =>
    run(isGivenUpAbove(host(changes), head) as never, node());

  it('of what stands above where it parted', () => {
    expect(at({}, offered)).toBe(true);
    expect(at({ proofAgainst: () => unproved }, offered)).toBe(false);
    expect(at({ proofAgainst: (of: BlockRef) => permitted(of, proved, 'refuse') }, offered)).toBe(false);
    expect(at({ isLeft: () => true }, offered)).toBe(false);
  });
});
