/**
 * What a conductor tells of the members' nodes and clients (conductor_clusterNodes), read with care: a part that is not as
 * expected is unknown. op-conductor, and an older release, tell none of it.
 */
import { printable } from './printable.ts';

/** Nodes, disputed blocks and words of a node that are believed, and characters of a sentence. */
const NODES_MAX = 100;
const DISPUTED_MAX = 16;
const WORDS_MAX = 64;
const TEXT_MAX = 1000;
const HASH = /^0x[0-9a-f]{64}$/;

export interface Block {
  readonly number: number;
  /** 0x and 64 digits, lower case. */
  readonly hash: string;
}

/** Words that speak against a block, and those for it, the weightiest first. */
const against = ['l1', 'left', 'invalid', 'notTaken'] as const;
const sound = ['valid', 'holds'] as const;
const verdicts = [...against, ...sound, 'unknown'] as const;
export type NodeVerdict = (typeof verdicts)[number];

/** One member's node, as some conductor knows it; null for what it does not know. */
export interface NodeStanding {
  readonly id: string;
  readonly isNative: boolean;
  /** How old all that follows is, milliseconds; null where nothing was heard. */
  readonly ageMs: number | null;
  readonly node: Block | null;
  readonly client: Block | null;
  readonly safe: number | null;
  /** On the newest committed block. */
  readonly verdict: NodeVerdict;
  /** All that it shows about committed blocks. */
  readonly says: readonly Word[];
  /** A committed block that its client calls invalid, also where that proves nothing; told by its own conductor alone. */
  readonly refuses: RefusedBlock | null;
}

/** What a node shows about one committed block. */
export interface Word extends Block {
  readonly kinds: readonly NodeVerdict[];
}

export interface RefusedBlock extends Block {
  /** The client was restarted, and refuses it again. */
  readonly isAgain: boolean;
}

/** A committed block that some node speaks against. */
export interface Disputed extends Block {
  /** The nodes prove it: the leader gives it up by itself. */
  readonly isProved: boolean;
  /** They prove it, and the leader was started to leave that to an operator; false where it does not tell. */
  readonly isForbidden: boolean;
  /** By whom it is proved, or who would have to say what. */
  readonly why: string;
}

export interface ClusterNodes {
  readonly committed: (Block & { readonly isValidated: boolean }) | null;
  readonly nodes: readonly NodeStanding[];
  /** The lowest first; the leader alone knows them. */
  readonly disputed: readonly Disputed[];
  /** What was last given up on an operator's word; `isDone` once another block is committed in its place. */
  readonly givenUp: (Block & { readonly isDone: boolean }) | null;
}

/** Null for anything that is no such answer. */
export function readClusterNodes(answer: unknown): ClusterNodes | null {
  const { committed, nodes, disputed, givenUp } = objectOf(answer);
  if (!Array.isArray(nodes) || !Array.isArray(disputed)) return null;
  const tip = readBlock(committed);
  const gone = readBlock(givenUp);
  return {
    committed: tip && { ...tip, isValidated: objectOf(committed)['validated'] === true },
    nodes: nodes.slice(0, NODES_MAX).flatMap(readNode),
    disputed: disputed.slice(0, DISPUTED_MAX).flatMap((one: unknown) => {
      const block = readBlock(one);
      const { proved, forbidden, why } = objectOf(one);
      const told = { isProved: proved === true, isForbidden: forbidden === true, why: textOf(why) };
      return block === null ? [] : [{ ...block, ...told }];
    }),
    givenUp: gone && { ...gone, isDone: objectOf(givenUp)['done'] === true },
  };
}

/** Whether it has the block, by its word. */
export function isSound(verdict: NodeVerdict): boolean {
  return (sound as readonly string[]).includes(verdict);
}

/** Whether it speaks against the block. */
export function isAgainst(verdict: NodeVerdict): boolean {
  return (against as readonly string[]).includes(verdict);
}

function readNode(answer: unknown): NodeStanding[] {
  const { id, implementation, ageMs, node, client, safe, verdict, says, refuses } = objectOf(answer);
  if (typeof id !== 'string') return [];
  const refused = readBlock(refuses);
  return [
    {
      id: printable(id.slice(0, TEXT_MAX)),
      isNative: implementation === 'conductor',
      ageMs: numberOf(ageMs),
      node: readBlock(node),
      client: readBlock(client),
      safe: numberOf(safe),
      verdict: verdictOf(verdict),
      says: Array.isArray(says) ? says.slice(0, WORDS_MAX).flatMap(readWord) : [],
      refuses: refused && { ...refused, isAgain: objectOf(refuses)['again'] === true },
    },
  ];
}

function readWord(answer: unknown): Word[] {
  const block = readBlock(answer);
  const { kinds } = objectOf(answer);
  return block === null || !Array.isArray(kinds) ? [] : [{ ...block, kinds: kinds.slice(0, WORDS_MAX).map(verdictOf) }];
}

function verdictOf(value: unknown): NodeVerdict {
  return verdicts.find((one) => one === value) ?? 'unknown';
}

function readBlock(answer: unknown): Block | null {
  const { number, hash } = objectOf(answer);
  const height = numberOf(number);
  return height !== null && typeof hash === 'string' && HASH.test(hash) ? { number: height, hash } : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? printable(value.slice(0, TEXT_MAX)) : '';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
