/** How long a process that cannot go on lives. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreError } from '#conductor/adapters/sqlite/store-error';
import { ConductorHost, type HostedConductor } from './host.ts';

/** A host of a conductor that throws this at its first event, after which `code` is the exit code there is so far. */
function hostOfThrowing(thrown: Error) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const told: string[] = [];
  const nothing = (): void => undefined;
  const conductor: HostedConductor = {
    handle: () => {
      throw thrown;
    },
    ready: () => null,
    persisted: nothing,
    writeFailed: (message) => told.push(message),
    nextDeadlineMs: () => Infinity,
    entryDamaged: nothing,
    answerNow: () => null,
  };
  const host = new ConductorHost({
    conductor,
    store: { load: () => never(), write: nothing, read: () => [], readSnapshot: () => null, close: nothing },
    transport: { send: nothing, reply: nothing, closeInbound: nothing, forget: nothing },
    logger: { log: nothing, crit: nothing, setLevel: nothing },
    metrics: { count: nothing, gauge: nothing, observe: nothing },
    execute: () => never(),
  });
  let code: number | null = null;
  void host.finished.then((ended) => (code = ended));
  host.push({ kind: 'tick' });
  return { told, code: () => code };
}

function never(): never {
  throw new Error('not asked for here');
}

test('one whose core broke an invariant ends at once: it would hold connections open that nobody answers on', async () => {
  const { told, code } = hostOfThrowing(new Error('a broken invariant'));
  await Promise.resolve();
  expect(code()).toBe(1);
  expect(told).toEqual([]);
});

test('one whose store failed lives long enough to hand over (rule 15)', async () => {
  const { told, code } = hostOfThrowing(new StoreError('io', 'a broken disk'));
  await Promise.resolve();
  expect(told).toEqual(['a broken disk']);
  expect(code()).toBeNull();
  await vi.runAllTimersAsync();
  expect(code()).toBe(1);
});
