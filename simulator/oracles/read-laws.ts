/** The law of reads, as the log has it (rule 14; thesis §6.4). */
import { hasQuorum } from '#conductor/core/raft/quorum';
import type { Configuration } from '#conductor/core/raft/types';
import type { Machine } from '../machine.ts';
import type { Law } from './oracle.ts';

/** A read under way: who has answered the leader since it was asked, by what it sent since then. */
interface Pending {
  readonly machine: Machine;
  readonly sentTo: Map<number, string>;
  readonly confirmedBy: Set<string>;
}

/**
 * Whatever was known to be committed anywhere when a read began is applied where it is answered, and a majority of the
 * voters has acknowledged, in between, what the leader sent after the read began: whether it would have been wrong or not.
 */
export const readsSeeTheLog: Law = (broken) => {
  let known = 0;
  const pending = new Set<Pending>();
  return {
    goesByPosition: true,
    observed: (_, { commitIndex, hasFailed }) => {
      if (!hasFailed && commitIndex > known) known = commitIndex;
    },
    sent: (machine, { request, requestId, peerId }) => {
      if (pending.size === 0 || request.kind !== 'append') return;
      for (const read of pending) if (read.machine === machine) read.sentTo.set(requestId, peerId);
    },
    handles: ['response'],
    handled: (machine, event) => {
      if (pending.size === 0 || event.kind !== 'response') return;
      const { response, requestId } = event;
      if (response.kind !== 'append' || !response.success) return;
      for (const { machine: asked, sentTo, confirmedBy } of pending) {
        const peer = asked === machine ? sentTo.get(requestId) : undefined;
        if (peer !== undefined) confirmedBy.add(peer);
      }
    },
    ended: (machine) => {
      for (const read of pending) if (read.machine === machine) pending.delete(read);
    },
    readBegins: (machine) => {
      const expected = known;
      const { id, conductor } = machine;
      if (conductor === null) return;
      const read: Pending = { machine, sentTo: new Map(), confirmedBy: new Set([id]) };
      const atFirst = conductor.status().configuration.configuration;
      pending.add(read);
      machine.read(({ kind }) => {
        pending.delete(read);
        const status = machine.conductor?.status();
        if (kind !== 'done' || status === undefined) return;
        if (status.appliedIndex < expected)
          broken(`a read through ${id} sees the log up to ${status.appliedIndex}, after ${expected} was committed`);
        // Members may change while it is under way.
        const isConfirmed = (by: Configuration): boolean => hasQuorum(by, (one) => read.confirmedBy.has(one));
        if (!isConfirmed(atFirst) && !isConfirmed(status.configuration.configuration))
          broken(`a read through ${id} is answered after ${[...read.confirmedBy].join(', ')} alone confirmed it`);
      });
    },
  };
};
