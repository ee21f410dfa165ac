/**
 * What of a server's state decides how it goes on, as text: two servers with equal fingerprints do the same for
 * ever. Left out is what only says when something is done (the search lets timers run out whenever it likes) and
 * what the bounds of a search keep from changing. `--recheck` holds two histories with one fingerprint side by side.
 */
import { assert } from '#conductor/core/assert';
import type { RaftState } from '#conductor/core/raft/state';
import type { HardState } from '#conductor/core/raft/types';
import { deedsText, type Deeds } from './deeds.ts';
import { lanes } from './input.ts';
import { idOf } from './message.ts';
import type { Durable, Outstanding, Server } from './server.ts';

/** What the answer to a request can still change. `over`: nothing. `old`: only news of a later term can. */
export type Standing = 'open' | 'old' | 'over';

/** Equal for servers that go on in the same way and are judged in the same way. */
export function fingerprint(server: Server, log: readonly string[], deeds: Deeds): string {
  const s = server.node.state;
  assert(s.outbox.isEmpty && !s.hardChanged && !s.log.hasChanges, 'a server at rest has nothing left to do');
  assert(s.suspectedFailure === null && s.recovery === null, 'a search has neither fast elections nor new stores');
  assert(s.log.lastIndex === log.length, 'at rest the log is what the disk holds');
  const waiting = [1, 2].flatMap((peer) =>
    lanes.map((lane) =>
      server
        .outstanding(peer, lane)
        .map((one) => waitingText(server, peer, one))
        .join(' '),
    ),
  );
  const indexes = `${s.commitIndex}/${s.appliedIndex}/${s.log.persistedIndex}`;
  const role = roleTexts(s, server.scope.tellsCommits);
  return [hardText(s.hard), log.join(' '), indexes, ...role, deedsText(deeds), ...waiting].join('|');
}

function roleTexts(s: Readonly<RaftState>, tellsCommits: boolean): string[] {
  const { round, leadership } = s;
  const texts: string[] = [`${s.role} ${s.leader?.id}`];
  if (round !== null) {
    const { kind, term, isTransfer, granted, answered } = round;
    texts.push(`${kind} ${term} ${isTransfer} ${setText(granted)} ${setText(answered)}`);
  }
  if (leadership !== null) {
    const peers = [...leadership.peers.values()].map((peer) => {
      const { id, match, next, mode, backtrack, inflightRequests, commitTold } = peer;
      const told = tellsCommits ? `${commitTold} ${peer.tellCommitAtMs < Infinity}` : '';
      return `${id} ${match} ${next} ${mode} ${backtrack} ${inflightRequests} ${peer.retryAtMs > s.nowMs} ${told}`;
    });
    texts.push(`from ${leadership.firstIndex}`, ...peers.toSorted());
  }
  return texts;
}

function hardText({ term, votedTerm, votedFor, recovering }: HardState): string {
  return `${term} ${votedTerm} ${votedFor?.id} ${recovering}`;
}

function setText(ids: ReadonlySet<string>): string {
  return [...ids].toSorted().join(',');
}

/** What decides what the answer to a request does. */
function waitingText(server: Server, peer: number, one: Outstanding): string {
  const standing = standingOf(server, one);
  const { request } = one;
  if (standing !== 'open' || request.kind !== 'append') return standing;
  const last = request.prevLogIndex + (request.entries?.length ?? 0);
  const isCurrent = server.node.state.leadership?.peers.get(idOf(peer))?.epoch === one.epoch;
  return isCurrent ? `${request.prevLogIndex}-${last}` : `late-${last}`;
}

export function standingOf({ node }: Server, { request, epoch }: Outstanding): Standing {
  const { round, leadership, term } = node.state;
  if (request.kind !== 'append') return round?.id === epoch ? 'open' : 'over';
  return leadership !== null && request.term === term ? 'open' : 'old';
}

/** Each entry of a log in words: its term, then its type or, for a command, its data. */
export function entryTexts({ entries }: Durable): string[] {
  return entries.map(({ term, type, data }) => {
    const content = type === 0 ? String.fromCharCode(...(data ?? [])) : type;
    return `${term}${type === 0 ? 'c' : '.'}${content}`;
  });
}
