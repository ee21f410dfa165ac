import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from './journal.ts';
import { RpcCallError } from './rpc-endpoint.ts';
import { waitStep, type Procedure, type Step } from './step.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { runInMemory } from './testing/run-in-memory.ts';

/** Flags that steps set; the cluster itself stays as it is. */
class World {
  readonly cluster = new MemoryCluster();
  readonly flags = new Set<string>();
  readonly performed: string[] = [];

  step(name: string, more: Partial<Step> = {}): Step {
    return {
      title: name,
      isDone: () => this.flags.has(name),
      guard: () => null,
      execute: () => {
        this.performed.push(name);
        this.flags.add(name);
        return Promise.resolve();
      },
      settled: () => this.flags.has(name),
      deadlineMs: 5000,
      stopsSequencing: false,
      ...more,
    };
  }

  run(steps: readonly Step[], overrides: Parameters<typeof runInMemory>[2] = {}, more: Partial<Procedure> = {}) {
    const procedure: Procedure = { title: 'test', steps, command: ['test'], journal: null, ...more };
    return runInMemory(procedure, () => this.cluster.observe(), overrides);
  }
}

const undoOf = (world: World, name: string): Partial<Step> => ({
  undo: {
    title: `not ${name}`,
    isNeeded: () => world.flags.has(name),
    execute: () => {
      world.flags.delete(name);
      return Promise.resolve();
    },
  },
});

describe('the order of things', () => {
  test('steps are done in order; what is so already is skipped', async () => {
    const world = new World();
    world.flags.add('b');
    const { outcome, events } = await world.run([world.step('a'), world.step('b'), world.step('c')]);
    expect(outcome.kind).toBe('done');
    expect(world.performed).toEqual(['a', 'c']);
    expect(events).toEqual(['started: a', 'done: a', 'skipped: b', 'started: c', 'done: c']);
  });

  test('a second run of what is done changes nothing', async () => {
    const world = new World();
    const steps = [world.step('a'), world.step('b')];
    await world.run(steps);
    const { outcome } = await world.run(steps);
    expect(outcome.kind).toBe('done');
    expect(world.performed).toEqual(['a', 'b']);
  });

  test('a dry run changes nothing and tells how far it is', async () => {
    const world = new World();
    world.flags.add('a');
    const { outcome, questions } = await world.run([world.step('a'), world.step('b', { stopsSequencing: true })], {
      isDryRun: true,
    });
    expect(outcome).toMatchObject({ kind: 'planned', done: ['a'], open: ['b'] });
    expect(world.performed).toEqual([]);
    expect(questions).toBe(0);
  });
});

describe('a plan', () => {
  test('that would be refused is refused, also where it is only a plan', async () => {
    const world = new World();
    world.flags.add('a');
    const steps = [world.step('a'), world.step('b', { guard: () => 'not today' })];
    const { outcome } = await world.run(steps, { isDryRun: true });
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'not today', done: ['a'], open: ['b'] });
  });

  test('examines the next step as it will be, and of later ones what no step before them can change', async () => {
    const world = new World();
    world.flags.add('a');
    const steps = [
      world.step('a', { foresee: () => 'done steps are not asked' }),
      world.step('b'),
      world.step('c', { guard: () => 'not before b' }),
      world.step('d', { guard: () => 'never', foresee: () => 'never' }),
      world.step('e', { isWait: true, progress: () => 'rain' }),
      world.step('f', { progress: () => 'what is no wait is not looked at' }),
    ];
    const { outcome, refusals, waitsFor } = await world.run(steps, { isDryRun: true });
    expect(refusals).toEqual([null, null, null, 'never', null, null]);
    expect(waitsFor).toEqual(['', '', '', '', 'rain', '']);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'never', done: ['a'] });
    expect(world.performed).toEqual([]);
  });

  test('tells what was performed and is waited for', async () => {
    const world = new World();
    const journal = { read: () => 'performed', note: () => undefined, clear: () => undefined };
    const step = world.step('a', { isUnseen: true, journalKey: 'a' });
    const { states } = await world.run([step, world.step('b')], { isDryRun: true }, { journal });
    expect(states).toEqual(['performed', 'open']);
  });
});

describe('refusals', () => {
  test('without a quorum no step is done, whichever it is', async () => {
    for (const lost of [0, 1, 2]) {
      const world = new World();
      const names = ['a', 'b', 'c'];
      const steps = names.map((name, at) =>
        world.step(name, {
          execute: () => {
            world.performed.push(name);
            world.flags.add(name);
            // Two of three fall silent after the step before the one in question.
            if (at === lost - 1) world.cluster.servers[1]!.isUp = world.cluster.servers[2]!.isUp = false;
            return Promise.resolve();
          },
        }),
      );
      if (lost === 0) world.cluster.servers[1]!.isUp = world.cluster.servers[2]!.isUp = false;
      const { outcome } = await world.run(steps);
      expect(outcome.kind).toBe('refused');
      expect(outcome.reason).toContain('only 1 of 3 voters answer and follow the leader, 2 are needed');
      expect(world.performed).toEqual(names.slice(0, lost));
      expect(outcome.open).toEqual(names.slice(lost));
    }
  });

  test('the operator may go on without a quorum, and a step may not need one', async () => {
    const world = new World();
    world.cluster.leader = null;
    expect((await world.run([world.step('a')])).outcome.reason).toContain('nobody leads');
    expect((await world.run([world.step('a')], { ignoresQuorum: true })).outcome.kind).toBe('done');
    expect((await world.run([world.step('b', { quorum: 'irrelevant' })])).outcome.kind).toBe('done');
  });

  test('a guard that says no stops it with its sentence', async () => {
    const world = new World();
    const { outcome } = await world.run([world.step('a'), world.step('b', { guard: () => 'not today' })]);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'not today', done: ['a'], open: ['b'] });
  });

  test('after a change a guard gets time to come round, before the first it does not', async () => {
    const world = new World();
    let asked = 0;
    const slow = world.step('b', { guard: () => ((asked += 1) > 20 ? null : 'not yet') });
    expect((await world.run([world.step('a'), slow])).outcome.kind).toBe('done');
    world.flags.delete('b');
    asked = 0;
    expect((await world.run([slow])).outcome.kind).toBe('refused');
  });

  test('once somebody confirms, before the first step that stops blocks; a no ends it there', async () => {
    const world = new World();
    const steps = [
      world.step('a'),
      world.step('b', { stopsSequencing: true }),
      world.step('c', { stopsSequencing: true }),
    ];
    const refused = await world.run(steps, { isConfirmed: false });
    expect(refused.outcome).toMatchObject({ kind: 'declined', done: ['a'], open: ['b', 'c'] });
    const { outcome, questions } = await world.run(steps);
    expect(outcome.kind).toBe('done');
    expect(questions).toBe(1);
  });

  test('the cluster is looked at again after somebody confirmed', async () => {
    const world = new World();
    let looks = 0;
    const step = world.step('a', { stopsSequencing: true, guard: () => ((looks += 1) > 2 ? 'too late' : null) });
    // One look for the plan, one before the question, one after it.
    expect((await world.run([step])).outcome).toMatchObject({ kind: 'refused', reason: 'too late' });
    expect(world.performed).toEqual([]);
  });
});

describe('failures', () => {
  const refuse = (): Promise<void> => Promise.reject(new RpcCallError('no', -32000));
  const fallSilent = (): Promise<void> => Promise.reject(new RpcCallError('connection refused', null));

  test('each step may fail: those before it stay done, those after it are not begun, a second run goes on', async () => {
    for (const failing of [0, 1, 2]) {
      const world = new World();
      const names = ['a', 'b', 'c'];
      const steps = names.map((name, at) => world.step(name, at === failing ? { execute: refuse } : {}));
      const { outcome } = await world.run(steps);
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'no' });
      expect(outcome.done).toEqual(names.slice(0, failing));
      expect(outcome.open).toEqual(names.slice(failing));
      const again = await world.run(names.map((name) => world.step(name)));
      expect(again.outcome.kind).toBe('done');
      expect(world.performed).toEqual(names);
    }
  });

  test('what was done although nobody heard of it is done', async () => {
    const world = new World();
    const step = world.step('a', {
      execute: () => {
        world.flags.add('a');
        return fallSilent();
      },
    });
    expect((await world.run([step])).outcome.kind).toBe('done');
  });

  test('what no view shows failed when it says so, however well the servers are, and is not noted', async () => {
    const world = new World();
    const notes: string[] = [];
    const journal = { read: () => null, note: (key: string) => void notes.push(key), clear: () => undefined };
    const exits = (): Promise<void> => Promise.reject(new Error('ended with code 7'));
    const step = world.step('a', { isUnseen: true, settled: () => true, journalKey: 'a', execute: exits });
    const { outcome, events } = await world.run([step, world.step('b')], {}, { journal });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'ended with code 7', done: [], open: ['a', 'b'] });
    expect(events).toEqual(['started: a', 'failed: a']);
    expect(notes).toEqual([]);
    expect(world.performed).toEqual([]);
  });

  test('without an answer and without an effect the deadline ends it, with the reason', async () => {
    const world = new World();
    const { outcome } = await world.run([world.step('a', { execute: fallSilent, progress: () => 'waiting for a' })]);
    expect(outcome).toMatchObject({ kind: 'deadline' });
    expect(outcome.reason).toBe('not done after 5 s: connection refused; waiting for a');
  });

  test('--timeout replaces the deadline of a step', async () => {
    const world = new World();
    const step = world.step('a', { settled: () => false });
    expect((await world.run([step], { timeoutMs: 700 })).outcome.reason).toBe('not done after 0.7 s');
  });

  test('a step that cannot settle any more ends at once', async () => {
    const world = new World();
    const step = world.step('a', { settled: () => false, broken: () => 'it was taken away', deadlineMs: 1e9 });
    expect((await world.run([step])).outcome).toMatchObject({ kind: 'failed', reason: 'it was taken away' });
  });

  test('a failed step is taken back where there is something to take back', async () => {
    const world = new World();
    const half = world.step('a', { ...undoOf(world, 'a'), settled: () => false });
    const { outcome, events } = await world.run([half]);
    expect(outcome.reason).toBe('not done after 5 s; undone: not a');
    expect(events).toEqual(['started: a', 'failed: a', 'undone: a']);
    expect(world.flags.has('a')).toBe(false);
    const nothing = world.step('b', { ...undoOf(world, 'b'), execute: refuse });
    expect((await world.run([nothing])).events).toEqual(['started: b', 'failed: b']);
  });

  test('an undo that fails is told, too', async () => {
    const world = new World();
    const step = world.step('a', {
      settled: () => false,
      undo: { title: 'not a', isNeeded: () => true, execute: () => refuse() },
    });
    const { outcome, events } = await world.run([step]);
    expect(outcome.reason).toContain('could not not a: no');
    expect(events.at(-1)).toBe('not undone: a');
  });
});

describe('interrupts', () => {
  test('the first finishes the step in progress and begins no other', async () => {
    const world = new World();
    let looks = 0;
    const slow = world.step('a', { settled: () => (looks += 1) > 5 });
    // The step is begun after the look for the plan.
    const { outcome } = await world.run([slow, world.step('b')], { interruptedAtLooks: [2] });
    expect(outcome).toMatchObject({ kind: 'interrupted', done: ['a'], open: ['b'] });
  });

  test('one ends a wait', async () => {
    const world = new World();
    const wait = waitStep({ title: 'a', isDone: () => false, deadlineMs: 1e9 });
    expect((await world.run([wait], { interruptedAtLooks: [4] })).outcome.kind).toBe('interrupted');
  });

  test('the second takes the step in progress back', async () => {
    const world = new World();
    const step = world.step('a', { ...undoOf(world, 'a'), settled: () => false });
    const { outcome } = await world.run([step], { interruptedAtLooks: [3, 5] });
    expect(outcome.kind).toBe('interrupted');
    expect(world.flags.has('a')).toBe(false);
  });
});

describe('what no view shows', () => {
  const unwell = (world: World, notes: Map<string, string>, more: Partial<Step> = {}) => {
    const journal = {
      read: (key: string) => notes.get(key) ?? null,
      note: (key: string, value: string) => void notes.set(key, value),
      clear: () => notes.clear(),
    };
    const step = world.step('a', { isUnseen: true, journalKey: 'a', settled: () => false, ...more });
    return { step, journal };
  };

  test('one interrupt ends the wait for it; the same again waits on, and does not do it again', async () => {
    const world = new World();
    const notes = new Map<string, string>();
    const { step, journal } = unwell(world, notes, undoOf(world, 'a'));
    const left = await world.run([step, world.step('b')], { interruptedAtLooks: [4] }, { journal });
    expect(left.outcome).toMatchObject({ kind: 'interrupted', done: [], open: ['a', 'b'] });
    expect(left.events).toEqual(['started: a', 'failed: a']);
    const { outcome } = await world.run([{ ...step, settled: () => true }], {}, { journal });
    expect(outcome.kind).toBe('done');
    expect(world.performed).toEqual(['a']);
    expect(notes.size).toBe(0);
  });

  test('it is done again after it was taken back, or did not settle', async () => {
    const world = new World();
    const notes = new Map<string, string>();
    const { step, journal } = unwell(world, notes, undoOf(world, 'a'));
    expect((await world.run([step], {}, { journal })).events).toContain('undone: a');
    expect((await world.run([step], { interruptedAtLooks: [3, 3] }, { journal })).events).toContain('undone: a');
    expect(world.performed).toEqual(['a', 'a']);
  });

  test('its deadline begins when it was performed; one of the operator does not', async () => {
    const world = new World();
    let nowMs = 0;
    const slow = { execute: () => Promise.resolve(void (nowMs += 60_000)), settled: () => nowMs >= 62_000 };
    const clock = { nowMs: () => nowMs, sleep: (ms: number) => Promise.resolve(void (nowMs += ms)) };
    const { step, journal } = unwell(world, new Map(), slow);
    expect((await world.run([step], clock, { journal })).outcome.kind).toBe('done');
    nowMs = 0;
    expect((await world.run([step], { ...clock, timeoutMs: 61_000 }, { journal })).outcome.kind).toBe('deadline');
  });

  test('a beginning is noted before the first change, and not for what is refused, declined or only planned', async () => {
    const world = new World();
    let begun = 0;
    const more = { begin: () => void (begun += world.performed.length === 0 ? 1 : 100) };
    await world.run([world.step('a', { guard: () => 'no' })], {}, more);
    await world.run([world.step('a', { stopsSequencing: true })], { isConfirmed: false }, more);
    await world.run([world.step('a')], { isDryRun: true }, more);
    expect(begun).toBe(0);
    await world.run([world.step('a'), world.step('b')], {}, more);
    expect(begun).toBe(1);
  });
});

describe('the journal', () => {
  test('what no view shows is done once, over any number of runs, and forgotten at the end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'journal-'));
    try {
      const path = join(folder, 'conductor.journal.json');
      const world = new World();
      const deploy = world.step('deploy', {
        isDone: () => false,
        settled: () => true,
        journalKey: 'deployed',
      });
      const refusing = world.step('after', { guard: () => 'not yet' });
      await world.run([deploy, refusing], {}, { journal: openJournal(path, 'test') });
      await world.run([deploy, refusing], {}, { journal: openJournal(path, 'test') });
      expect(world.performed).toEqual(['deploy']);
      const { outcome } = await world.run([deploy, world.step('after')], {}, { journal: openJournal(path, 'test') });
      expect(outcome.kind).toBe('done');
      expect(world.performed).toEqual(['deploy', 'after']);
      expect(openJournal(path, 'test').read('deployed')).toBe(null);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('without a cluster file such a step is refused', async () => {
    const world = new World();
    const { outcome } = await world.run([world.step('deploy', { journalKey: 'deployed' })]);
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome.reason).toContain('cluster file');
  });
});
