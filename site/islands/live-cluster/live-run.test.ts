import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Moment } from './link.ts';
import { LiveRun } from './live-run.ts';
import type { Frame } from './protocol.ts';
import { RefusedError } from './run-of-moment.ts';
import { clusterVerbNames, verbNames, verbs, type ClusterVerbName, type VerbName } from './verbs.ts';

const RUN = 'v1~seed-7';

function opened(moment: Partial<Moment> = {}): LiveRun {
  return new LiveRun({ run: RUN, afterMs: 0, trace: '', ...moment });
}

function leaderOf({ nodes }: Frame): number {
  return nodes.findIndex(({ role, presence }) => role === 'leader' && presence === 'up');
}

function doIfPossible(live: LiveRun, verb: VerbName | ClusterVerbName, at: number): void {
  try {
    if (verb === 'sealInvalid' || verb === 'cutPower') live.actOnAll(verb);
    else live.act(verb, at);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
  }
}

/** The moment that a frame names, reached anew. */
function reopened({ run, afterMs }: Frame): Frame {
  const live = opened({ run, afterMs });
  while (live.isReplaying) live.replay(700);
  return live.frame(false);
}

describe('a live run', { timeout: 30_000 }, () => {
  it('starts with three nodes, one of which leads, and publishes a block per second', () => {
    const live = opened();
    live.pass(5000);
    const frame = live.frame(false);
    expect(frame.nodes.map(({ name, presence }) => [name, presence])).toEqual(
      ['s0', 's1', 's2'].map((name) => [name, 'up']),
    );
    expect(frame.nodes.filter(({ role }) => role === 'leader')).toHaveLength(1);
    expect(frame.nodes[leaderOf(frame)]!.sequencer).toBe('active');
    expect(frame.blocks.filter(({ atMs }) => atMs > 0)).toHaveLength(5);
    expect(frame.nowMs).toBeCloseTo(5000);
    expect(frame.strokes.length).toBeGreaterThan(0);
  });

  it('another one leads when the leader is killed, the chain goes on, and no law is broken', () => {
    const live = opened();
    live.pass(1234);
    const first = leaderOf(live.frame(false));
    live.act('kill', 'leader');
    live.pass(4000);
    const frame = live.frame(false);
    const second = leaderOf(frame);
    expect(second).not.toBe(first);
    expect(frame.nodes[first]).toMatchObject({ presence: 'down', verbs: ['kill'] });
    expect(frame.blocks.at(-1)!.by).toBe(second);
    const loud = frame.sentences.filter(({ isLoud }) => isLoud).map(({ text }) => text);
    expect(loud).toContain(`Conductor s${first} is killed.`);
    expect(loud.some((text) => text.startsWith(`s${second} leads in term`))).toBe(true);
    live.act('kill', first);
    live.pass(3000);
    expect(live.frame(false).nodes[first]).toMatchObject({ presence: 'up', verbs: [] });
    expect(live.frame(false).lawBroken).toBeNull();
  });

  it('an invalid block is refused and never published: the next one comes in its slot', () => {
    const live = opened({ run: 'v1~seed-7.engine-1' });
    live.pass(3000);
    live.frame(true);
    live.actOnAll('sealInvalid');
    live.pass(5000);
    const { blocks, sentences, lawBroken } = live.frame(false);
    const loud = sentences.filter(({ isLoud }) => isLoud).map(({ text }) => text);
    expect(loud[0]).toBe('The next block that is sealed is one that no execution client accepts.');
    expect(sentences.map(({ text }) => text)).toContainEqual(expect.stringMatching(/sealed an invalid block\.$/));
    expect(new Set(blocks.map(({ number }) => number)).size).toBe(blocks.length);
    const gaps = blocks.slice(1).map(({ atMs }, at) => atMs - blocks[at]!.atMs);
    expect(Math.max(...gaps)).toBeLessThan(1300);
    expect(lawBroken).toBeNull();
  });

  it('after a power cut of all clients the chain goes on where it was', () => {
    const live = opened({ run: 'v1~seed-7.engine-1' });
    live.pass(4000);
    live.actOnAll('cutPower');
    live.pass(16_000);
    const { blocks, sentences, lawBroken } = live.frame(false);
    expect(sentences.map(({ text }) => text)).toContain('All execution clients are back.');
    expect(blocks.map(({ number }) => number)).toEqual(blocks.map((_, at) => blocks[0]!.number + at));
    expect(blocks.at(-1)!.atMs).toBeGreaterThan(19_000);
    expect(lawBroken).toBeNull();
  });

  it('whatever is done, its string brings anybody to the very same moment', { timeout: 120_000 }, () => {
    const acts = fc.array(
      fc.record({
        verb: fc.constantFrom(...verbNames, ...clusterVerbNames),
        at: fc.nat(2),
        waitMs: fc.integer({ min: 0, max: 3000 }),
        pieceMs: fc.integer({ min: 1, max: 90 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    const property = fc.property(acts, fc.integer({ min: 0, max: 2500 }), (done, restMs) => {
      const live = opened();
      for (const { verb, at, waitMs, pieceMs } of done) {
        for (let passedMs = 0; passedMs < waitMs; passedMs += pieceMs) live.pass(pieceMs);
        doIfPossible(live, verb, at);
      }
      live.pass(restMs);
      const { sentences: _said, strokes: _strokes, ...here } = live.frame(false);
      const { sentences: _again, strokes: _others, ...there } = reopened({ ...live.frame(false) });
      expect(there).toEqual(here);
    });
    fc.assert(property, { seed: 51, numRuns: 15 });
  });

  it('each verb that lasts is a state of its node until it is done again, and says so at both ends', () => {
    for (const verb of verbNames) {
      const { endLabel, endSentence } = verbs[verb];
      if (endLabel === null) continue;
      const live = opened();
      live.act(verb, 1);
      live.pass(1500);
      expect(live.frame(false).nodes[1]!.verbs).toEqual([verb]);
      live.act(verb, 1);
      live.pass(1500);
      const frame = live.frame(false);
      expect(frame.nodes[1]!.verbs).toEqual([]);
      expect(frame.links).toEqual([]);
      const sentence = endSentence.replace('{at}', 's1');
      expect(frame.sentences.map(({ text }) => text.toLowerCase())).toContain(`${sentence.toLowerCase()}.`);
    }
  });

  it('what is killed can be started again, and nothing else be done to its conductor', () => {
    const live = opened();
    live.act('freeze', 1);
    live.act('kill', 1);
    for (const verb of ['cut', 'drop', 'pause', 'transfer'] as const)
      expect(() => live.act(verb, 1)).toThrow(new RefusedError('The conductor of s1 is down: restart it first.'));
    // What was begun before can be ended.
    live.act('freeze', 1);
    live.act('killSequencer', 1);
    live.pass(100);
    expect(live.frame(false).nodes[1]!.verbs).toEqual(['kill', 'killSequencer']);
    live.act('kill', 1);
    live.pass(100);
    live.act('cut', 1);
    expect(live.frame(false).nodes[1]!.verbs).toEqual(['killSequencer', 'cut']);
  });

  it('says which server was meant when an address names one beyond the last', () => {
    const sentencesOf = (run: string): string[] => {
      const live = opened({ run });
      while (live.isReplaying) live.replay(700);
      return live.frame(false).sentences.flatMap(({ text, isLoud }) => (isLoud ? [text] : []));
    };
    const sentence = expect.stringMatching(/names s4, and the last server here is s2: .* s1 was meant/);
    expect(sentencesOf('v1~seed-7~crash-em-4').at(-1)).toEqual(sentence);
    for (const run of ['v1~seed-7~crash-em-2', 'v1~seed-7.servers-5~crash-em-4'])
      expect(sentencesOf(run)).not.toContainEqual(sentence);
  });

  it('a step to the next sentence stops where something has happened', () => {
    const live = opened();
    live.frame(false);
    live.passToSentence();
    const frame = live.frame(false);
    expect(frame.sentences.length).toBeGreaterThan(0);
    expect(frame.nowMs - frame.sentences.at(-1)!.atMs).toBeLessThan(1);
  });

  it('stops after ten minutes without an act, and goes on after one', { timeout: 60_000 }, () => {
    const live = opened();
    live.pass(700_000);
    expect(live.ended).toMatch(/Ten minutes/);
    expect(live.frame(false).afterMs).toBe(600_000);
    live.act('transfer', 1);
    expect(live.ended).toBeNull();
  });

  it('says so when the simulator does not come to what an address promised', () => {
    const told = (moment: Partial<Moment>): boolean => {
      const live = opened(moment);
      while (live.isReplaying) live.replay(700);
      return live.frame(false).sentences.some(({ text }) => text.includes('another version of the simulator'));
    };
    for (const moment of [{}, { afterMs: 1500 }]) {
      const { hash } = reopened({ ...opened().frame(false), ...moment });
      expect(told({ ...moment, trace: hash })).toBe(false);
      expect(told({ ...moment, trace: hash.replace(/^./, hash.startsWith('0') ? '1' : '0') })).toBe(true);
    }
  });

  it.each([
    ['nonsense', 0, /names no run/],
    ['v1~opConductors-2', 0, /has op-conductors/],
    ['v1~seed-7~explode-em', 0, /no event/],
    ['v1~seed-7', 600_001, /too long/],
    [`v1~seed-7${'~transfer-cn40'.repeat(4)}`, 0, /too long/],
  ])('refuses %s, with a sentence', (run, afterMs, message) => {
    expect(() => opened({ run, afterMs })).toThrow(message);
    expect(() => opened({ run, afterMs })).toThrow(RefusedError);
  });
});
