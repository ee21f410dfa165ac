/** What the keys do to a node, and how it is told: each action ends in one sentence. */
import { callRpc, RpcCallError } from '../dev-sequencer/json-rpc-client.ts';
import type { KeyAction } from './keys.ts';
import { HOST, localUrl } from './plan.ts';
import type { NodeProcesses, Supervisor } from './supervisor.ts';
import type { ClusterView } from './view.ts';

/** Milliseconds an operator call may take. */
const CALL_TIMEOUT_MS = 5_000;

/** Actions that touch a node. */
export type NodeAction = Extract<
  KeyAction['kind'],
  'kill' | 'kill-sequencer' | 'freeze' | 'restart' | 'pause' | 'transfer'
>;

/** Does it and says what was done, or why not; null where the change will be seen and said anyway. Never rejects. */
export async function act(
  action: NodeAction,
  node: NodeProcesses,
  supervisor: Supervisor,
  view: ClusterView,
): Promise<string | null> {
  try {
    switch (action) {
      case 'kill':
        return killChild(node.conductor);
      case 'kill-sequencer':
        return killChild(node.sequencer);
      case 'freeze':
        if (!node.conductor.isAlive) return `${node.conductor.name} is down already`;
        return node.conductor.toggleFreeze() ? `${node.conductor.name} frozen` : `${node.conductor.name} thawed`;
      case 'restart':
        return await supervisor.restart(node);
      case 'pause':
        return await togglePause(node, view);
      case 'transfer':
        return await transfer(node, supervisor, view);
    }
  } catch (error) {
    const reason = error instanceof RpcCallError || error instanceof Error ? error.message : String(error);
    return `${action} of ${node.plan.id} failed: ${reason}`;
  }
}

function killChild(child: NodeProcesses['conductor']): string | null {
  if (!child.isAlive) return `${child.name} is down already`;
  child.kill();
  return null;
}

async function togglePause(node: NodeProcesses, view: ClusterView): Promise<null> {
  const isPaused = view.nodes[node.plan.index]?.isPaused === true;
  await callConductor(node, isPaused ? 'conductor_resume' : 'conductor_pause');
  return null;
}

/** To the node, or away from it when it leads. */
async function transfer(node: NodeProcesses, supervisor: Supervisor, view: ClusterView): Promise<string> {
  const leader = view.nodes.find((other) => other.role === 'leader');
  const leading = leader === undefined ? undefined : supervisor.nodes[leader.index];
  if (leading === undefined) return 'nobody leads, so nothing can be transferred';
  if (leading === node) {
    await callConductor(node, 'conductor_transferLeader');
    return `${node.plan.id} asked to hand leadership over`;
  }
  await callConductor(leading, 'conductor_transferLeaderToServer', [node.plan.id, `${HOST}:${node.plan.ports.raft}`]);
  return `${leading.plan.id} asked to hand leadership to ${node.plan.id}`;
}

function callConductor(node: NodeProcesses, method: string, params: readonly unknown[] = []): Promise<unknown> {
  return callRpc({ url: localUrl(node.plan.ports.conductorRpc), timeoutMs: CALL_TIMEOUT_MS }, method, params);
}
