import { describe, expect, it } from 'vitest';
import type { VerdictName } from '../raft/types.ts';
import type { CallResult, NodeRequest } from '../node/calls.ts';
import { buildBlock } from '../payload/build-block.ts';
import { prefixedHex } from '../payload/hex.ts';
import { encodeSsz } from '../payload/ssz.ts';
import { Validation, type ValidationPolicy, type Verdict } from './validation.ts';

const envelope = buildBlock({ parent: null, timestamp: 1000, transactions: [] });
const hash = prefixedHex(envelope.executionPayload.blockHash);
const ssz = encodeSsz(envelope) as Uint8Array;

function headAt(hash: string): CallResult {
  return { kind: 'result', value: { number: '0x1', hash, parentHash: hash } };
}

class World {
  now = 0;
  readonly asked: NodeRequest[] = [];
  readonly counts: string[] = [];
  readonly #waiting: ((result: CallResult) => void)[] = [];
  readonly errors: string[] = [];
  readonly verdicts: Verdict[] = [];
  readonly validation: Validation;
  /** What the own client says of its head. */
  head: CallResult = headAt('0x' + '11'.repeat(32));
  /** Voters that are asked with a block; a test may take some out. */
  askable = ['n2', 'n3'];

  constructor(policy: Exclude<ValidationPolicy, 'off'> = 'leader', voters = ['n1', 'n2', 'n3']) {
    this.validation = new Validation(policy, 1000, {
      metrics: {
        count: (name: string, labels: Readonly<Record<string, string>> = {}) =>
          void this.counts.push([name, ...Object.values(labels)].join(' ')),
        gauge: () => undefined,
        observe: () => undefined,
      },
      logger: { log: (level, message) => void (level === 'error' && this.errors.push(message)) },
      nowMs: () => this.now,
      call: (request, then) => {
        if (request.target === 'execution') return then(this.head);
        this.asked.push(request);
        this.#waiting.push(then);
      },
      voters: () => ({ ids: voters, selfId: 'n1' }),
      askVoters: () => this.askable,
    });
  }

  begin(): number {
    this.validation.begin(hash, envelope, ssz, (verdict) => void this.verdicts.push(verdict));
    return this.asked.length;
  }

  /** A voter's answer to the block that was given as the `id`-th. */
  voter(id: number, peerId: string, verdict: VerdictName, message = ''): void {
    this.validation.voterAnswered(id, { peerId, verdict, message });
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

  it('but for a client that stands on the parent: it cannot go on, and the block is not committed', () => {
    const world = new World();
    world.head = headAt(prefixedHex(envelope.executionPayload.parentHash));
    world.answer(world.begin(), 'SYNCING');
    expect(world.verdicts).toEqual([{ kind: 'unable' }]);
    expect(world.validation.refusalOf(hash)).toBeNull();
    expect(world.counts.some((count) => count.startsWith('payloads_unvalidated_total'))).toBe(false);
  });

  it('nor is a SYNCING that comes after the commit has gone on', () => {
    const world = new World();
    world.head = headAt(prefixedHex(envelope.executionPayload.parentHash));
    const id = world.begin();
    world.now = 500;
    world.validation.tick();
    world.answer(id, 'SYNCING');
    expect(world.verdicts).toEqual([{ kind: 'unknown' }]);
  });

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

  it('what the own client says is counted, and whether the commit had gone on by then', () => {
    const world = new World();
    const counted = (): string[] => world.counts.filter((count) => count.startsWith('validations_total'));
    world.answer(world.begin(), 'VALID');
    world.end(world.begin(), { kind: 'failed', reason: 'refused', message: 'connection refused' });
    const id = world.begin();
    world.now = 500;
    world.validation.tick();
    const before = ['validations_total valid false', 'validations_total error false'];
    expect(counted()).toEqual(before);
    world.answer(id, 'INVALID', 'bad');
    expect(counted()).toEqual([...before, 'validations_total invalid true']);
  });

  it('ten blocks in a row without a verdict are an alarm', () => {
    const world = new World();
    for (let count = 0; count < 10; count += 1) world.answer(world.begin(), 'SYNCING');
    expect(world.counts.filter((count) => count === 'alarms_total unvalidated')).toHaveLength(1);
  });

  it('but not ten of which one in between has one', () => {
    const world = new World();
    const alarms = (): number => world.counts.filter((count) => count === 'alarms_total unvalidated').length;
    const without = (count: number): void => {
      for (let at = 0; at < count; at += 1) world.answer(world.begin(), 'SYNCING');
    };
    without(9);
    world.answer(world.begin(), 'VALID');
    without(9);
    expect(alarms()).toBe(0);
    without(1);
    expect(alarms()).toBe(1);
  });
});

describe('with the majority’s clients (--consensus.validate=quorum)', () => {
  const silent = (world: World): void => {
    world.now += 500;
    world.validation.tick();
  };

  it('a block goes on with the leader’s VALID and that of one more of three, whatever the third says', () => {
    const world = new World('quorum');
    const id = world.begin();
    world.voter(id, 'n2', 'invalid', 'bad root');
    world.answer(id, 'VALID');
    expect(world.verdicts).toEqual([]);
    world.voter(id, 'n3', 'valid');
    expect(world.verdicts).toEqual([{ kind: 'valid' }]);
    expect(world.validation.refusalOf(hash)).toBeNull();
  });

  it('what two of three refuse is refused, in their words, though the leader’s client holds it valid', () => {
    const world = new World('quorum');
    const id = world.begin();
    world.answer(id, 'VALID');
    world.voter(id, 'n2', 'invalid', 'bad root');
    expect(world.verdicts).toEqual([]);
    world.voter(id, 'n3', 'invalid', 'bad gas');
    expect(world.verdicts).toEqual([{ kind: 'invalid', message: 'n2: bad root; n3: bad gas' }]);
    expect(world.validation.refusalOf(hash)).toBe('n2: bad root; n3: bad gas');
  });

  it('the leader’s own INVALID is enough, before others have answered', () => {
    const world = new World('quorum');
    const id = world.begin();
    world.answer(id, 'INVALID', 'bad root');
    expect(world.verdicts).toEqual([{ kind: 'invalid', message: 'bad root' }]);
    world.voter(id, 'n2', 'valid');
    world.voter(id, 'n3', 'valid');
    expect(world.verdicts).toHaveLength(1);
  });

  it('what each voter that was asked says is counted, by voter and verdict, once', () => {
    const world = new World('quorum');
    const id = world.begin();
    world.voter(id, 'n2', 'none', 'syncing');
    world.voter(id, 'n2', 'valid');
    world.voter(id, 'n4', 'valid');
    world.answer(id, 'VALID');
    world.voter(id, 'n3', 'invalid', 'bad root');
    expect(world.counts.filter((count) => count.startsWith('voter_validations_total'))).toEqual([
      'voter_validations_total n2 none',
      'voter_validations_total n3 invalid',
    ]);
  });

  it('two of five make no majority, three do', () => {
    const world = new World('quorum', ['n1', 'n2', 'n3', 'n4', 'n5']);
    world.askable = ['n2', 'n3', 'n4', 'n5'];
    const id = world.begin();
    world.answer(id, 'VALID');
    world.voter(id, 'n2', 'valid');
    world.voter(id, 'n3', 'invalid');
    world.voter(id, 'n4', 'invalid');
    expect(world.verdicts).toEqual([]);
    world.voter(id, 'n5', 'valid');
    expect(world.verdicts).toEqual([{ kind: 'valid' }]);
  });

  it('where too few can answer it goes on at once with the leader’s word, counted', () => {
    const world = new World('quorum');
    world.askable = ['n2'];
    const id = world.begin();
    world.voter(id, 'n2', 'none', 'syncing');
    world.answer(id, 'VALID');
    expect(world.verdicts).toEqual([{ kind: 'valid' }]);
    expect(world.counts).toContain('payloads_unvalidated_total no-quorum');
  });

  it('the leader’s word alone is none where a voter’s client refuses the block and no third one speaks', () => {
    const world = new World('quorum');
    for (const speak of [() => silent(world), (id: number) => world.voter(id, 'n3', 'none', 'syncing')]) {
      const id = world.begin();
      world.answer(id, 'VALID');
      world.voter(id, 'n2', 'invalid', 'bad root');
      speak(id);
    }
    expect(world.verdicts).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
    expect(world.validation.refusalOf(hash)).toBeNull();
  });

  it('a silent voter costs half a block time twice; then the leader’s word is enough until it answers in time', () => {
    const world = new World('quorum');
    world.askable = ['n2'];
    const ids = [1, 2].map(() => {
      const id = world.begin();
      world.answer(id, 'VALID');
      silent(world);
      return id;
    });
    expect(world.verdicts).toEqual([{ kind: 'valid' }, { kind: 'valid' }]);
    for (const id of ids) world.voter(id, 'n2', 'none');
    const third = world.begin();
    expect(world.verdicts).toHaveLength(2);
    world.answer(third, 'VALID');
    expect(world.verdicts).toHaveLength(3);
    expect(world.counts).toContain('payloads_unvalidated_total slow-voters');
    world.voter(third, 'n2', 'valid');
    const fourth = world.begin();
    world.answer(fourth, 'VALID');
    expect(world.verdicts).toHaveLength(3);
  });

  it('the leader’s INVALID is waited for however slow the voters are', () => {
    const world = new World('quorum');
    for (const _ of [1, 2]) {
      const id = world.begin();
      world.answer(id, 'VALID');
      silent(world);
      world.voter(id, 'n2', 'none');
      world.voter(id, 'n3', 'none');
    }
    world.answer(world.begin(), 'INVALID', 'bad root');
    expect(world.verdicts.at(-1)).toEqual({ kind: 'invalid', message: 'bad root' });
  });
});
