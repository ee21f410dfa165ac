/** Puts a machine of a world together: its clock, its execution client and op-node, and what connects them. */
import type { StartedCall } from '#conductor/core/events';
import type { Block } from './blocks.ts';
import { isOp } from './configuration.ts';
import { conductorOptions } from './conductor-options.ts';
import { holdsPayload } from './disk.ts';
import { ExecutionClient, type PayloadStatus } from './execution-client.ts';
import { isAlone, type Gossip } from './gossip.ts';
import { L1View } from './l1.ts';
import { askLeader, commitPayload } from './loopback.ts';
import { MachineClock } from './machine-clock.ts';
import { Machine, type MachineHost } from './machine.ts';
import { execute, type MethodsHost } from './rollup-methods.ts';
import { RollupNode } from './rollup-node.ts';
import type { Stream, Streams } from './streams.ts';
import type { World } from './world.ts';

/** Verifiers around the sequencers, which are everybody's peers. */
const OTHER_PEERS = 3;
/** Above the genesis, which all have. */
const sharedEndpoint: L1View = Object.assign(new L1View(), { forkedFrom: 1 });
/** A client that was told to follow a chain that it cannot place asks the other clients for it, and has it after so long. */
const OWN_SYNC_MS = 4000;

export function buildMachine(world: World, gossip: Gossip, index: number, streams: Streams): Machine {
  const { queue, blocks, l1, configuration, spoiled } = world;
  const clock = new MachineClock(1000 + 7919 * index);
  const random = streams.named(`node ${index}`);
  const client = new ExecutionClient(index, {
    blocks,
    verdicts: world.verdicts,
    executionMs: configuration.executionMs,
    isReth: configuration.reth > 0,
    nowMs: () => world.nowMs,
  });
  const view = new L1View();
  const node: RollupNode = new RollupNode(index, {
    queue,
    blocks,
    random,
    client,
    l1: view,
    blockMs: configuration.blockSeconds * 1000,
    unixMs: () => clock.unixMs(world.nowMs),
    l1At: (number) => l1.headerAt(number, view, world.nowMs),
    isL1Standing: () => l1.isStanding,
    isInLog: (block) => holdsPayload(machine.disk, block),
    seal: (job) => spoiled.seal(index, job),
    commit: (block, done) => commitPayload(world, machine, block, done),
    published: (block) => gossip.publish(machine, block),
    strayed: (block) => syncByItself(world, machine, block),
  });
  const isRepeated = repeatedChecks();
  const host: MachineHost = {
    queue,
    network: world.network,
    random: streams.named(`conductor ${index}`),
    observer: world.observer,
    eventsPerTurn: configuration.eventsPerTurn,
    said: (of, level, message, fields) => {
      if (isRepeated(of, message, fields?.['err'])) return;
      world.observer.said(of, level, message, fields);
      world.operator?.read(of.id, level, message, fields);
    },
    options: (of) => conductorOptions(configuration, of),
    execute: (of, call) => executeRequest(world, of, call, random),
  };
  const isOpConductor = isOp(configuration, index);
  const machine: Machine = new Machine({ index, clock, node, isOpConductor }, host);
  return machine;
}

/** Whether a line only repeats what the health check before it said: there is one for each. */
function repeatedChecks(): (machine: Machine, message: string, err: unknown) => boolean {
  let last = '';
  return ({ life }, message, err) => {
    if (message !== 'sequencer is healthy' && message !== 'Sequencer is unhealthy') return false;
    const text = `${life} ${message} ${String(err)}`;
    const isSame = text === last;
    last = text;
    return isSame;
  };
}

function executeRequest(world: World, machine: Machine, call: StartedCall, random: Stream): void {
  const { life, node } = machine;
  const { method } = call;
  const { queue, blocks, l1, configuration } = world;
  if (method === 'admin_startSequencer' || method === 'admin_stopSequencer') {
    const [hash = ''] = JSON.parse(call.params) as string[];
    world.observer.ordered(machine, method, hash);
  }
  world.observer.asked(machine, call);
  let said: { readonly block: Block; readonly status: PayloadStatus } | null = null;
  const host: MethodsHost = {
    queue,
    blocks,
    node,
    client: node.client,
    l1,
    l1View: node.l1,
    endpointView: configuration.layerOne === 2 ? sharedEndpoint : node.l1,
    random,
    get nowMs() {
      return queue.nowMs;
    },
    judged: (block, status) => {
      said = { block, status };
    },
    isConfigured: (target) => (target === 'engine' ? configuration.engine : configuration.layerOne) > 0,
    // Whoever is cut off from all machines is cut off from what is around them, too.
    peerCount: () => (isAlone(world, machine) ? 0 : OTHER_PEERS),
    isLeader: (done) => askLeader(queue, machine, done),
    worldMsOf: (ownMs) => machine.clock.durationMs(ownMs),
    canDial: (address) => world.machines.some((one) => one.address === address && one.isUp),
  };
  execute(host, call, (result) => {
    if (machine.life !== life) return;
    if (said !== null && result.kind === 'result') world.observer.judged(machine, said.block, said.status);
    machine.push({ kind: 'callResult', callId: call.callId, result });
  });
}

/** What a client does that can: it gets the chain from another client that has it, and its node then looks anew. */
function syncByItself(world: World, machine: Machine, block: Block): void {
  const { queue } = world;
  const { node } = machine;
  const { client } = node;
  const { life } = client;
  if (!client.canSync || client.isSyncing) return;
  client.isSyncing = true;
  queue.after(OWN_SYNC_MS, () => {
    if (client.life !== life) return;
    client.isSyncing = false;
    // It was given what it lacked meanwhile.
    if (client.hasStateOf(block)) return;
    const isThere = [...world.reachedFrom(machine)].some(
      (other) => other.node !== node && other.node.faults.executionDown === 0 && other.node.client.hasStateOf(block),
    );
    if (!isThere || !client.isHonest || !client.wouldTake(block)) return;
    client.install(block);
    if (node.isUp) node.reset();
  });
}
