/** How a rollup node answers the conductor's requests: when, and with what. */
import type { CallResult, NodeRequest } from '#conductor/control/calls';
import type { Block, Blocks } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import { takeOne } from './node-troubles.ts';
import type { RollupNode } from './rollup-node.ts';
import type { Stream } from './streams.ts';

/** One way of an answer on the loopback, milliseconds. */
const ANSWER_MS = { min: 0.2, max: 2 };

export interface MethodsHost {
  readonly queue: EventQueue;
  readonly blocks: Blocks;
  readonly node: RollupNode;
  readonly random: Stream;
  /** Nodes it is connected to. */
  peerCount(): number;
  /** Whether the conductor beside it says that it leads; asked at start, null when it does not answer. */
  isLeader(done: (isLeader: boolean | null) => void): void;
  /** Whether a conductor listens at that address. */
  canDial(address: string): boolean;
}

/** Calls back once, at the latest at the request's deadline. */
export function perform(host: MethodsHost, request: NodeRequest, done: (result: CallResult) => void): void {
  const { queue, node, random } = host;
  const { timeoutMs } = request;
  let isOver = false;
  const finish = (result: CallResult): void => {
    if (isOver) return;
    isOver = true;
    done(result);
  };
  const delayMs = random.between(ANSWER_MS.min, ANSWER_MS.max) + (request.target === 'peer' ? 0 : node.faults.slowMs);
  const late = (): void => finish({ kind: 'failed', reason: 'timeout', message: `no answer to ${request.method}` });
  if (delayMs >= timeoutMs) {
    queue.after(timeoutMs, late);
    return;
  }
  queue.after(delayMs, () => {
    if (!isReachable(host, request))
      return finish({ kind: 'failed', reason: 'refused', message: 'connection refused' });
    let isAnswered = false;
    answer(host, request, (result) => {
      isAnswered = true;
      finish(result);
    });
    if (!isAnswered) queue.after(timeoutMs - delayMs, late);
  });
}

function isReachable({ node }: MethodsHost, { target, method }: NodeRequest): boolean {
  const { nodeDown, executionDown } = node.faults;
  if (target === 'peer') return true;
  if (target === 'node') return nodeDown === 0 && (executionDown === 0 || !method.startsWith('admin_start'));
  return executionDown === 0;
}

function answer(host: MethodsHost, request: NodeRequest, done: (result: CallResult) => void): void {
  const { node, blocks } = host;
  const result = (value: unknown): void => done({ kind: 'result', value });
  const params = JSON.parse(request.params) as readonly unknown[];
  switch (request.method) {
    case 'optimism_syncStatus':
      return result({ unsafe_l2: headOf(node.head), safe_l2: headOf(node.safe) });
    case 'opp2p_peerStats':
      return result({ connected: host.peerCount() });
    case 'admin_sequencerActive':
      return result(node.isActive);
    case 'eth_getBlockByNumber': {
      if (params[0] === 'latest') return result(headerOf(node.head));
      const number = Number(params[0]);
      return result(number > node.head.number ? null : headerOf(blocks.ancestor(node.head, number)));
    }
    case 'eth_getBlockByHash': {
      const block = blocks.find(params[0] as string);
      const isHeld = block !== null && (node.holds(block) || blocks.isAncestor(block, node.head));
      return result(isHeld ? headerOf(block) : null);
    }
    case 'eth_syncing':
      return result(false);
    case 'optimism_outputAtBlock':
      // Served by the driver loop, which a stalled node does not turn.
      if (node.faults.stalled === 0) result({});
      return;
    case 'admin_postUnsafePayload': {
      const { executionPayload } = params[0] as { readonly executionPayload: { readonly blockHash: string } };
      const block = blocks.find(executionPayload.blockHash);
      if (block !== null && !takeOne(node.faults, 'droppedPosts')) node.receive(block);
      return result(null);
    }
    case 'admin_startSequencer':
      return startSequencer(host, params[0] as string, done);
    case 'admin_stopSequencer': {
      const problem = node.stop((head) => result(head.hash));
      if (problem !== null) failed(done, problem);
      return;
    }
    case 'GET':
      return result({ status: node.faults.partialBoost > 0 ? 206 : 200, body: '' });
    case 'dial':
      if (host.canDial(params[0] as string)) return result(true);
      return done({ kind: 'failed', reason: 'refused', message: 'connection refused' });
    default:
      return failed(done, `the method ${request.method} does not exist`);
  }
}

/** op-node asks the conductor beside it first. */
function startSequencer(host: MethodsHost, hash: string, done: (result: CallResult) => void): void {
  const start = (isLeader: boolean | null): void => {
    if (isLeader !== true) return failed(done, 'sequencer is not the leader, aborting');
    const problem = host.node.isUp ? host.node.start(hash) : 'the engine does not answer';
    if (problem === null) done({ kind: 'result', value: null });
    else failed(done, problem);
  };
  if (host.node.isUnconducted) start(true);
  else host.isLeader(start);
}

function failed(done: (result: CallResult) => void, message: string): void {
  done({ kind: 'error', code: -32000, message });
}

function headOf({ number, hash, timestamp }: Block): unknown {
  return { number, hash, timestamp };
}

function headerOf({ number, hash, parentHash }: Block): unknown {
  return { number: `0x${number.toString(16)}`, hash, parentHash };
}
