/** A committed block that the execution client beside this conductor refuses, though its node goes on offering it. */
import { whereItStays } from '../control/rollback.ts';
import type { BlockRef } from '../node/calls.ts';
import type { CommitHost } from './commit-host.ts';

type Host = Pick<CommitHost, 'rollback' | 'handTo' | 'nodeIsOff' | 'rollbackRefused' | 'sealRefused'>;

/**
 * The node will offer the committed block for ever, and its client refuses it: leadership goes to whose node holds it
 * (rule 3), and where nobody's does the job is dropped (rule 29).
 */
export function cannotTake(block: BlockRef, refusal: string, host: Host): void {
  const { rollback } = host;
  const proof = rollback.proofAgainst(block);
  const verdict = whereItStays(rollback, block.hash, proof.kind === 'unproved' ? proof.why : '');
  if (verdict.kind === 'later') host.nodeIsOff();
  else if (verdict.kind === 'transfer') host.handTo(verdict.target);
  else if (proof.kind === 'unproved') {
    host.rollbackRefused(verdict.why);
    host.sealRefused(block, refusal);
  }
}
