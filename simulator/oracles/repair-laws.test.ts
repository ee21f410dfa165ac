import { describe, expect, it } from 'vitest';
import { Blocks } from '../blocks.ts';
import { defaultConfiguration } from '../configuration.ts';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import { Verdicts } from '../verdicts.ts';
import type { World } from '../world.ts';
import { givenUpMs } from './disagreement-bounds.ts';
import type { Ending, Law, Oracle } from './oracle.ts';
import { givenUpIsDead, givenUpIsReplaced } from './repair-laws.ts';

const configuration = defaultConfiguration;
const GIVEN_UP_MS = givenUpMs(configuration);

/** Three machines, of which the first leads, and one block above the genesis. */
function watched(law: Law) {
  const blocks = new Blocks(1);
  const verdicts = new Verdicts(blocks, 3);
  const complaints: string[] = [];
  const oracle: Oracle = law(
    (message) => complaints.push(message),
    () => undefined,
  );
  const world = { nowMs: 0, blocks, verdicts };
  oracle.watch?.(world as unknown as World);
  const block = blocks.build(blocks.genesis, 0);
  const machine = { id: 's0', worldMs: 0 } as Machine;
  const giveUp = (hash: string): Call => ({ method: 'conductor_giveUpBlock', values: [1n, hash], sinceMs: 0 });
  const answered = (kind: 'result' | 'error', hash = block.hash): void =>
    oracle.answered?.(
      machine,
      giveUp(hash),
      kind === 'result' ? { kind, json: 'null' } : { kind, code: -32000, message: '' },
    );
  const published = (atMs: number): void => oracle.published?.({ id: 's0', worldMs: atMs } as Machine, block);
  const judged = (atMs: number): void =>
    oracle.judged?.({ id: 's0', index: 0, worldMs: atMs } as Machine, block, 'INVALID');
  const commits = { committed: oracle.committed, leftInDoubt: oracle.leftInDoubt };
  const committed = (how: keyof typeof commits, atMs: number): void =>
    commits[how]?.({ id: 's0', worldMs: atMs } as Machine, block);
  const payload = { executionPayload: { blockHash: block.hash } };
  const offer: Call = { method: 'conductor_commitUnsafePayload', values: [{ payload }] as never, sinceMs: 0 };
  const offeredAgain = (atMs: number): void => oracle.called?.({ id: 's0', worldMs: atMs } as Machine, offer);
  const started = (atMs: number): void =>
    oracle.ordered?.({ id: 's0', worldMs: atMs } as Machine, 'admin_startSequencer', block.hash);
  const finish = (calmFromMs = 0): void => {
    world.nowMs = 60_000;
    oracle.finish?.({ run: { configuration }, world: world as unknown as World, calmFromMs } as Ending);
  };
  return {
    world,
    blocks,
    verdicts,
    complaints,
    block,
    answered,
    published,
    judged,
    committed,
    offeredAgain,
    started,
    finish,
  };
}

describe('an operator gives up what is dead', () => {
  it('a word against a block that most clients take breaks it, if it was taken', () => {
    const { complaints, answered } = watched(givenUpIsDead);
    answered('error');
    expect(complaints).toEqual([]);
    answered('result');
    expect(complaints).toEqual(['an operator gives up block 1 of s0, which most clients take']);
  });

  it('also where its hash is written in capitals', () => {
    const { complaints, answered, block } = watched(givenUpIsDead);
    answered('result', `0x${block.hash.slice(2).toUpperCase()}`);
    expect(complaints).toHaveLength(1);
  });

  it('one that most refuse, or that L1 has taken, may go', () => {
    const refused = watched(givenUpIsDead);
    refused.verdicts.spoil(refused.block, 0b011);
    refused.answered('result');
    expect(refused.complaints).toEqual([]);
    const gone = watched(givenUpIsDead);
    gone.blocks.rollBackTo(0);
    gone.answered('result');
    expect(gone.complaints).toEqual([]);
  });
});

describe('what is given up is replaced', () => {
  it('no block within the bound breaks it, once all faults are over', () => {
    const { complaints, answered, published, finish } = watched(givenUpIsReplaced);
    answered('result');
    published(GIVEN_UP_MS + 1);
    finish(1);
    expect(complaints).toEqual([]);
    finish();
    expect(complaints).toEqual([
      `no block comes within ${GIVEN_UP_MS} ms of an operator's word at 0, or of the next bad one`,
    ]);
  });

  it('one in time is enough', () => {
    const { complaints, answered, published, finish } = watched(givenUpIsReplaced);
    answered('result');
    published(GIVEN_UP_MS);
    finish();
    expect(complaints).toEqual([]);
  });

  it('two seconds later where blocks come every two seconds', () => {
    expect(givenUpMs({ blockSeconds: 2 }) - GIVEN_UP_MS).toBe(2000);
  });

  it('the bound begins anew when its builder spoils the next one in time, not with what sick clients say', () => {
    const { verdicts, block, complaints, answered, published, judged, finish } = watched(givenUpIsReplaced);
    answered('result');
    judged(GIVEN_UP_MS);
    published(GIVEN_UP_MS + 1);
    finish();
    expect(complaints).toHaveLength(1);
    verdicts.spoil(block, 0b111);
    judged(GIVEN_UP_MS);
    finish();
    expect(complaints).toHaveLength(1);
  });

  it.each(['committed', 'leftInDoubt'] as const)('one that is %s gives the time for another word', (how) => {
    const { verdicts, block, complaints, answered, published, committed, finish } = watched(givenUpIsReplaced);
    answered('result');
    committed(how, 10);
    published(GIVEN_UP_MS + 20);
    finish();
    expect(complaints).toHaveLength(1);
    verdicts.spoil(block, 0b111);
    committed(how, 10);
    finish();
    expect(complaints).toHaveLength(1);
  });

  it('and so does one that its builder gives again after a start, once', () => {
    const { complaints, answered, offeredAgain, started, published, finish } = watched(givenUpIsReplaced);
    answered('result');
    published(GIVEN_UP_MS + 20);
    finish();
    expect(complaints).toHaveLength(1);
    offeredAgain(GIVEN_UP_MS + 1);
    finish();
    expect(complaints).toHaveLength(2);
    offeredAgain(10);
    finish();
    expect(complaints).toHaveLength(3);
    started(5);
    offeredAgain(10);
    finish();
    expect(complaints).toHaveLength(3);
  });
});
