import { describe, expect, it } from 'vitest';
import type { CallResult } from './calls.ts';
import { examineRollback, type RollbackHost, type RollbackVerdict } from './rollback.ts';
import type { Peer } from './target.ts';
import { block, type Block } from './testing/world.ts';

const FORK = 4n;
/** Heights 1 to 6 are committed; the node has left them at height 4. */
const offered = block(5n, 1, FORK);

function host(changes: Partial<RollbackHost> = {}): RollbackHost {
  return {
    policy: 'auto',
    chain: {
      head: () => block(6n),
      at: (number) => (number >= 1n && number <= 6n ? { ...block(number), sizeBytes: 1 } : null),
      envelope: () => null,
      envelopeJson: () => null,
    },
    peers: () => [],
    wasBroughtTo: (hash) => hash === block(6n).hash,
    isOwnSequencer: () => true,
    ...changes,
  };
}

function peer(changes: Partial<Peer> = {}): Peer {
  return { id: 'b', isVoter: true, isOwn: true, isInContact: true, hint: null, ceasedLeadingAtMs: null, ...changes };
}

function hinted(head: Block, changes: { readonly isHealthy?: boolean; readonly isPaused?: boolean } = {}) {
  return { isHealthy: true, isPaused: false, headNumber: head.number, headHash: head.hash, ...changes };
}

function syncStatus(unsafe: Block, safe: Block): CallResult {
  const head = ({ number, hash }: Block) => ({ number: Number(number), hash });
  return { kind: 'result', value: { unsafe_l2: head(unsafe), safe_l2: head(safe) } };
}

/** The verdict, with these answers of the node; the last one stays. */
function verdict(changes: Partial<RollbackHost> = {}, ...answers: CallResult[]) {
  const [first = syncStatus(block(4n, 1, FORK), block(2n)), ...later] = answers;
  return verdictOn(offered, changes, first, ...later);
}

function verdictOn(on: Block, changes: Partial<RollbackHost>, ...answers: readonly CallResult[]): RollbackVerdict {
  const steps = examineRollback(host(changes), on);
  let asked = 0;
  let step = steps.next();
  while (step.done !== true) {
    const answer = answers[Math.min(asked++, answers.length - 1)] as CallResult;
    step = steps.next({ kind: 'calls', results: [answer] });
  }
  return step.value;
}

describe('a rollback is allowed only with every piece of evidence (rule 6)', () => {
  it('rule 3 was tried and the node stayed off, and it builds on what it offers', () => {
    expect(verdict()).toMatchObject({ kind: 'allowed' });
  });

  it.each([
    ['the sequencer is not one this leader started or took from', { isOwnSequencer: () => false }],
    ['rule 3 was not tried for this head', { wasBroughtTo: () => false }],
  ])('not if %s', (_, changes) => {
    expect(verdict(changes)).toEqual({ kind: 'later' });
  });

  it.each([
    ['its head is not the parent of what it offers', syncStatus(block(3n), block(2n))],
    ['its head is below its safe head', syncStatus(block(4n, 1, FORK), block(9n))],
    ['it does not answer', { kind: 'failed', reason: 'timeout', message: 'no answer' } as const],
    ['its answer is something else', { kind: 'result', value: { unsafe_l2: null } } as const],
  ])('not if %s', (_, answer) => {
    expect(verdict({}, answer)).toEqual({ kind: 'later' });
  });

  it('another hash on the safe chain at a height that is held stands for rule 3', () => {
    const answer = syncStatus(block(4n, 1, FORK), block(4n, 1, FORK));
    expect(verdict({ wasBroughtTo: () => false }, answer)).toMatchObject({ kind: 'allowed' });
    const same = syncStatus(block(4n, 1, FORK), block(3n));
    expect(verdict({ wasBroughtTo: () => false }, same)).toEqual({ kind: 'later' });
  });

  it('where the safe chain is above the tip, its block at the height of the tip says it', () => {
    const beyond = block(10n, 1, FORK);
    const status = syncStatus(block(9n, 1, FORK), block(8n, 1, FORK));
    const at = (found: Block): CallResult => {
      const { number, hash, parentHash } = found;
      return { kind: 'result', value: { number: `0x${number.toString(16)}`, hash, parentHash } };
    };
    const untried = { wasBroughtTo: () => false };
    expect(verdictOn(beyond, untried, status, at(block(6n, 1, FORK)))).toMatchObject({ kind: 'allowed' });
    expect(verdictOn(beyond, untried, status, at(block(6n)))).toEqual({ kind: 'later' });
    expect(verdictOn(beyond, untried, status, at(block(5n, 1, FORK)))).toEqual({ kind: 'later' });
    expect(verdictOn(beyond, untried, status, { kind: 'result', value: null })).toEqual({ kind: 'later' });
  });

  it('a voter whose node holds the committed head gets leadership instead', () => {
    expect(verdict({ peers: () => [peer({ hint: hinted(block(6n)) })] })).toEqual({ kind: 'transfer', target: 'b' });
  });

  it.each([
    ['is paused', { hint: hinted(block(6n), { isPaused: true }) }],
    ['is unhealthy', { hint: hinted(block(6n), { isHealthy: false }) }],
    ['does not answer', { hint: hinted(block(6n)), isInContact: false }],
  ])('one that holds it and %s keeps the chain from moving', (_, changes) => {
    expect(verdict({ peers: () => [peer(changes)] })).toMatchObject({ kind: 'refused' });
  });

  it('a nonvoter, or a voter whose node is elsewhere, does not', () => {
    const peers = [
      peer({ hint: hinted(block(6n)), isVoter: false }),
      peer({ id: 'c', hint: hinted(block(4n, 1, FORK)) }),
    ];
    expect(verdict({ peers: () => peers })).toMatchObject({ kind: 'allowed' });
  });

  it.each([
    ['--consensus.rollback=refuse', { policy: 'refuse' as const }],
    ['a voter that may be Go', { peers: () => [peer({ isOwn: false })] }],
    ['a nonvoter that may be Go', { peers: () => [peer({ isOwn: false, isVoter: false })] }],
  ])('with %s it is refused', (_, changes) => {
    expect(verdict(changes)).toMatchObject({ kind: 'refused' });
  });
});
