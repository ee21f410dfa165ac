/** The laws of figure 3.2 of the thesis, and what a durable store owes to them, over all machines and lives of a run. */
import type { WriteBatch } from '#conductor/core/ports';
import { Committed, contentOf } from './committed.ts';
import type { Law } from './oracle.ts';

/** Election safety: at most one leader per term, and nobody else is named as such. */
export const electionSafety: Law = (broken) => {
  const leaders = new Map<number, string>();
  return {
    goesByPosition: true,
    // A leader is heard of before it is seen: its first entry leaves before it is written.
    observed: ({ id, isOpConductor }, { role, term, leaderId }) => {
      // A candidate of Go's that was told to take over goes on naming the leader that it heard meanwhile, in later terms, too.
      if (role === 'candidate' && isOpConductor) return;
      const leader = role === 'leader' ? id : leaderId;
      if (leader === null || leader === '') return;
      const other = leaders.get(term) ?? leader;
      if (other !== leader) broken(`term ${term} has two leaders, ${other} and ${leader}, as ${id} has it`);
      leaders.set(term, leader);
    },
  };
};

/**
 * One vote per term, whatever is restarted or lost in between. What a server gave itself before its disk was lost died with the
 * candidate: nobody else knew of it, and had it been elected its term would be known (`electionSafety`).
 */
export const oneVotePerTerm: Law = (broken) => {
  const votes = new Map<string, string>();
  return {
    written: ({ id }, { hardState }) => {
      if (hardState === undefined || hardState.votedFor === null) return;
      const { votedTerm, votedFor } = hardState;
      const key = `${id} ${votedTerm}`;
      const vote = votedFor.id ?? votedFor.address;
      const other = votes.get(key) ?? vote;
      if (other !== vote) broken(`${id} votes for ${other} and for ${vote} in term ${votedTerm}`);
      votes.set(key, vote);
    },
    wiped: ({ id }) => {
      for (const [key, vote] of votes) if (vote === id && key.startsWith(`${id} `)) votes.delete(key);
    },
  };
};

/** Terms never go back on a disk, nor does what is committed in a life. */
export const monotonicTermAndCommit: Law = (broken) => {
  const terms = new Map<string, number>();
  const commits = new Map<string, { life: number; index: number }>();
  return {
    goesByPosition: true,
    written: ({ id }, { hardState }) => {
      if (hardState === undefined) return;
      const before = terms.get(id) ?? 0;
      if (hardState.term < before) broken(`the term of ${id} goes back from ${before} to ${hardState.term}`);
      terms.set(id, hardState.term);
    },
    wiped: ({ id }) => void terms.delete(id),
    observed: ({ id, life }, { commitIndex }) => {
      const known = commits.get(id);
      const before = known?.life === life ? known.index : 0;
      if (commitIndex === before) return;
      if (commitIndex < before) broken(`the commit index of ${id} goes back from ${before} to ${commitIndex}`);
      commits.set(id, { life, index: commitIndex });
    },
  };
};

/** Log matching: an index and a term name one entry, with one entry before it; a snapshot ends with an entry there was. */
export const logMatching: Law = (broken) => {
  const known = new Map<string, { readonly content: string; readonly previousTerm: number | null }>();
  return {
    written: (machine, { entries, snapshot }: WriteBatch) => {
      for (const { entry } of entries ?? []) {
        const { index, term } = entry;
        const key = `${index}/${term}`;
        const content = contentOf(entry);
        const previousTerm = machine.disk.entryAt(index - 1)?.term ?? null;
        const first = known.get(key);
        if (first === undefined) known.set(key, { content, previousTerm });
        else if (first.content !== content)
          broken(`entry ${key} is two different ones, on ${machine.id} and elsewhere`);
        else if (first.previousTerm !== null && previousTerm !== null && first.previousTerm !== previousTerm)
          broken(`entry ${key} follows terms ${first.previousTerm} and ${previousTerm}`);
      }
      if (snapshot === undefined) return;
      const last = `${snapshot.meta.index}/${snapshot.meta.term}`;
      if (!known.has(last)) broken(`a snapshot of ${machine.id} ends with entry ${last}, which nobody has written`);
    },
  };
};

/** State-machine safety: no two servers apply different entries at an index. */
export const stateMachineSafety: Law = (broken) => {
  const committed = new Committed();
  return {
    goesByPosition: true,
    observed: (machine, status) =>
      committed.advance(machine, status, (entry, inTerm) => {
        const { index, term } = entry;
        const known = committed.get(index);
        if (known !== undefined && (known.term !== term || known.content !== contentOf(entry)))
          broken(`index ${index} is committed with terms ${known.term} and ${term}, the latter on ${machine.id}`);
        committed.set(entry, inTerm);
      }),
  };
};

/** Leader completeness: what was committed in earlier terms is in the log of every later leader. */
export const leaderCompleteness: Law = (broken) => {
  const committed = new Committed();
  /** The latest term that each server led: none leads an earlier one again. */
  const led = new Map<string, number>();
  return {
    goesByPosition: true,
    observed: (machine, status) => {
      committed.advance(machine, status, (entry, inTerm) => committed.set(entry, inTerm));
      const { role, term, snapshotIndex } = status;
      if (role !== 'leader') return;
      if (led.get(machine.id) === term) return;
      led.set(machine.id, term);
      for (const [index, known] of committed.all()) {
        if (known.inTerm >= term || index <= snapshotIndex) continue;
        const held = machine.disk.entryAt(index)?.term ?? null;
        if (held !== known.term)
          broken(
            `${machine.id} leads term ${term} with term ${held} at index ${index}, where ${known.term} is committed`,
          );
      }
    },
  };
};
