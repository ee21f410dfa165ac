/** What happens to execution clients: they lose what they had, hang, are slow, and say what is not so. */
import { withoutPower } from './process-faults.ts';
import type { Configuration } from './configuration.ts';
import { EVERY_MACHINE, during, kind, type Kind } from './fault.ts';
import type { ExecutionClient } from './execution-client.ts';
import type { Machine } from './machine.ts';
import type { World } from './world.ts';

/** Blocks that a killed client loses; on a young chain it may be all of them. */
const LOST = [1, 3, 8, 1000] as const;
/** Blocks lost by one that comes back at its genesis: what op-geth had not handed to its database. */
const BLOCKS_LOST_BESIDE = 3;

/** What a killed client comes back with, as bits of an amount. */
interface Loss {
  readonly blocks: number;
  /** Blocks are there, their states are not. */
  readonly isKept: boolean;
  /** They are on its chain still, by number. */
  readonly isNumbered: boolean;
  /** It marks what it cannot execute as bad, until it is started once more. */
  readonly isSick: boolean;
  /** Also the block after its head, which it otherwise wants to sync to. */
  readonly refusesNext: boolean;
  /** It can get what is missing from other clients. */
  readonly canSync: boolean;
  /** All states but the genesis are lost, of blocks the newest three alone. */
  readonly isAtGenesis: boolean;
}

function lossOf(amount: number, { engine, reth, firstBlock }: Configuration): Loss {
  const hasEngine = engine > 0;
  const isReth = reth > 0;
  return {
    blocks: LOST[amount % LOST.length]!,
    // op-reth writes blocks and their states together.
    isKept: !isReth && (amount & 4) !== 0,
    isNumbered: !isReth && (amount & 128) !== 0,
    isSick: (amount & 24) === 24,
    refusesNext: (amount & 256) !== 0,
    // Who has no engine API to be given blocks by has nothing else.
    canSync: !hasEngine || (amount & 32) !== 0,
    // Nobody else knows what such a client takes. On a longer chain it has states on disk that are newer.
    isAtGenesis: hasEngine && !isReth && firstBlock === 0 && (amount & 64) !== 0,
  };
}

/** kill −9 of a client; it is back after a while, and sound again at the end, when it is started once more if it must be. */
function crash(world: World, { node }: Machine, downMs: number, amount: number): () => void {
  const { client, faults } = node;
  const loss = lossOf(amount, world.configuration);
  faults.executionDown++;
  if (loss.isAtGenesis) client.loseStates(BLOCKS_LOST_BESIDE, loss.isNumbered);
  else client.lose(loss.blocks, loss);
  world.queue.after(downMs, () => {
    client.restart();
    client.canSync = loss.canSync;
    if (loss.isSick) client.sicken(loss.refusesNext);
    faults.executionDown--;
    node.wake();
  });
  return () => {
    if (loss.isSick) client.restart();
    tend(world, client, LOOKS_MAX);
    node.wake();
  };
}

/** After a power cut an operator comes to a client when its conductor has had so long to bring it back. */
const TENDED_MS = 8000;
/** An operator looks so often, and so many times. */
const LOOK_MS = 3000;
const LOOKS_MAX = 10;

/** Restarts a client that says that it needs it, and puts one that has lost everything in anew. */
function tend(world: World, client: ExecutionClient, looks: number): void {
  if (client.isWiped) putInAnew(world, client);
  else if (client.needsRestart) client.restart();
  if (looks > 0 && client.syncsBySnapshot) world.queue.after(LOOK_MS, () => tend(world, client, looks - 1));
}

/** An operator copies the database of a client that goes on; with none left it begins at the genesis, with nothing above. */
export function putInAnew({ machines }: World, client: ExecutionClient): void {
  const heads = machines.map(({ node }) => node.client).filter((other) => !other.isWiped);
  const best = heads.reduce<ExecutionClient | null>(
    (most, one) => (one.head.number > (most?.head.number ?? -1) ? one : most),
    null,
  );
  if (best === null) client.setHead(0);
  client.install(best?.head ?? client.head);
  if (best === null) client.restart();
}

/** Part of the time for which a killed client is down, and those of one that stops: it lies, then it fails, then it is down. */
const DOWN_PART = 0.5;
const LYING_PART = 0.4;
const FAILING_PART = 0.7;

export const clientFaults = {
  clientCrash: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} is killed, and has lost its newest blocks when it is back ({n})',
    (world, { at, forMs, amount }) => crash(world, world.machine(at), DOWN_PART * forMs, amount),
  ),
  clientsCrash: kind(
    'sequencer',
    EVERY_MACHINE,
    true,
    'all execution clients are killed, and have lost their newest blocks when they are back ({n})',
    (world, { at, forMs, amount }) => {
      const { machines } = world;
      const ends = machines.map((_, turn) => {
        const downMs = (DOWN_PART * forMs * (turn + 1)) / machines.length;
        return crash(world, world.machine(at + turn), downMs, amount);
      });
      return () => {
        for (const end of ends) end();
      };
    },
  ),
  rackPowerCut: kind(
    'both',
    EVERY_MACHINE,
    true,
    'all machines lose power, and their clients their newest blocks ({n})',
    (world, { at, forMs, amount }) => {
      const { machines, queue } = world;
      machines.forEach((_, turn) => {
        const machine = world.machine(at + turn);
        const backMs = (forMs * (turn + 1)) / (machines.length + 1);
        const on = withoutPower(machine, false);
        const end = crash(world, machine, DOWN_PART * backMs, amount);
        queue.after(backMs, on);
        queue.after(backMs + TENDED_MS, end);
      });
      return () => undefined;
    },
  ),
  clientFrozen: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} is frozen',
    during(({ node }, by) => {
      node.client.faults.frozen += by;
      if (by < 0) node.wake();
    }),
  ),
  engineHangs: kind(
    'sequencer',
    'machine',
    true,
    'the engine API of {at} answers nothing, and the rest of its client all the same',
    during(({ node }, by) => {
      node.client.faults.hanging += by;
      if (by < 0) node.wake();
    }),
  ),
  clientSlow: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} executes {n} ms slower',
    (world, event) => {
      const { faults } = world.machine(event.at).node.client;
      faults.slowMs += event.amount;
      return () => {
        faults.slowMs -= event.amount;
      };
    },
  ),
  clientStopping: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} says that blocks are valid without executing them, then that all are invalid, then it stops',
    (world, { at, forMs }) => {
      const { node } = world.machine(at);
      const { client, faults } = node;
      client.faults.lying++;
      world.queue.after(LYING_PART * forMs, () => {
        client.faults.lying--;
        client.faults.failing++;
      });
      world.queue.after(FAILING_PART * forMs, () => {
        client.faults.failing--;
        faults.executionDown++;
      });
      return () => {
        client.restart();
        faults.executionDown--;
        node.wake();
      };
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
