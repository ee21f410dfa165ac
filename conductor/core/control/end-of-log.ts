/**
 * What an operator's override begins with: the own node is given the blocks that the own log ends in, also those
 * that are not committed. A sequencer that is then started by hand builds above them, so that one which commits
 * later, when a majority is back, is no fork.
 */
import { catchUp, type CatchUpHost, type CatchUpOutcome } from './catch-up.ts';
import type { Steps } from '../node/effects.ts';

/** The operator waits for the answer: given up after this long without progress. */
const giveUpAfterMs = 1000;

/** Brings the node to the end of `host.chain`; a node that is at it or beyond is left as it is. */
export function bringToEndOfLog(host: CatchUpHost): Steps<CatchUpOutcome> {
  return catchUp({ ...host, giveUpAfterMs });
}
