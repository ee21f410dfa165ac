/**
 * What is on its way from one server to another: per lane a connection with requests one way and answers the other,
 * in order, and what was sent on connections that are gone, which may still arrive or never. Each different link has
 * a number. Messages are named by their numbers.
 */
import { assert } from '#conductor/core/assert';
import { lanes, type Lane } from './input.ts';

interface Connection {
  /** Answers on their way back, then requests on their way there. */
  readonly responses: readonly number[];
  readonly requests: readonly number[];
  /** Nobody is there any more: what waits will fail. */
  readonly isDead: boolean;
}

export interface Link {
  readonly vote: Connection;
  readonly replicate: Connection;
  /** Requests of former connections, in order within each. */
  readonly orphans: readonly (readonly number[])[];
}

const idle: Connection = { responses: [], requests: [], isDead: false };

/** Former connections to one server that may still deliver; older ones are forgotten. */
const ORPHANS_MAX = 2;
/** Different links, and different messages. */
const LINKS_MAX = 2 ** 24;
const WHAT_MAX = 2 ** 20;

export class Links {
  readonly #numbers = new Map<string, number>();
  readonly #links: Link[] = [];
  /** What came of a change to a link before. */
  readonly #changed = new Map<number, number>();
  /** Nothing on the way. */
  readonly idle: number;

  constructor() {
    this.idle = this.#number({ vote: idle, replicate: idle, orphans: [] });
  }

  get(number: number): Link {
    return this.#links[number]!;
  }

  /** A request goes out; on a connection to nobody it gets nowhere. */
  send(number: number, lane: Lane, message: number): number {
    return this.#change(number, lane, message + 3, (connection) => {
      if (connection.isDead) return connection;
      return { ...connection, requests: [...connection.requests, message] };
    });
  }

  /** The first request arrives; its answer, if one came, is on its way back. */
  deliver(number: number, lane: Lane, reply: number | null): number {
    return this.#change(number, lane, -2 - (reply ?? -1), ({ responses, requests, isDead }) => {
      const answers = reply === null ? responses : [...responses, reply];
      return { responses: answers, requests: requests.slice(1), isDead };
    });
  }

  /** The first answer arrives. */
  answer(number: number, lane: Lane): number {
    return this.#change(number, lane, 0, (connection) => ({
      ...connection,
      responses: connection.responses.slice(1),
    }));
  }

  /** A new connection is made; requests on the old one may still arrive. */
  break(number: number, lane: Lane): number {
    const link = this.get(number);
    const { requests } = link[lane];
    return this.#number({ ...link, [lane]: idle, orphans: this.#orphans(link, [requests]) });
  }

  /** The first request of a former connection arrives; nobody hears the answer. */
  deliverOrphan(number: number, which: number): number {
    const link = this.get(number);
    const orphans = link.orphans.map((queue, at) => (at === which ? queue.slice(1) : queue));
    return this.#number({ ...link, orphans: this.#orphans({ ...link, orphans }, []) });
  }

  /** Forgets what was sent on former connections and can change nothing any more. */
  dropOrphans(number: number, isSpent: (message: number) => boolean): number {
    const link = this.get(number);
    if (!link.orphans.some((queue) => queue.some(isSpent))) return number;
    const orphans = link.orphans.map((queue) => queue.filter((message) => !isSpent(message)));
    return this.#number({ ...link, orphans: this.#orphans({ ...link, orphans }, []) });
  }

  /** The server that sends dies: what it has sent may still arrive. */
  senderDied(number: number): number {
    const link = this.get(number);
    const left = lanes.map((lane) => link[lane].requests);
    return this.#number({ vote: idle, replicate: idle, orphans: this.#orphans(link, left) });
  }

  /** The server that receives dies: what it has answered may still arrive, everything else fails. `waits` says where. */
  receiverDied(number: number, waits: (lane: Lane) => boolean): number {
    const { vote, replicate } = this.get(number);
    const after = (connection: Connection, lane: Lane): Connection =>
      waits(lane) ? { responses: connection.responses, requests: [], isDead: true } : idle;
    return this.#number({ vote: after(vote, 'vote'), replicate: after(replicate, 'replicate'), orphans: [] });
  }

  #orphans({ orphans }: Link, added: readonly (readonly number[])[]): (readonly number[])[] {
    const all = [...orphans, ...added].filter((queue) => queue.length > 0).slice(-ORPHANS_MAX);
    return all.toSorted((left, right) => left.join().localeCompare(right.join()));
  }

  /** `what` names the change among those of a lane. */
  #change(number: number, lane: Lane, what: number, change: (connection: Connection) => Connection): number {
    const key = ((what + WHAT_MAX) * 2 + (lane === 'vote' ? 0 : 1)) * LINKS_MAX + number;
    let known = this.#changed.get(key);
    if (known === undefined) {
      const link = this.get(number);
      known = this.#number({ ...link, [lane]: change(link[lane]) });
      this.#changed.set(key, known);
    }
    return known;
  }

  #number(link: Link): number {
    const text = ({ responses, requests, isDead }: Connection): string => `${responses};${requests};${isDead ? 1 : 0}`;
    const key = `${text(link.vote)}|${text(link.replicate)}|${link.orphans.join('/')}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#links.push(link) - 1;
    assert(number < LINKS_MAX, 'links can be numbered');
    this.#numbers.set(key, number);
    return number;
  }
}
