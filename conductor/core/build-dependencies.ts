/**
 * What every part of a conductor stands on: the log with its chain, the outbox, the peers, and how procedures ask for
 * something.
 */
import type { LogStore } from './ports.ts';
import type { RaftCommand, RaftResult } from './raft/events.ts';
import { RaftNode } from './raft/node.ts';
import { UnsafeChain } from './payload/unsafe-chain.ts';
import { RefusedBlocks } from './rpc/refused-blocks.ts';
import { chainView, logEndView, PeerMemory } from './cluster-view.ts';
import type { ConductorOptions, ConductorPorts } from './conductor-options.ts';
import type { Ending, ProcedureHost } from './node/procedure.ts';
import { chooseTransferTarget, type TransferTarget, type Peer } from './control/target.ts';
import { Outbox } from './outbox.ts';
import type { Command } from './rpc/service-host.ts';
import type { Dependencies } from './components.ts';

/** Loads the store; throws StoreError when it cannot be trusted. */
export function buildDependencies(options: ConductorOptions, ports: ConductorPorts, nowMs: number): Dependencies {
  const { store, random, wallClock } = ports;
  const time = { nowMs };
  const outbox = new Outbox();
  const peers = new PeerMemory();
  // The chain reads entries while the node that will read them for it is still loading the log.
  let loaded: RaftNode | null = null;
  const chain = new UnsafeChain((index) => (loaded === null ? storedData(store, index) : loaded.dataAt(index)));
  const raft = new RaftNode(
    options.raft,
    { store, stateMachine: chain, random, wallClock, version: options.version },
    nowMs,
  );
  loaded = raft;
  raft.setLocalStatus({ validates: options.hasEngine });
  const command = (given: Command, then: (result: RaftResult) => void): void => {
    raft.handle({ ...given, requestId: outbox.command(then) } as RaftCommand, time.nowMs);
  };
  const procedures: ProcedureHost = {
    nowMs: () => time.nowMs,
    call: (request, then) => outbox.call(request, then),
    read: (then) => command({ kind: 'read' }, (result) => then(endingOf(result))),
    ask: (then) => command({ kind: 'ask' }, () => then()),
    transfer: (target, exclude, then) =>
      command({ kind: 'transfer', target, exclude }, (result) => then(endingOf(result))),
  };
  const view = chainView(chain);
  const members = (): Peer[] =>
    peers.peersOf(raft.status(), chain.tip()?.hash ?? null, chain.head()?.hash ?? null, view.hasGivenUp);
  const transferTarget = (): TransferTarget => {
    const { isRoundRobin } = options;
    return chooseTransferTarget(members(), { selfId: options.raft.id, leftAloneMs: 0, isRoundRobin });
  };
  return {
    options,
    ports,
    time,
    outbox,
    chain,
    view,
    refusedBlocks: new RefusedBlocks(logEndView(chain)),
    raft,
    peers,
    members,
    procedures,
    command,
    transferTarget,
  };
}

function endingOf(result: RaftResult): Ending {
  if (result.kind === 'done')
    return { isDone: true, message: '', server: typeof result.value === 'string' ? result.value : undefined };
  if (result.kind === 'unknown') return { isDone: false, message: result.reason };
  return { isDone: false, message: result.message, server: result.offeredTo };
}

/** Data of an entry as the store has it; null where it cannot be read, as RaftNode.dataAt says it. */
function storedData(store: LogStore, index: number): Uint8Array | null {
  try {
    return store.read(index, index, 1)[0]?.data ?? null;
  } catch {
    // Whoever needs the entry itself still meets the error.
    return null;
  }
}
