/**
 * Whether a committed block may be given up (rule 6): the words of the voters about their own nodes, counted. Nothing
 * follows from silence, from an old word, from time or from an offer; every voter counts once.
 */
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import type { Observation, ObservationKind } from './observation.ts';

/** Whether it speaks against its block. */
export function isAgainst({ kinds }: Observation): boolean {
  return proofKinds.some((kind) => kinds.includes(kind));
}

/** What one voter says of its own node, as it was last heard. */
export interface VoterWord {
  readonly id: string;
  /** Runs this implementation: others cannot speak, nor read an entry that moves the chain back. */
  readonly isNative: boolean;
  /** It was heard lately; false also while it has not said anything yet. */
  readonly isHeard: boolean;
  /** Height of its node's safe head; null while not known. */
  readonly safeNumber: bigint | null;
  readonly observations: readonly Observation[];
}

/** The kinds that can prove something, the strongest first. */
export const proofKinds = ['l1', 'left', 'invalid', 'notTaken'] as const;
export type ProofKind = (typeof proofKinds)[number];

export type Proof =
  /** `mayReplaceTipOnly`: a member of another implementation is there, which knows only a payload at the tip's height. */
  | {
      readonly kind: 'proved';
      /** 'operator': an operator's word, where the nodes do not prove it (operator-word.ts). */
      readonly by: ProofKind | 'operator';
      readonly voters: readonly string[];
      readonly mayReplaceTipOnly: boolean;
    }
  /** `why` names the block and who would have to say what; `isForbidden`: it is proved, and not to be acted on. */
  | { readonly kind: 'unproved'; readonly why: string; readonly isForbidden?: true };

/** Whether it is proved, and only the setting keeps the leader from acting on that. */
export function isForbidden(proof: Proof): boolean {
  return proof.kind === 'unproved' && proof.isForbidden === true;
}

export interface ProofGround {
  readonly chain: ChainView;
  /** All voters, ourselves among them. */
  readonly voters: readonly VoterWord[];
  /** Whether every member, nonvoters too, is this implementation; 'mixed' where some are known not to be. */
  readonly members: 'native' | 'mixed' | 'unknown';
}

/** Whether `block`, a committed one, and with it everything above it, may be given up. */
export function proofAgainst(block: BlockRef, { chain, voters, members }: ProofGround): Proof {
  // Whose L1 client was asked and whose node has gone by itself say the same thing.
  const alike = (kind: ProofKind): readonly ProofKind[] => (kind === 'left' ? ['l1', 'left'] : [kind]);
  const heard = voters.filter((voter) => voter.isHeard);
  const isTip = chain.head()?.hash === block.hash;
  const isTakenBySome = (of: BlockRef): boolean => heard.some((voter) => isSound(voter, of, chain));
  // What clients say counts for nothing where another has taken that very block.
  const counts = (kind: ProofKind, of: BlockRef): boolean =>
    !isVerdict(kind) || (!isTakenBySome(of) && !isValidated(of, chain));
  const says = (kind: ProofKind): string[] =>
    kind === 'invalid'
      ? refusing(heard, (of) => isAtOrUnder(of, block, chain) && counts(kind, of))
      : heard.filter((voter) => alike(kind).some((one) => contradicts(voter, one, block, chain))).map(({ id }) => id);
  const blocked = (kind: ProofKind): boolean =>
    (kind !== 'l1' && heard.some(({ safeNumber }) => safeNumber !== null && safeNumber >= block.number)) ||
    !counts(kind, block);
  const usable = proofKinds.filter((kind) => !blocked(kind));
  const majority = Math.floor(voters.length / 2) + 1;
  // Who refuses an older block cannot take this one either, and never meets it.
  const cannotTake = (kind: ProofKind): string[] =>
    heard.filter((voter) => contradicts(voter, kind, block, chain)).map(({ id }) => id);
  if (members === 'mixed') return nativeWord(usable, { block, isTip, heard, voters, says, cannotTake, needed: 1 });
  // Who has not said what it is may be op-conductor, or one of ours that is silent: then both rules must be met.
  if (members === 'unknown') {
    const strict = usable.filter((kind) => kind !== 'notTaken');
    return nativeWord(strict, { block, isTip, heard, voters, says, cannotTake, needed: majority });
  }
  for (const by of usable) {
    const needed = by === 'notTaken' ? voters.length : majority;
    const given = by === 'notTaken' && !isTip ? [] : says(by);
    if (given.length >= needed) return { kind: 'proved', by, voters: given, mayReplaceTipOnly: false };
  }
  const few = `${majority} of ${voters.length} voters`;
  const wanted = isValidated(block, chain)
    ? `${few} to have left it, for the client of the leader that committed it found it valid`
    : isTip
      ? `${few} to have refused or left it, or all not to have taken it`
      : `${few} to have refused or left it`;
  return { kind: 'unproved', why: `${named(block)} stays: it takes ${wanted}; ${summary(block, voters, chain)}` };
}

/** Whether this voter's node has left the block, as L1 makes nodes do. */
export function isLeftBy(
  voter: VoterWord,
  block: BlockRef,
  chain: ChainView,
  kinds: readonly ProofKind[] = ['l1', 'left'],
): boolean {
  return voter.isHeard && kinds.some((kind) => contradicts(voter, kind, block, chain));
}

/** Whether one of them has; what is safe to another has only been left for L1's sake where L1 shows that. */
export function isLeftByAny(voters: readonly VoterWord[], block: BlockRef, chain: ChainView): boolean {
  const isSafe = voters.some(({ isHeard, safeNumber }) => isHeard && safeNumber !== null && safeNumber >= block.number);
  return voters.some((voter) => isLeftBy(voter, block, chain, isSafe ? ['l1'] : undefined));
}

/** Beside a member of another implementation: the tip alone, on the word of all native voters. */
function nativeWord(
  usable: readonly ProofKind[],
  {
    block,
    isTip,
    heard,
    voters,
    says,
    cannotTake,
    needed,
  }: {
    readonly block: BlockRef;
    readonly isTip: boolean;
    readonly heard: readonly VoterWord[];
    readonly voters: readonly VoterWord[];
    readonly says: (kind: ProofKind) => string[];
    /** Those that say it of the block, or of one under it. */
    readonly cannotTake: (kind: ProofKind) => string[];
    /** Fewest voters that must speak of one and the same block. */
    readonly needed: number;
  },
): Proof {
  const natives = voters.filter((voter) => voter.isNative);
  const strangers = voters.filter((voter) => !voter.isNative).map(({ id }) => id);
  const who = strangers.length > 0 ? strangers.join(', ') : 'a member';
  if (!isTip)
    return {
      kind: 'unproved',
      why: `${named(block)} stays: ${who} may be op-conductor, beside which only the tip can be replaced`,
    };
  const agreed = new Set(usable.flatMap((kind) => says(kind)));
  const speaking = new Set(usable.flatMap((kind) => [...says(kind), ...cannotTake(kind)]));
  const isComplete = agreed.size >= needed && natives.length > 0 && natives.every(({ id }) => speaking.has(id));
  const by = usable.find((kind) => says(kind).length > 0);
  if (isComplete && by !== undefined) return { kind: 'proved', by, voters: [...speaking], mayReplaceTipOnly: true };
  const silent = natives.filter(({ id }) => !speaking.has(id)).map(({ id }) => id);
  const unheard = silent.filter((id) => !heard.some((voter) => voter.id === id));
  if (silent.length === 0)
    return {
      kind: 'unproved',
      why: `${named(block)} stays: not every member has said yet which implementation it is, and ${agreed.size} of ${needed} voters refuse it`,
    };
  const missing = `missing is the word of ${silent.join(', ')}${unheard.length > 0 ? ` (not heard: ${unheard.join(', ')})` : ''}`;
  return {
    kind: 'unproved',
    why: `${named(block)} stays: beside op-conductor every native voter must say that its node refuses it; ${missing}`,
  };
}

/** A word about the block itself or, but for `notTaken`, about a committed block under it. */
function wordAgainst(
  { observations }: VoterWord,
  kind: ProofKind,
  block: BlockRef,
  chain: ChainView,
): Observation | undefined {
  return observations.find((one) => {
    const isAbout = kind === 'notTaken' ? one.hash === block.hash : isAtOrUnder(one, block, chain);
    return isAbout && one.kinds.includes(kind);
  });
}

function contradicts(voter: VoterWord, kind: ProofKind, block: BlockRef, chain: ChainView): boolean {
  return wordAgainst(voter, kind, block, chain) !== undefined;
}

function isAtOrUnder({ number, hash }: BlockRef, block: BlockRef, chain: ChainView): boolean {
  return hash === block.hash || (number < block.number && chain.at(number)?.hash === hash);
}

/**
 * The voters whose clients refuse one and the same block, this one or one under it: the most that do. A client that refuses an
 * older one has not met this one.
 */
function refusing(heard: readonly VoterWord[], isCounted: (of: BlockRef) => boolean): string[] {
  const byHash = new Map<string, Set<string>>();
  for (const { id, observations } of heard) {
    for (const one of observations) {
      if (!one.kinds.includes('invalid') || !isCounted(one)) continue;
      byHash.set(one.hash, (byHash.get(one.hash) ?? new Set()).add(id));
    }
  }
  return [...byHash.values()].reduce<string[]>((most, ids) => (ids.size > most.length ? [...ids] : most), []);
}

/** Whether it is what a client said, and not where a node went. */
function isVerdict(kind: ProofKind): boolean {
  return kind === 'invalid' || kind === 'notTaken';
}

/**
 * The leader that appended the committed block, or one above it, had its client's word, which every server stored with
 * the entry (rule 28).
 */
function isValidated({ number, hash }: BlockRef, chain: ChainView): boolean {
  if (chain.at(number)?.hash !== hash) return false;
  for (let at = chain.head()?.number ?? number; at >= number; at -= 1n) {
    if (chain.at(at)?.isValidated === true) return true;
  }
  return false;
}

function hasSaid(voter: VoterWord, kind: ObservationKind, block: BlockRef): boolean {
  return voter.observations.some(({ hash, kinds }) => hash === block.hash && kinds.includes(kind));
}

/** Its client executed the block, or has it, or a committed one above: a refused block is not stored. */
function isSound({ observations }: VoterWord, block: BlockRef, chain: ChainView): boolean {
  return observations.some(({ number, hash, kinds }) => {
    if (!kinds.includes('valid') && !kinds.includes('holds')) return false;
    return hash === block.hash || (number > block.number && chain.at(number)?.hash === hash);
  });
}

function named({ number, hash }: BlockRef): string {
  return `block ${number} (${hash})`;
}

/** Who says what, voter by voter. */
function summary(block: BlockRef, voters: readonly VoterWord[], chain: ChainView): string {
  return voters
    .map((voter) => {
      if (!voter.isHeard) return `${voter.id} is not heard`;
      const kinds = proofKinds
        .flatMap((kind) => {
          const word = wordAgainst(voter, kind, block, chain);
          return word === undefined ? [] : [word.hash === block.hash ? kind : `${kind} (block ${word.number})`];
        })
        .join(', ');
      const isSafe = voter.safeNumber !== null && voter.safeNumber >= block.number;
      if (isSafe) return `${voter.id}: ${kinds === '' ? '' : `${kinds}, but `}safe there`;
      if (kinds !== '') return `${voter.id}: ${kinds}`;
      return `${voter.id}: ${hasSaid(voter, 'valid', block) ? 'valid' : hasSaid(voter, 'holds', block) ? 'holds it' : 'nothing'}`;
    })
    .join('; ');
}
