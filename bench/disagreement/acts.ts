/**
 * What is done to a net so that log and nodes disagree, and what is measured of it. An act resolves with milliseconds:
 * of the longest time without a new block, unless it says otherwise; Infinity where the chain did not go on in time.
 */
import { pause } from '../../tests/cluster/wait.ts';
import type { Seal } from '../realnet/engine-proxy.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { conductorCommand } from '../rpc/conductors.ts';
import type { Spoiling, Stage } from './stage.ts';
import { Transfers } from './transactions.ts';

export interface Measured {
  readonly ms: number;
  /** A second time that some acts measure. */
  readonly thenMs?: number;
}

export type Act = (stage: Stage) => Promise<Measured>;

export const ROUND_MS_MAX = 30_000;
/** A round with so many bad seals lasts longer. */
const SEAL_MS_MAX = 6_000;
const FULL_MS = 60_000;
const REFUSING_MS = 10_000;
export const DOWN_MS = 1000;
/** Some of L1's slots, so that the branches differ by several blocks. */
const ASTRAY_MS = 8000;
const SILENT_L1_MS = 30_000;
/** Longer than an unsafe interval, and as long as op-node waits for an answer of L1. */
const HELD_MS = 9000;
/** By then op-node has asked L1 for its newest block, and left what is not on it. */
const NOTICED_MS = 5000;
/** A chain that may not go on without the dead voter is watched for so long. */
const STANDING_MS = 12_000;

/** The next seals are invalid, whoever makes them. */
export function invalidSeals(spoiling: Spoiling): Act {
  return async (stage) => {
    const sinceMs = performance.now();
    const deadlineMs = sinceMs + ROUND_MS_MAX + spoiling.seals * SEAL_MS_MAX;
    const left = stage.spoil(spoiling);
    if (!(await stage.until(() => left() === 0, deadlineMs)))
      stage.faults.push(`${left()} seals were not made in time`);
    return { ms: await stage.gap(sinceMs, deadlineMs) };
  };
}

/** Every full block of all is invalid for a minute; then the time from its end to the next full block. */
export const fullBlocksInvalid: Act = async (stage) => {
  await using sending = new Transfers(stage.net.nodes);
  await sending.untilIncluded();
  const sinceMs = performance.now();
  stage.spoil({ seals: Infinity, isOfFullOnly: true });
  await pause(FULL_MS);
  const ms = stage.chain.longestGapMs(sinceMs);
  stage.order(stage.net.nodes, {});
  const endedMs = performance.now();
  const isIncluded = await sending.untilIncluded(FULL_MS).then(
    () => true,
    () => false,
  );
  return { ms, thenMs: isIncluded ? performance.now() - endedMs : Infinity };
};

/** The next block is INVALID to the clients of these nodes, and so is all that is built on it. */
export function blockRefused(by: (stage: Stage) => readonly RealNode[], isOfFullOnly = false): Act {
  return async (stage) => {
    const sinceMs = performance.now();
    const nodes = by(stage);
    const refused = new Set<string>();
    let hasBegun = false;
    const onSeal = ({ hash, isFull }: Seal): void => {
      if (isOfFullOnly && !isFull) return;
      if (!hasBegun) refused.add(hash);
      hasBegun = true;
    };
    const refuses = ({ hash, parentHash }: { readonly hash: string; readonly parentHash: string }): boolean => {
      if (refused.has(parentHash)) refused.add(hash);
      return refused.has(hash);
    };
    stage.order(stage.net.nodes, (node) => (nodes.includes(node) ? { onSeal, refuses } : { onSeal }));
    await pause(REFUSING_MS);
    return { ms: await stage.gap(sinceMs, performance.now() + ROUND_MS_MAX) };
  };
}

/** The same of a block with transactions of the pool, so that the next one of the same job is another. */
export function fullBlockRefused(by: (stage: Stage) => readonly RealNode[]): Act {
  return async (stage) => {
    await using sending = new Transfers(stage.net.nodes);
    await sending.untilIncluded();
    return blockRefused(by, true)(stage);
  };
}

/** The leader's client calls every new block INVALID, until another leads. */
export const leaderRefusesAll: Act = async (stage) => {
  const sinceMs = performance.now();
  const deadlineMs = sinceMs + ROUND_MS_MAX;
  stage.order([stage.leader], { refuses: () => true });
  await stage.until(() => stage.leadership.moves > 0, deadlineMs);
  return { ms: await stage.gap(sinceMs, deadlineMs) };
};

/** The L1 takes back the block that the newest blocks came from. */
export const originLost: Act = async (stage) => {
  let sinceMs = performance.now();
  let lost = { number: 0, hash: '' };
  await stage.net.l1.reorganise(async (origin) => {
    sinceMs = performance.now();
    const head = await stage.leader.unsafeHead().catch(() => null);
    if (head?.l1origin.hash !== origin) return false;
    lost = head;
    return true;
  });
  const hasLeft = async (node: RealNode): Promise<boolean> => {
    const params = [`0x${lost.number.toString(16)}`, false];
    const held = (await node.callGeth('eth_getBlockByNumber', params).catch(() => null)) as { hash: string } | null;
    return held !== null && held.hash !== lost.hash;
  };
  const haveAllLeft = async (): Promise<boolean> => (await Promise.all(stage.net.nodes.map(hasLeft))).every(Boolean);
  const haveFollowed = await stage.until(haveAllLeft, sinceMs + ROUND_MS_MAX);
  const thenMs = haveFollowed ? performance.now() - sinceMs : Infinity;
  return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX), thenMs };
};

/** The last node's L1 client has another branch than the others' for a while, and is then back with them. */
export const oneL1Astray: Act = async (stage) => {
  const { l1, otherL1 } = stage.net;
  const sinceMs = performance.now();
  await otherL1.part(l1.chain);
  await pause(ASTRAY_MS);
  await otherL1.join();
  await pause(NOTICED_MS);
  return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX + ASTRAY_MS) };
};

/** The same, while it leads: its conductor and op-node are gone before it is back, and nobody else's L1 has what it built on. */
export const leaderDiesAstray: Act = async (stage) => {
  const { leader, net } = stage;
  await net.otherL1.part(net.l1.chain);
  await pause(ASTRAY_MS);
  const sinceMs = performance.now();
  await Promise.all([leader.conductor.kill(), leader.opNode.kill()]);
  const ms = await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX);
  await net.otherL1.join();
  return { ms };
};

/** L1 answers derivation late, and all else in time, for half a minute: event loops stand, and sequencers need not. */
export const derivationWaits: Act = async (stage) => {
  const sinceMs = performance.now();
  for (const { l1Proxy } of stage.net.nodes) l1Proxy?.holdDerivation(HELD_MS);
  await pause(SILENT_L1_MS);
  for (const { l1Proxy } of stage.net.nodes) l1Proxy?.holdDerivation(0);
  return { ms: await stage.gap(sinceMs, performance.now() + ROUND_MS_MAX) };
};

/** L1 answers nobody for half a minute: op-nodes build in bursts, whoever leads. */
export const l1IsSilent: Act = async (stage) => {
  const sinceMs = performance.now();
  await stage.net.silenceL1(SILENT_L1_MS);
  return { ms: await stage.gap(sinceMs, performance.now() + ROUND_MS_MAX) };
};

/** The leader's conductor and op-node are killed as soon as an invalid block of theirs is committed. */
export const leaderKilledAfterBadCommit: Act = async (stage) => {
  const sinceMs = performance.now();
  await killAfterBadCommit(stage);
  return { ms: await stage.gap(sinceMs, sinceMs + ROUND_MS_MAX) };
};

/** The same where the survivors can prove nothing: the chain stands, and the time is from the dead voter's next answer. */
export const leaderReturnsAfterBadCommit: Act = async (stage) => {
  await standsAfterBadCommit(stage);
  stage.leader.startConductor('again');
  await stage.leader.restartOpNode();
  const answers = async (): Promise<boolean> =>
    (await stage.leader.callConductor('conductor_active').then(() => true)) &&
    (await stage.leader.unsafeHead()).number > 0;
  await stage.until(() => answers().catch(() => false), performance.now() + ROUND_MS_MAX);
  const answeredMs = performance.now();
  return { ms: await stage.untilNext(answeredMs, answeredMs + ROUND_MS_MAX) };
};

/** The same, but the dead voter stays away: an operator has the block given up, and says that the dead server builds nothing. */
export const repairedAfterBadCommit: Act = async (stage) => {
  await standsAfterBadCommit(stage);
  const saidMs = performance.now();
  const urls = stage.net.nodes.map(({ id, conductorUrl }) => `${id}=${conductorUrl}`);
  const words = ['repair', `--rpc=${urls.join(',')}`, `--idle=${stage.leader.id}`, '--yes'];
  const repairing = Bun.spawn([...ourConductor(), ...words], { stdout: 'pipe', stderr: 'pipe' });
  const ms = await stage.untilNext(saidMs, saidMs + ROUND_MS_MAX);
  const code = await repairing.exited;
  if (code !== 0) stage.faults.push(`conductor repair ended with ${code}: ${await said(repairing)}`);
  return { ms };
};

async function said({ stdout, stderr }: Bun.ReadableSubprocess): Promise<string> {
  return `${await new Response(stdout).text()}${await new Response(stderr).text()}`.trim().replaceAll(/\s+/g, ' ');
}

function ourConductor(): readonly string[] {
  const found = conductorCommand('bun');
  if ('missing' in found) throw new Error(found.missing);
  return found.command;
}

async function standsAfterBadCommit(stage: Stage): Promise<void> {
  await killAfterBadCommit(stage);
  const killedMs = performance.now();
  await pause(STANDING_MS);
  if (stage.chain.firstAfter(killedMs + DOWN_MS) !== null) stage.faults.push('the chain went on without a proof');
}

/** op-node executes its own block after it has committed it: then its client is asked for that hash. */
async function killAfterBadCommit(stage: Stage): Promise<void> {
  const { leader } = stage;
  stage.spoil({ seals: 1 });
  const isCommitted = (): boolean => [...stage.spoilt.keys()].some((hash) => leader.proxy?.asked.has(hash) === true);
  const came = await stage.until(isCommitted, performance.now() + ROUND_MS_MAX);
  if (!came) stage.faults.push('no invalid block was committed');
  await Promise.all([leader.conductor.kill(), leader.opNode.kill()]);
}
