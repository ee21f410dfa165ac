/** What the keys do to a node, and how it is told: each action ends in one sentence. */
import { messageOf } from '#conductor/core/errors';
import { callRpc } from '#conductor/dev-sequencer/json-rpc-client';
import type { KeyAction } from '#conductor/cli/terminal/keys';
import { HOST, localUrl } from './plan.ts';
import type { NodeProcesses, Supervisor } from './supervisor.ts';
import type { ClusterView } from '#conductor/operate/changes/view';

/** Milliseconds a call may take. */
const CALL_TIMEOUT_MS = 5_000;

/** Actions that touch a node. */
export type NodeAction = Extract<
  KeyAction['kind'],
  'kill' | 'kill-sequencer' | 'freeze' | 'restart' | 'pause' | 'transfer'
>;

/** Actions that touch the whole cluster. */
export type ClusterAction = Extract<KeyAction['kind'], 'seal-invalid' | 'cut-power'>;

/** Blocks that each client loses in a power cut: what op-geth keeps in memory only. */
const LOST_BLOCKS = 128;

/** Does it and says what was done, or why not. Never rejects. */
export async function actOnCluster(action: ClusterAction, supervisor: Supervisor, view: ClusterView): Promise<string> {
  try {
    return action === 'seal-invalid' ? await sealInvalid(supervisor, view) : await cutPower(supervisor);
  } catch (error) {
    return `${action} failed: ${messageOf(error)}`;
  }
}

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
    return `${action} of ${node.plan.id} failed: ${messageOf(error)}`;
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

/** Every execution client refuses such a block, the leader's own too. */
async function sealInvalid(supervisor: Supervisor, view: ClusterView): Promise<string> {
  const leader = view.nodes.find((other) => other.role === 'leader');
  const node = leader === undefined ? undefined : supervisor.nodes[leader.index];
  if (node === undefined) return 'nobody leads, so nobody seals a block';
  await callSequencer(node, 'dev_sealInvalid', [1]);
  return `${node.plan.id} was told to seal an invalid block`;
}

async function cutPower(supervisor: Supervisor): Promise<string> {
  const up = supervisor.nodes.filter((node) => node.sequencer.isAlive);
  const outcomes = await Promise.allSettled(up.map((node) => callSequencer(node, 'dev_loseHead', [LOST_BLOCKS])));
  const cut = up.filter((_, at) => outcomes[at]?.status === 'fulfilled').map((node) => node.plan.id);
  return cut.length === 0
    ? 'no sequencer answers, so no power was cut'
    : `power cut: the execution clients of ${cut.join(', ')} came back without their newest blocks`;
}

/** Of the op-node; rejects as `callRpc` does. */
export function callSequencer(node: NodeProcesses, method: string, params?: readonly unknown[]): Promise<unknown> {
  return callRpc({ url: localUrl(node.plan.ports.sequencerNode), timeoutMs: CALL_TIMEOUT_MS }, method, params);
}

/** Likewise, of the conductor. */
export function callConductor(node: NodeProcesses, method: string, params?: readonly unknown[]): Promise<unknown> {
  return callRpc({ url: localUrl(node.plan.ports.conductorRpc), timeoutMs: CALL_TIMEOUT_MS }, method, params);
}
