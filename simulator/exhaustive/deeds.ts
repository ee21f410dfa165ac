/** What a server has shown to the world, in this life and earlier ones: never forgotten, to judge it by. */
import type { Input } from './input.ts';
import type { Messages } from './message.ts';
import type { Stage } from './server.ts';

export interface Deeds {
  /** Term → the peer that got its vote there; 0 is the server itself. */
  readonly votes: ReadonlyMap<number, number>;
  /** Terms that it led, in order. */
  readonly led: readonly number[];
}

/** Takes note of votes that leave a server which handles `input`; a message if one is a second one in its term, with "@" before peers. */
export function withVotes(deeds: Deeds, messages: Messages, input: Input, { sent, replies }: Stage): Deeds | string {
  const cast: { readonly term: number; readonly peer: number }[] = [];
  for (const { message } of sent) {
    const request = messages.get(message);
    if (request.kind === 'vote') cast.push({ term: request.term, peer: 0 });
  }
  for (const number of replies) {
    const response = messages.get(number);
    if (response.kind === 'vote' && 'granted' in response && response.granted && input.kind === 'request')
      cast.push({ term: response.term, peer: input.from });
  }
  if (cast.length === 0) return deeds;
  const votes = new Map(deeds.votes);
  for (const { term, peer } of cast) {
    const other = votes.get(term) ?? peer;
    if (other !== peer) return `votes for @${other} and for @${peer} in term ${term}`;
    votes.set(term, peer);
  }
  return { ...deeds, votes };
}

/** Takes note that a server leads. */
export function withLeadership(deeds: Deeds, term: number): Deeds {
  return deeds.led.includes(term) ? deeds : { ...deeds, led: [...deeds.led, term] };
}

/** The same of a server whose peers have each other's names. */
export function mirroredDeeds({ votes, led }: Deeds): Deeds {
  return { led, votes: new Map([...votes].map(([term, peer]) => [term, peer === 0 ? 0 : 3 - peer])) };
}

export function deedsText({ votes, led }: Deeds): string {
  return `${[...votes].map(([term, peer]) => `${term}:${peer}`).toSorted()} led ${led}`;
}
