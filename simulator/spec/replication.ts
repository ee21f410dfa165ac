/** Entries, acknowledgements and commits as steps of raft.tla. */
import type { SpecEntry } from './facts.ts';
import type { Taking } from './plan.ts';
import type { Message, ShadowServer } from './shadow.ts';
import { actions } from './steps.ts';
import type { Walker } from './walker.ts';

/** A leader has an entry of its own. */
export function propose(w: Walker, at: number, entry: SpecEntry): void {
  w.step(actions.clientRequest(at, entry.value));
  w.server(at).log.push(entry);
}

/** A leader sends these entries of its log one by one. */
export function send(w: Walker, at: number, to: number, indexes: readonly number[]): void {
  const server = w.server(at);
  for (const index of indexes) {
    const known = Math.min(server.shown ?? 0, server.highest);
    if (known > server.commitIndex) {
      w.step(actions.remember(at, known));
      server.commitIndex = known;
    }
    if (server.nextIndex[to] !== index) w.step(actions.aim(at, to, index));
    server.nextIndex[to] = index;
    w.step(actions.appendEntries(at, to));
    const commitIndex = Math.min(server.commitIndex, index);
    w.shadow.messages.push({ kind: 'append', from: at, to, term: server.term, index, commitIndex });
  }
}

/** Takes entries one by one: what conflicts goes first, the last one from the end. */
export function take(w: Walker, at: number, from: number, { request, written, last }: Taking): void {
  const server = w.server(at);
  const taken = written.length === 0 ? [last] : written.map(({ index }) => index);
  for (const [number, index] of taken.entries()) {
    const wanted: Message = { kind: 'append', from, to: at, term: request.term, index };
    const message = w.shadow.find(wanted) ?? { ...wanted, commitIndex: 0 };
    // What it then does with the request it does as a follower.
    if (server.state === 'Candidate') w.step(actions.receive(message));
    server.state = 'Follower';
    const entry = written[number];
    if (entry !== undefined) {
      for (; server.log.length >= index; server.log.pop()) w.step(actions.receive(message));
      w.step(actions.receive(message));
      server.log.push({ term: entry.term, value: entry.value });
    }
    w.receive(message);
    server.commitIndex = message.commitIndex ?? 0;
    server.highest = Math.max(server.highest, server.commitIndex);
    w.shadow.messages.push({ kind: 'acknowledgement', from: at, to: from, term: request.term, index });
  }
}

/** Counts what has been acknowledged up to there, and moves the commit index. */
export function advance(w: Walker, at: number, commitIndex: number): void {
  const server = w.server(at);
  for (const [from, arrived] of server.arrived.entries()) {
    const counted = Math.max(0, ...arrived.filter((index) => index <= commitIndex));
    if (counted <= server.matchIndex[from]!) continue;
    w.receive({ kind: 'acknowledgement', from, to: at, term: server.term, index: counted });
    server.matchIndex[from] = counted;
    server.nextIndex[from] = counted + 1;
    server.arrived[from] = arrived.filter((index) => index > counted);
    for (const index of arrived) if (index < counted) drop(w, from, at, server, index);
  }
  w.step(actions.advanceTo(at, commitIndex));
  server.commitIndex = commitIndex;
  server.highest = Math.max(server.highest, commitIndex);
  server.shown = commitIndex;
}

function drop(w: Walker, from: number, to: number, { term }: ShadowServer, index: number): void {
  const message = w.shadow.find({ kind: 'acknowledgement', from, to, term, index });
  if (message === undefined) return;
  w.step(actions.drop(message));
  w.shadow.remove(message);
}
