/** What an op-node of a run has around it: its client, its L1 endpoint, its conductor and the other nodes. */
import type { Block, Blocks } from './blocks.ts';
import type { EventQueue } from './event-queue.ts';
import type { ExecutionClient } from './execution-client.ts';
import type { L1Header, L1View } from './l1.ts';
import type { Job } from './spoiled-seals.ts';
import type { Stream } from './streams.ts';

/** What a commit came to for the node: only success lets it publish. */
export type CommitAnswer = 'committed' | 'failed';

export interface RollupNodeHost {
  readonly queue: EventQueue;
  readonly blocks: Blocks;
  readonly random: Stream;
  readonly client: ExecutionClient;
  /** What its L1 endpoint shows. */
  readonly l1: L1View;
  /** Time between two blocks, milliseconds. */
  readonly blockMs: number;
  /** Wall clock of the machine, milliseconds. */
  unixMs(): number;
  /** The L1 block of a number that its endpoint shows; null above the newest. */
  l1At(number: number): L1Header | null;
  /** No L1 block comes, and it is as far ahead of L1 as it may be. */
  isL1Standing(): boolean;
  /** Its conductor's log holds a payload, and may give it. */
  isInLog(block: Block): boolean;
  /** What comes out when its client seals a job. */
  seal(job: Job): Block;
  /** Asks the conductor beside it; answers later, or with 'failed' after its own deadline. */
  commit(block: Block, done: (answer: CommitAnswer) => void): void;
  /** Hands a published block to the others. */
  published(block: Block): void;
  /** Its client was given a block that it cannot place, and may look for what is missing by itself. */
  strayed(block: Block): void;
}
