/**
 * What an operator's override begins with: the own node is given the blocks that the own log ends in, also those
 * that are not committed. A sequencer that is then started by hand builds above them, so that one which commits
 * later, when a majority is back, is no fork.
 */
import { catchUp, type CatchUpHost, type CatchUpOutcome } from './catch-up.ts';
import { sequencerActive } from '../node/calls.ts';
import { call, wait, type Steps } from '../node/effects.ts';
import { nodeBelowClient } from './went-back.ts';

/** The operator waits for the answer: given up after this long without progress. */
const giveUpAfterMs = 1000;
const nodePollMs = 50;
const soonActive = { ...sequencerActive, timeoutMs: 500 };

/** 'builds': its sequencer runs, and does not look back. */
export type EndOfLogOutcome = CatchUpOutcome | { readonly kind: 'builds' };

/**
 * Brings the node to the end of `host.chain`; a node that is at it or beyond is left as it is. `mayBuild`: its sequencer is not
 * known to stand, and what was known last may have changed.
 */
export function* bringToEndOfLog(host: CatchUpHost, mayBuild: boolean): Steps<EndOfLogOutcome> {
  if (mayBuild) {
    const answer = yield* call(soonActive);
    if (answer.kind === 'result' && answer.value === true) return { kind: 'builds' };
  }
  const outcome = yield* catchUp({ ...host, giveUpAfterMs, mayInsert: () => true });
  return outcome.kind === 'atTip' ? yield* followed(host, outcome) : outcome;
}

/** The client is there; op-node tells of it a moment later, or with its next step of derivation after a large block. */
function* followed(host: CatchUpHost, reached: CatchUpOutcome): Steps<EndOfLogOutcome> {
  const untilMs = host.nowMs() + giveUpAfterMs;
  for (;;) {
    const head = yield* nodeBelowClient();
    if (head === null) return reached;
    const message = 'op-node has not followed its client yet';
    if (host.nowMs() >= untilMs) return { kind: 'stuck', message, head, isRefused: false };
    yield* wait(nodePollMs);
  }
}
