/** Steps as TLA+: each is a disjunct of the published Next, a comparison or a liberty of raftTrace.tla. */
import type { SpecEntry } from './facts.ts';
import type { Message } from './shadow.ts';

export interface Step {
  /** An action of TLA+. */
  readonly action: string;
  /** The number of the fact it was made of. */
  readonly fact: number;
}

/** The name of a server: a model value. */
export function nameOf(server: number): string {
  return `n${server}`;
}

/** The messages of that name that are on their way. */
function messagesOf({ kind, from, to, term, index, commitIndex }: Message): string {
  const route = `${nameOf(from)}, ${nameOf(to)}, ${term}`;
  switch (kind) {
    case 'voteRequest':
      return `VoteRequests(${route})`;
    case 'grant':
      return `Grants(${route})`;
    case 'append':
      return `Appends(${route}, ${index}, ${commitIndex})`;
    case 'acknowledgement':
      return `Acknowledgements(${route}, ${index})`;
  }
}

const comparison = {
  wrote: (i: number, term: number, votedFor: number | null) =>
    `Wrote(${nameOf(i)}, ${term}, ${votedFor === null ? 'Nil' : nameOf(votedFor)})`,
  holds: (i: number, lastIndex: number, { term, value }: SpecEntry) =>
    `Holds(${nameOf(i)}, ${lastIndex}, ${term}, "${value}")`,
  knows: (i: number, commitIndex: number) => `Knows(${nameOf(i)}, ${commitIndex})`,
  leads: (i: number, term: number) => `Leads(${nameOf(i)}, ${term})`,
} as const;

export const actions = {
  restart: (i: number) => `Restart(${nameOf(i)})`,
  timeout: (i: number) => `Timeout(${nameOf(i)})`,
  requestVote: (i: number, j: number) => `RequestVote(${nameOf(i)}, ${nameOf(j)})`,
  becomeLeader: (i: number) => `BecomeLeader(${nameOf(i)})`,
  clientRequest: (i: number, value: string) => `ClientRequest(${nameOf(i)}, "${value}")`,
  appendEntries: (i: number, j: number) => `AppendEntries(${nameOf(i)}, ${nameOf(j)})`,
  receive: (message: Message) => `ReceiveOne(${messagesOf(message)})`,
  drop: (message: Message) => `DropOne(${messagesOf(message)})`,
  advanceTo: (i: number, commitIndex: number) => `AdvanceTo(${nameOf(i)}, ${commitIndex})`,
  aim: (i: number, j: number, index: number) => `Aim(${nameOf(i)}, ${nameOf(j)}, ${index})`,
  remember: (i: number, commitIndex: number) => `Remember(${nameOf(i)}, ${commitIndex})`,
  ...comparison,
} as const;
