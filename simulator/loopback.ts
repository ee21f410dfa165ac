/** What op-node asks of the conductor beside it, on the loopback of their machine. */
import type { Outcome } from '#conductor/core/rpc/message';
import { payloadOf, type Block } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import type { Machine } from './machine.ts';
import { takeOne } from './node-troubles.ts';
import type { CommitAnswer } from './rollup-node-host.ts';
import type { RunObserver } from './observer.ts';

/** op-node waits this long for its conductor, and tries a failed commit once more, so much later. */
const COMMIT_DEADLINE_MS = 1000;
const COMMIT_ATTEMPTS = 2;
const COMMIT_PAUSE_MS = 50;
/** Time on the loopback, one way. */
export const LOOPBACK_MS = 0.1;

/** What carries the calls, and who sees what comes of them. */
export interface Loopback {
  readonly queue: EventQueue;
  readonly observer: RunObserver;
}

/** op-node's client: a refused or lost answer is a failure, and so is none in time. */
export function commitPayload(
  { queue, observer }: Loopback,
  machine: Machine,
  block: Block,
  done: (answer: CommitAnswer) => void,
): void {
  if (machine.node.isUnconducted) {
    queue.after(LOOPBACK_MS, () => done('committed'));
    return;
  }
  let isOver = false;
  const finish = (answer: CommitAnswer): void => {
    if (isOver) return;
    isOver = true;
    done(answer);
  };
  queue.after(COMMIT_DEADLINE_MS, () => {
    if (!isOver) observer.leftInDoubt(machine, block);
    finish('failed');
  });
  const attempt = (left: number): void => {
    if (isOver) return;
    const isBroken = takeOne(machine.node.faults, 'brokenConnections');
    // A client between them gives up too early and asks again: both are on their way at once.
    if (takeOne(machine.node.faults, 'doubledCommits'))
      machine.call('conductor_commitUnsafePayload', [{ payload: payloadOf(block) }], () => undefined);
    const failed = (): void => {
      if (left > 1) queue.after(COMMIT_PAUSE_MS, () => machine.node.work.do(() => attempt(left - 1)));
      else finish('failed');
    };
    machine.call('conductor_commitUnsafePayload', [{ payload: payloadOf(block) }], (outcome) => {
      if (isBroken) {
        if (!isOver) observer.leftInDoubt(machine, block);
        return;
      }
      if (outcome.kind === 'result') observer.committed(machine, block);
      else if (!isOver && isUnknown(outcome)) observer.leftInDoubt(machine, block);
      queue.after(LOOPBACK_MS, () => (outcome.kind === 'result' ? finish('committed') : failed()));
    });
    if (isBroken) queue.after(LOOPBACK_MS, failed);
  };
  queue.after(LOOPBACK_MS, () => attempt(COMMIT_ATTEMPTS));
}

/** conductor_leader, before op-node stops; null when there was no answer to use. */
export function askLeader(queue: EventQueue, machine: Machine, done: (isLeader: boolean | null) => void): void {
  queue.after(LOOPBACK_MS, () =>
    machine.call('conductor_leader', [], (outcome) => {
      const isLeader = outcome.kind === 'result' ? outcome.json === 'true' : null;
      queue.after(LOOPBACK_MS, () => done(isLeader));
    }),
  );
}

/** Whether an answer leaves open what became of a payload (rule 5). */
function isUnknown(outcome: Outcome): boolean {
  const data = outcome.kind === 'error' ? outcome.data : undefined;
  return data !== undefined && (JSON.parse(data) as { readonly outcome?: string }).outcome === 'unknown';
}
