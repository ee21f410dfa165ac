/**
 * Whether this conductor could take over (rule 25): its log is caught up, its node answers and is near
 * the committed head. Never wall clock, never leadership.
 */
import type { Verdict } from './health/verdict.ts';
import type { RaftStatus } from './raft/status.ts';

/** Blocks by which the node's head may be behind the committed head. */
const readyLagBlocksMax = 10n;

export interface ReadinessInput {
  readonly status: RaftStatus;
  /** null before the first health round. */
  readonly verdict: Verdict | null;
  /** Height of the node's unsafe head; null when it has not said. */
  readonly nodeHead: number | null;
  /** The node goes on from a block whose commit was refused. */
  readonly isOnRefused: boolean;
  /** Height of the committed head; null while no payload is held. */
  readonly committedHead: bigint | null;
}

/** '' when ready, else the reason. */
export function readiness(input: ReadinessInput): string {
  const { status, verdict, nodeHead, committedHead, isOnRefused } = input;
  if (status.hasFailed) return 'the store has failed';
  const isMember = status.configuration.configuration.servers.some((server) => server.id === status.id);
  if (!isMember) return 'not a member of a cluster yet';
  if (status.isRecovering) return 'catching up after starting with an empty store';
  if (status.leaderId === null) return 'no leader is known';
  if (status.appliedIndex < status.commitIndex)
    return `${status.commitIndex - status.appliedIndex} committed entries are not applied yet`;
  if (verdict === null) return 'the node has not been checked yet';
  if (!verdict.isHealthy && !verdict.nodeAnswers) return `the node does not answer: ${verdict.detail}`;
  if (nodeHead === null) return 'the head of the node is not known';
  if (isOnRefused) return 'the node stands on a block whose commit was refused';
  if (committedHead === null) return '';
  const lag = committedHead - BigInt(nodeHead);
  return lag > readyLagBlocksMax ? `the node is ${lag} blocks behind the committed head` : '';
}
