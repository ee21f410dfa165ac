import { describe, expect, it } from 'vitest';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { buildBlock } from '../payload/build-block.ts';
import { prefixedHex } from '../payload/hex.ts';
import { Validation, type Verdict } from './validation.ts';

const envelope = buildBlock({ parent: null, timestamp: 1000, transactions: [] });
const hash = prefixedHex(envelope.executionPayload.blockHash);

class World {
  now = 0;
  readonly asked: NodeRequest[] = [];
  readonly counts: string[] = [];
  readonly #waiting: ((result: CallResult) => void)[] = [];
  readonly errors: string[] = [];
  readonly verdicts: Verdict[] = [];
  readonly validation = new Validation(1000, {
    metrics: {
      count: (name: string, labels: Readonly<Record<string, string>> = {}) =>
        void this.counts.push([name, ...Object.values(labels)].join(' ')),
      gauge: () => undefined,
      observe: () => undefined,
    },
    logger: { log: (level, message) => void (level === 'error' && this.errors.push(message)) },
    nowMs: () => this.now,
    call: (request, then) => {
      this.asked.push(request);
      this.#waiting.push(then);
    },
  });

  begin(): number {
    this.validation.begin(hash, envelope, (verdict) => void this.verdicts.push(verdict));
    return this.asked.length;
  }

  answer(id: number, status: string, validationError: string | null = null): void {
    this.end(id, { kind: 'result', value: { status, latestValidHash: null, validationError } });
  }

  end(id: number, result: CallResult): void {
    this.#waiting[id - 1]!(result);
  }
}

describe('validated commits (rule 28)', () => {
  it('VALID goes on, INVALID is refused with the words of the client, and the hash is remembered', () => {
    const world = new World();
    world.answer(world.begin(), 'VALID');
    world.answer(world.begin(), 'INVALID', 'invalid merkle root');
    expect(world.verdicts).toEqual([{ kind: 'valid' }, { kind: 'invalid', message: 'invalid merkle root' }]);
    expect(world.asked[0]).toMatchObject({ target: 'engine' });
    expect(world.validation.refusalOf(hash)).toBe('invalid merkle root');
    world.now = 61_000;
    expect(world.validation.refusalOf(hash)).toBeNull();
  });

  it.each(['SYNCING', 'ACCEPTED', 'something else'])(
    '%s is no verdict: the commit goes on and is counted',
    (status) => {
      const world = new World();
      world.answer(world.begin(), status);
      expect(world.verdicts).toEqual([{ kind: 'unknown' }]);
      expect(world.counts.some((count) => count.startsWith('payloads_unvalidated_total'))).toBe(true);
    },
  );

  it.each<CallResult>([
    { kind: 'failed', reason: 'refused', message: 'connection refused' },
    { kind: 'error', code: -32000, message: 'busy' },
  ])('nor is $kind', (result) => {
    const world = new World();
    world.end(world.begin(), result);
    expect(world.verdicts).toEqual([{ kind: 'unknown' }]);
  });

  describe('a client that is slow with every block', () => {
    function afterLate(count: number): World {
      const world = new World();
      for (let block = 0; block < count; block += 1) {
        const id = world.begin();
        world.now += 600;
        world.validation.tick();
        world.answer(id, 'VALID');
      }
      return world;
    }

    it('is not waited for after two late verdicts, so that blocks keep their slots', () => {
      const world = afterLate(2);
      world.begin();
      expect(world.verdicts).toHaveLength(3);
      expect(world.counts).toContain('payloads_unvalidated_total slow');
    });

    it('nor is one late verdict held against it', () => {
      const world = afterLate(1);
      world.begin();
      expect(world.verdicts).toHaveLength(1);
    });

    it('is waited for again when it answers in time; what it says meanwhile is recorded', () => {
      const world = afterLate(2);
      const id = world.begin();
      world.answer(id, 'INVALID', 'bad root');
      expect(world.validation.refusalOf(hash)).toBe('bad root');
      world.begin();
      expect(world.verdicts).toHaveLength(3);
    });
  });

  it('a commit waits half a block time and no longer; what comes later is recorded, and INVALID is an alarm', () => {
    const world = new World();
    const id = world.begin();
    expect(world.validation.nextDeadlineMs()).toBe(500);
    world.now = 499;
    world.validation.tick();
    expect(world.verdicts).toEqual([]);
    world.now = 500;
    world.validation.tick();
    expect(world.verdicts).toEqual([{ kind: 'unknown' }]);
    world.answer(id, 'INVALID', 'bad');
    expect(world.verdicts).toHaveLength(1);
    expect(world.counts).toContain('alarms_total invalid-committed');
    expect(world.validation.refusalOf(hash)).toBe('bad');
  });

  it('ten blocks in a row without a verdict are an alarm', () => {
    const world = new World();
    for (let count = 0; count < 10; count += 1) world.answer(world.begin(), 'SYNCING');
    expect(world.counts.filter((count) => count === 'alarms_total unvalidated')).toHaveLength(1);
  });
});
