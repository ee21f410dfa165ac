/** What an operator is told of a client that takes none of the committed blocks, in the order in which it helps. */
import type { Stuck } from './evidence/stuck-client.ts';
import type { BlockRef } from './node/calls.ts';

/** The line, and what it adds in fields. */
export interface StuckClientWords {
  readonly message: string;
  /** A call to the client, to be made before anything else. */
  readonly first?: string;
  /** What it means if that does not help. */
  readonly otherwise?: string;
}

export function wordsOfStuckClient(
  head: BlockRef,
  { mustForget, refusesNext, wasRestarted, isLeftAlone }: Stuck,
): StuckClientWords {
  if (isLeftAlone) {
    const resumed = 'op-node is made to look in it only when this conductor is neither paused nor overridden';
    return { message: `the execution client has lost its newest blocks: ${resumed}` };
  }
  const takesNone = 'the execution client takes none of the committed blocks that its node was given';
  const first = mustForget ? { first: `debug_setHead 0x${head.number.toString(16)}` } : {};
  if (!refusesNext) {
    const help = wasRestarted && !mustForget ? 'restarts do not help: give it a new data folder' : 'restart it';
    return { message: `${takesNone}: ${help}`, ...first };
  }
  const otherwise = 'if it refuses the block after a restart, too, that may be invalid: conductor repair';
  if (mustForget) return { message: `${takesNone}: restart it`, ...first, otherwise };
  // A restart would also void what it says against the block, which others may need to prove that it is dead.
  const whoElse = 'it refuses the next one, and may be right: conductor repair --dry-run shows who else does';
  const compare = 'where others have it, compare its version and configuration with theirs, then restart it';
  return { message: `${takesNone}: ${whoElse}; ${compare}`, otherwise };
}
