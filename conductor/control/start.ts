/**
 * Starts the own sequencer (rules 19 and 20): confirm leadership by a quorum in this term, bring the
 * node to the committed head, check leadership again, then `admin_startSequencer`. Never without a
 * committed payload, never on another branch.
 */
import type { BlockHeader, BlockRef } from './calls.ts';
import { blockByHash, failureOf, readHeader, startSequencer } from './calls.ts';
import { catchUp, type CatchUpHost } from './catch-up.ts';
import { call, wait, type Steps } from './effects.ts';

/** Most steps from the node's head back to the committed tip (rule 4). */
const walkStepsMax = 4096;
/** Tries when the node says that the hash is not its head yet. */
const mismatchTriesMax = 20;
/** Pause between them: 25–100 ms. */
const mismatchPauseMinMs = 25;
const mismatchPauseSpreadMs = 75;

/** 'retry' is worth another try; 'otherBranch' needs an operator; 'uncertain' means that the call's effect is not known. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly head: BlockRef; readonly wasRunning: boolean; readonly gapBlocks: number }
  | { readonly kind: 'retry' | 'uncertain' | 'lostLeadership'; readonly message: string }
  | { readonly kind: 'noHead' }
  | { readonly kind: 'otherBranch'; readonly ours: BlockRef; readonly theirs: BlockRef };

export interface StartHost extends CatchUpHost {
  /** Still leader of the term in which the procedure began. */
  isStillLeader(): boolean;
  /** Uniform in [0, 1). */
  random(): number;
}

/** The whole procedure. */
export function* start(host: StartHost): Steps<StartOutcome> {
  const confirmed = yield { kind: 'read' };
  if (confirmed.kind !== 'read' || !confirmed.isConfirmed) {
    return {
      kind: 'retry',
      message: confirmed.kind === 'read' ? confirmed.message : 'leadership could not be confirmed',
    };
  }
  for (let attempt = 0; ; attempt += 1) {
    const position = yield* catchUp(host);
    if (position.kind === 'noHead' || position.kind === 'otherBranch') return position;
    if (position.kind === 'stuck') return { kind: 'retry', message: `unsafe head mismatch: ${position.message}` };
    const gap =
      position.kind === 'ahead' ? yield* walkToTip(host, position.head) : { kind: 'reached' as const, steps: 0 };
    if (gap.kind !== 'reached') return gap;
    if (!host.isStillLeader())
      return { kind: 'lostLeadership', message: 'leadership was lost before the sequencer was started' };
    const answer = yield* call(startSequencer(position.head.hash));
    if (answer.kind === 'result')
      return { kind: 'started', head: position.head, wasRunning: false, gapBlocks: gap.steps };
    if (answer.kind === 'failed') return { kind: 'uncertain', message: answer.message };
    if (answer.message.includes('sequencer already running')) {
      return { kind: 'started', head: position.head, wasRunning: true, gapBlocks: gap.steps };
    }
    const isMismatch = answer.message.includes('block hash does not match');
    if (!isMismatch || attempt + 1 >= mismatchTriesMax) return { kind: 'retry', message: answer.message };
    yield* wait(mismatchPauseMinMs + host.random() * mismatchPauseSpreadMs);
  }
}

type Walk =
  | { readonly kind: 'reached'; readonly steps: number }
  | { readonly kind: 'retry'; readonly message: string }
  | { readonly kind: 'otherBranch'; readonly ours: BlockRef; readonly theirs: BlockRef };

/** Follows parents from a head beyond the tip back to the tip's height (rule 4). */
function* walkToTip(host: StartHost, head: BlockHeader): Steps<Walk> {
  const tip = host.chain.head();
  if (tip === null) return { kind: 'retry', message: 'no unsafe head' };
  let block = head;
  for (let steps = 1; steps <= walkStepsMax; steps += 1) {
    if (block.number === tip.number + 1n) {
      return block.parentHash === tip.hash
        ? { kind: 'reached', steps }
        : { kind: 'otherBranch', ours: tip, theirs: head };
    }
    const answer = yield* call(blockByHash(block.parentHash));
    const parent = answer.kind === 'result' ? readHeader(answer.value) : null;
    if (parent === null || parent.number !== block.number - 1n) {
      return {
        kind: 'retry',
        message: failureOf(answer) ?? `the execution client does not have block ${block.parentHash}`,
      };
    }
    block = parent;
  }
  return {
    kind: 'retry',
    message: `the node is more than ${walkStepsMax} blocks ahead of the committed head ${tip.number}`,
  };
}
