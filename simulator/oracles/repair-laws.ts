/** The laws of `conductor repair`: what an operator's word may take back, and what comes of it (rule 6). */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import type { Verdicts } from '../verdicts.ts';
import type { World } from '../world.ts';
import { givenUpMs, repairedMs } from './disagreement-bounds.ts';
import { offered } from './offered.ts';
import type { Law, Oracle } from './oracle.ts';

/** Calls back for each block that a leader was told to give up, and has taken that word for. */
function givenUp(told: (block: Block, world: World) => void): Oracle {
  let world: World | null = null;
  return {
    watch: (watched) => {
      world = watched;
    },
    answered: (_, { method, values }: Call, { kind }) => {
      if (method !== 'conductor_giveUpBlock' || kind !== 'result') return;
      const block = world?.blocks.find(String(values[1]).toLowerCase()) ?? null;
      if (world !== null && block !== null) told(block, world);
    },
  };
}

/** No operator who goes by the tool has a block given up that most clients take, and whose origin is still on L1. */
export const givenUpIsDead: Law = (broken, note) =>
  givenUp((block, { blocks, verdicts }) => {
    note('an operator gives up a block');
    if (!blocks.isDead(block) && verdicts.isSound(block))
      broken(`an operator gives up block ${block.number} of s${block.builder}, which most clients take`);
  });

/** A server offers a block. */
interface Offer {
  readonly atMs: number;
  readonly hash: string;
  /** When its sequencer was last started before. */
  readonly startedAtMs: number;
}

/**
 * Once all faults are over, another block is published in the place of one that was given up, within a bound, which begins
 * anew with each further block that its builder spoils, and with the time for another word where that one was committed:
 * whether the chain goes on then is for the laws of service.
 */
export const givenUpIsReplaced: Law = (broken) => {
  const told: { readonly atMs: number; readonly hash: string }[] = [];
  const offers: Offer[] = [];
  const startedAtMs = new Map<string, number>();
  const publishedAtMs: number[] = [];
  const spoiled: { readonly atMs: number; readonly isCommitted: boolean }[] = [];
  const words = givenUp(({ hash }, { nowMs }) => void told.push({ atMs: nowMs, hash }));
  let verdicts: Verdicts | null = null;
  const committed = ({ worldMs }: Machine, block: Block): void => {
    if (verdicts?.isSound(block) === false) spoiled.push({ atMs: worldMs, isCommitted: true });
  };
  return {
    ...words,
    committed,
    leftInDoubt: committed,
    watch: (world) => {
      verdicts = world.verdicts;
      words.watch?.(world);
    },
    published: ({ worldMs }) => void publishedAtMs.push(worldMs),
    called: ({ id, worldMs }, call) => {
      const hash = offered(call);
      if (hash !== null) offers.push({ atMs: worldMs, hash, startedAtMs: startedAtMs.get(id) ?? -Infinity });
    },
    ordered: ({ id, worldMs }, method) => {
      if (method === 'admin_startSequencer') startedAtMs.set(id, worldMs);
    },
    judged: ({ index, worldMs }, block, status) => {
      if (status === 'INVALID' && block.builder === index && verdicts?.isSound(block) === false)
        spoiled.push({ atMs: worldMs, isCommitted: false });
    },
    finish: ({ run, world: { nowMs }, calmFromMs }) => {
      const withinMs = givenUpMs(run.configuration);
      for (const { atMs, hash } of told.filter((one) => one.atMs >= calmFromMs)) {
        const anewMs = (isCommitted: boolean): number => (isCommitted ? repairedMs(run.configuration) : withinMs);
        // A builder that gives the same block again when it is started anew costs the lead, and another word.
        const isGivenAgain = offers.some(
          (one) => one.hash === hash && one.startedAtMs > atMs && one.atMs <= atMs + withinMs,
        );
        const byMs = spoiled.reduce(
          (untilMs, one) => (one.atMs >= atMs && one.atMs <= untilMs ? one.atMs + anewMs(one.isCommitted) : untilMs),
          atMs + withinMs + (isGivenAgain ? repairedMs(run.configuration) : 0),
        );
        const isReplaced = publishedAtMs.some((ms) => ms >= atMs && ms <= byMs);
        if (!isReplaced && byMs <= nowMs)
          broken(
            `no block comes within ${withinMs} ms of an operator's word at ${Math.round(atMs)}, or of the next bad one`,
          );
      }
    },
  };
};
