/**
 * The servers of a world as the operators' tool sees them, made by its own code from what their conductors and op-nodes answer.
 * Who does not answer in time is silent.
 */
import type { Outcome } from '#conductor/core/rpc/message';
import type { MethodName } from '#conductor/core/rpc/methods';
import { bareServer } from '#conductor/operate/cluster-config';
import type { ClusterView, ServerView } from '#conductor/operate/cluster-view';
import { conductorReads, readConductorState, type ConductorState } from '#conductor/operate/conductor-state';
import type { NodeState } from '#conductor/operate/node-state';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** How long the tool waits for what one server says, milliseconds. */
const ANSWER_MS_MAX = 2500;
const SILENT = 'no answer';

/** Looks at all servers at once, and calls back when all have answered or the time is over. */
export function observeCluster({ machines, queue }: World, done: (view: ClusterView) => void): void {
  const views = new Map<Machine, ServerView>();
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    done({ atMs: queue.nowMs, servers: machines.map((machine) => views.get(machine) ?? viewOf(machine, null)) });
  };
  for (const machine of machines)
    askConductor(machine, (conductor) => {
      views.set(machine, viewOf(machine, conductor));
      if (views.size === machines.length) finish();
    });
  queue.after(ANSWER_MS_MAX, finish);
}

/** All that the tool reads of a conductor, but for what it asks of the op-node itself. */
function askConductor(machine: Machine, done: (state: ConductorState | null) => void): void {
  if (!machine.isUp) return done(null);
  const methods = conductorReads.slice(0, -2) as MethodName[];
  const results = new Map<string, unknown>();
  let left = methods.length;
  for (const method of methods)
    read(machine, method, (outcome) => {
      if (outcome.kind === 'result') results.set(method, JSON.parse(outcome.json));
      left -= 1;
      if (left > 0) return;
      done(results.size === 0 ? null : readConductorState((asked) => results.get(asked) ?? null));
    });
}

/** As a host answers reads: at once where it can, and else as an event, which a frozen one never handles. */
function read(machine: Machine, method: MethodName, answer: (outcome: Outcome) => void): void {
  const outcome = machine.isFrozen ? null : (machine.conductor?.answerNow(method, machine.nowMs) ?? null);
  if (outcome === null) machine.call(method, [], answer);
  else answer(outcome);
}

function viewOf(machine: Machine, conductor: ConductorState | null): ServerView {
  const { id, address } = machine;
  const reason = machine.conductor?.readiness() ?? SILENT;
  const node = nodeOf(machine);
  return {
    id,
    isNamed: true,
    config: { ...bareServer(id, `http://${id}:8547`), consensus: address, node: `http://${id}:9545` },
    conductor,
    whySilent: conductor === null ? SILENT : '',
    readiness: conductor === null || machine.isOpConductor ? null : { isReady: reason === '', reason },
    node,
    whyNodeSilent: node === null ? SILENT : '',
    term: conductor === null ? null : (machine.conductor?.position().term ?? null),
  };
}

/** What op-node answers; null where it answers nothing, or not in time. */
function nodeOf({ node }: Machine): NodeState | null {
  const { faults, head, isActive, isUnconducted } = node;
  if (faults.nodeDown + faults.frozen > 0 || faults.slowMs >= ANSWER_MS_MAX) return null;
  const { number, hash, timestamp } = head;
  const unsafeHead = { number, hash, timestamp };
  return { unsafeHead, isSequencing: isActive, isConductorEnabled: !isUnconducted, peerCount: null };
}
