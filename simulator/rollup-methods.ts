/** How a machine's op-node, its execution client and L1 answer the conductor's requests: when, and with what. */
import { wellAnswers } from '#conductor/core/health/checks';
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import type { Block } from './blocks.ts';
import { answerOfClient, answerOfEngine, answerOfL1, engineDelayMs } from './client-methods.ts';
import type { EventQueue } from './event-queue.ts';
import { takeOne, type NodeTroubles } from './node-troubles.ts';
import { proxiedAnswer, type ProxiedHost } from './proxied-methods.ts';
import type { Stream } from './streams.ts';

/** One way of an answer on the loopback, milliseconds. */
const ANSWER_MS = { min: 0.2, max: 2 };
const wellOfNode = wellAnswers('node');

export interface MethodsHost extends ProxiedHost {
  readonly queue: EventQueue;
  readonly random: Stream;
  /** How long so many milliseconds of the conductor's own clock take, milliseconds. */
  worldMsOf(ownMs: number): number;
  /** Ports that the conductor has the address of: the engine API and L1 are optional. */
  isConfigured(target: string): boolean;
  /** Nodes it is connected to. */
  peerCount(): number;
  /** Whether the conductor beside it says that it leads; asked at start, null when it does not answer. */
  isLeader(done: (isLeader: boolean | null) => void): void;
  /** Whether a conductor listens at that address. */
  canDial(address: string): boolean;
}

/** Calls back once, at the latest at the request's deadline. */
export function execute(host: MethodsHost, request: NodeRequest, done: (result: CallResult) => void): void {
  const { queue, node, random } = host;
  const { method } = request;
  const timeoutMs = host.worldMsOf(request.timeoutMs);
  const target: string = request.target;
  const params = JSON.parse(request.params) as readonly unknown[];
  let isOver = false;
  const finish = (result: CallResult): void => {
    if (isOver) return;
    isOver = true;
    done(request.isVerbatim === true ? asText(result) : result);
  };
  const slowMs = target === 'peer' || target === 'l1' ? 0 : node.faults.slowMs;
  const workMs = target === 'engine' ? engineDelayMs(host, method, params) : 0;
  const delayMs = random.between(ANSWER_MS.min, ANSWER_MS.max) + slowMs + workMs;
  const late = (): void => finish({ kind: 'failed', reason: 'timeout', message: `no answer to ${method}` });
  if (delayMs >= timeoutMs) {
    queue.after(timeoutMs, late);
    return;
  }
  queue.after(delayMs, () => {
    if (!isReachable(host, target, method))
      return finish({ kind: 'failed', reason: 'refused', message: 'connection refused' });
    const serve = (): void => {
      if (isSilent(host, target)) return;
      const error = errorOf(host, target, method);
      if (error !== null) return finish(error);
      const proxied = request.isVerbatim === true ? proxiedAnswer(host, method, params) : undefined;
      if (proxied !== undefined) return finish({ kind: 'result', value: proxied });
      answer(host, { target, method, params }, finish);
    };
    // Whoever asked may have stopped waiting when a frozen process gets to it.
    if (target === 'node') node.work.do(serve);
    else serve();
    if (!isOver) queue.after(timeoutMs - delayMs, late);
  });
}

/** Callers are given the answer's text as it came. */
function asText(result: CallResult): CallResult {
  return result.kind === 'result' ? { kind: 'result', value: JSON.stringify(result.value) } : result;
}

function isReachable({ node, isConfigured }: MethodsHost, target: string, method: string): boolean {
  const { nodeDown, executionDown } = node.faults;
  if (target === 'peer') return true;
  if (target === 'l1') return isConfigured(target);
  if (target === 'node') return nodeDown === 0 && (executionDown === 0 || !method.startsWith('admin_start'));
  return executionDown === 0 && (target !== 'engine' || isConfigured(target));
}

interface Asked {
  readonly target: string;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Takes the request, and says nothing to it. */
function isSilent({ node, client }: MethodsHost, target: string): boolean {
  if (target === 'rollupBoost') return node.faults.boostHangs > 0;
  if (target === 'node' || target === 'l1' || target === 'peer') return false;
  return client.faults.frozen > 0 || (target === 'engine' && client.faults.hanging > 0);
}

/** What op-node, or its client, says where it cannot say what it is asked for; null where it can. */
function errorOf(host: MethodsHost, target: string, method: string): CallResult | null {
  const { faults, erring } = host.node;
  const ofNode = faults.nodeErrors + faults.refusedOrders;
  const ofClient = faults.clientErrors + faults.engineErrors;
  const hasErrors = ofNode + ofClient > 0 && target !== 'l1' && target !== 'peer';
  return hasErrors ? erring.errorOf(method) : null;
}

/** Of its health. */
function statusOfBoost(faults: NodeTroubles): number {
  if (faults.boostDown > 0) return 503;
  return faults.partialBoost > 0 ? 206 : 200;
}

/** An op-node whose executor waits for L1 takes the request and says nothing. */
function answer(host: MethodsHost, asked: Asked, done: (result: CallResult) => void): void {
  const { node } = host;
  const { target, method, params } = asked;
  if (target === 'l1') return done(answerOfL1(host, method, params));
  if (target === 'peer') {
    if (host.canDial(params[0] as string)) return done({ kind: 'result', value: true });
    return done({ kind: 'failed', reason: 'refused', message: 'connection refused' });
  }
  if (method === 'GET') return done({ kind: 'result', value: { status: statusOfBoost(node.faults), body: '' } });
  if (target === 'node') return answerOfNode(host, asked, done);
  if (target === 'executionPeers') return done({ kind: 'result', value: peersOfClient(host, method) });
  done(target === 'engine' ? answerOfEngine(host, method, params) : answerOfClient(host, method, params));
}

function answerOfNode(host: MethodsHost, asked: Asked, done: (result: CallResult) => void): void {
  const { node, blocks } = host;
  const { method, params } = asked;
  const result = (value: unknown): void => done({ kind: 'result', value });
  switch (method) {
    case 'optimism_syncStatus':
      return result(syncStatusOf(host));
    case 'opp2p_peerStats':
      return result({ connected: node.faults.lonely > 0 ? 0 : peersOf(host) });
    case 'admin_sequencerActive':
      return result(node.isActive);
    case 'admin_postUnsafePayload': {
      const { executionPayload } = params[0] as { readonly executionPayload: { readonly blockHash: string } };
      const block = blocks.find(executionPayload.blockHash);
      if (block !== null && !takeOne(node.faults, 'droppedPosts')) node.orders.do(() => node.receive(block));
      return result(null);
    }
    case 'admin_startSequencer':
      return node.orders.do(() => startSequencer(host, params[0] as string, done));
    case 'admin_stopSequencer': {
      const problem = node.stop((head) => result(head.hash));
      if (problem !== null) failed(done, problem);
      return;
    }
    case 'admin_setRecoverMode':
      return node.orders.do(() => {
        node.sequencing.isRecovering = params[0] === true;
        result(null);
      });
    case 'optimism_outputAtBlock':
      // Served by the driver loop, which does not turn while an event is handled.
      return node.questions.do(() => result({ blockRef: outputBlock(host, params) }));
    case 'admin_resetDerivationPipeline':
      // Taken by it, too, whether or not the caller still waits (op-node, driver.go: forceReset).
      return node.questions.do(() => {
        node.resetWithNextStep();
        result(null);
      });
    default: {
      const well = wellOfNode[method];
      return well === undefined ? failed(done, `the method ${method} does not exist`) : result(well);
    }
  }
}

function peersOf({ node, peerCount }: MethodsHost): number {
  return node.faults.onePeer > 0 ? Math.min(1, peerCount()) : peerCount();
}

function peersOfClient(host: MethodsHost, method: string): unknown {
  const count = host.node.faults.lonelyClient > 0 ? 0 : peersOf(host);
  return method === 'admin_peers'
    ? Array.from({ length: count }, (_, at) => ({ id: `peer-${at}` }))
    : `0x${count.toString(16)}`;
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

/** A head that op-node does not tell of. */
const NOTHING = { number: 0, hash: `0x${'0'.repeat(64)}` };
const UNSET = { ...NOTHING, timestamp: 0, l1origin: NOTHING, sequenceNumber: 0 };

function syncStatusOf({ node, l1, l1View, nowMs }: MethodsHost): unknown {
  const newest = l1.headerAt(l1.headAt(nowMs), l1View, nowMs);
  const isUnset = nowMs < node.unsetUntilMs;
  return {
    head_l1: newest,
    current_l1: newest,
    finalized_l1: l1.headerAt(l1.finalizedAt(nowMs), l1View, nowMs),
    unsafe_l2: isUnset ? UNSET : blockRef(node.toldHead),
    safe_l2: isUnset ? UNSET : blockRef(node.safe),
  };
}

/** The block of its chain at a height; what is above its head is not there. */
function outputBlock({ node, blocks }: MethodsHost, [height]: readonly unknown[]): unknown {
  const number = Number(height);
  return number <= node.head.number ? blockRef(blocks.ancestor(node.head, number)) : null;
}

function blockRef({ number, hash, timestamp, origin, originHash, sequenceNumber }: Block): unknown {
  const l1origin = originHash === null ? null : { number: origin, hash: originHash };
  return { number, hash, timestamp, l1origin, sequenceNumber };
}
