/**
 * A client that is gone may come back without its newest blocks. op-node would tell it of the next one that is gossiped at
 * once, as if nothing had happened, and one that has lost its states to begins a sync by snapshot with that, which wipes
 * the rest. Told to look while nobody answers, op-node does so before anything else.
 */
import type { BlockRef, CallResult } from '../node/calls.ts';
import { call, type Steps } from '../node/effects.ts';
import { aliveProbe } from '../node/engine-calls.ts';
import { lookAnew } from './look-anew.ts';
import { syncsFrom, type LookHost } from './look-host.ts';

/** One may come and go; milliseconds. */
const resetAgainMs = 3000;

/**
 * Resets op-node, once for each time that the client is gone. Until it is back op-node then tries hundreds of times a
 * second and logs each (op-node, engine_controller.go: onResetEngineRequest), and after a clean restart nothing would be
 * lost: so only on a chain that is too short to be synced by snapshot, and not where op-node may still reach the client.
 */
export function* lookOnceItIsBack(host: LookHost, latest: CallResult, tip: BlockRef): Steps<void> {
  const { hasEngine, memory, mayAct, nowMs } = host;
  if (!isRefused(latest) || tip.number >= syncsFrom || memory.wasResetWhileGone || !mayAct()) return;
  if (nowMs() - memory.resetWhileGoneAtMs < resetAgainMs) return;
  if (hasEngine && !isCutOff(yield* call(aliveProbe('engine')))) return;
  const beganMs = nowMs();
  if (!(yield* lookAnew(host))) return;
  memory.wasResetWhileGone = true;
  memory.resetWhileGoneAtMs = beganMs;
  memory.looksFrom = memory.node?.hash ?? '';
}

/**
 * A client that is back at its genesis as one that syncs by snapshot executes nothing until it is started again. op-node,
 * which stands there as well, fills the gap to what is gossiped by making the client sync to it (op-node, driver.go:
 * checkForGapInUnsafeQueue), and on a chain that is too short for that the client loses its genesis' state, too. It does
 * so two block times after its derivation was last reset or its head last moved: so it is reset until the client is
 * started again.
 */
export function* keepFromSyncing(host: LookHost, client: BlockRef, tip: BlockRef): Steps<void> {
  const { memory, mayAct, nowMs, blockTimeMs } = host;
  const isInDanger = memory.withheld !== null && !memory.withheld.isSyncing && client.number === 0n;
  if (!isInDanger || !mayAct() || tip.number >= syncsFrom) return;
  if (nowMs() - memory.keptFromSyncingAtMs < blockTimeMs) return;
  const beganMs = nowMs();
  if (yield* lookAnew(host)) memory.keptFromSyncingAtMs = beganMs;
}

/** Also by something between the two, which takes the connection and closes it. */
function isCutOff(answer: CallResult): boolean {
  return answer.kind === 'failed' && (answer.reason === 'refused' || answer.reason === 'unreachable');
}

function isRefused(answer: CallResult): boolean {
  return answer.kind === 'failed' && answer.reason === 'refused';
}
