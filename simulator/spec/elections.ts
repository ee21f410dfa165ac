/** Terms, votes and leaders as steps of raft.tla. */
import { actions } from './steps.ts';
import type { Walker } from './walker.ts';

/** A process begins anew, or a leader steps down in its term: all but term, vote and log is gone. */
export function restart(w: Walker, at: number): void {
  w.step(actions.restart(at));
  Object.assign(w.server(at), { state: 'Follower', commitIndex: 0 });
  w.tidy();
}

/** A server votes, or hears of a later term. */
export function vote(w: Walker, at: number, term: number, votedFor: number | null): void {
  const server = w.server(at);
  if (votedFor === at && term > server.term) {
    if (term > server.term + 1) rise(w, at, term - 1);
    campaign(w, at);
    return;
  }
  if (term > server.term) rise(w, at, term);
  if (votedFor === null || votedFor === server.votedFor) return;
  w.receive({ kind: 'voteRequest', from: votedFor, to: at, term });
  w.shadow.messages.push({ kind: 'grant', from: at, to: votedFor, term });
  server.votedFor = votedFor;
}

/** One step up in the term; votes are asked of everybody, also where only some requests will ever arrive. */
function campaign(w: Walker, at: number): void {
  const server = w.server(at);
  w.step(actions.timeout(at));
  server.term++;
  server.state = 'Candidate';
  const { term } = server;
  for (const to of w.shadow.servers.keys()) {
    w.step(actions.requestVote(at, to));
    w.shadow.messages.push({ kind: 'voteRequest', from: at, to, term });
  }
  w.receive({ kind: 'voteRequest', from: at, to: at, term });
  w.shadow.messages.push({ kind: 'grant', from: at, to: at, term });
  w.receive({ kind: 'grant', from: at, to: at, term });
  server.votedFor = at;
  w.tidy();
}

/** Hears of a term from one of its candidates; the request stays on its way. */
function rise(w: Walker, at: number, term: number): void {
  const word = w.shadow.messages.find(
    (message) => message.kind === 'voteRequest' && message.to === at && message.term === term,
  );
  if (word === undefined) return;
  w.step(actions.receive(word));
  Object.assign(w.server(at), { term, state: 'Follower', votedFor: null });
  w.tidy();
}

/** A candidate of that term leads, if it does not yet; whether enough have voted for it is for raft.tla. */
export function leadIfElected(w: Walker, at: number, term: number): void {
  const server = w.server(at);
  if (server.state !== 'Candidate' || server.term !== term) return;
  w.step(actions.becomeLeader(at));
  server.state = 'Leader';
  server.nextIndex = server.nextIndex.map(() => server.log.length + 1);
  server.matchIndex = server.matchIndex.map(() => 0);
  server.arrived = server.arrived.map(() => []);
  w.tidy();
}
