/**
 * Clients of all servers of a cluster, several at once: they commit blocks, ask what is committed, and write down every
 * call with what its answer told. A client whose call had no answer goes on under a new number: the old one is still
 * waiting.
 */
import type { Seeded } from '../../tests/cluster/seeded.ts';
import { pause } from '../../tests/cluster/wait.ts';
import type { HistoryCluster } from './cluster.ts';
import type { CallTimes, CommitOutcome, History, SeenBlock } from './history.ts';
import type { Offer, Offers } from './offers.ts';
import type { Answer, Server } from './server.ts';

/** A client gives up on an answer after this long. */
const ANSWER_MS_MAX = 1500;
const PAUSE_MS_MIN = 2;
const PAUSE_MS_MAX = 20;
/** Of 100 calls, how many only ask, and how many go to any server rather than to the one that took a block last. */
const READ_PERCENT = 12;
const ANYWHERE_PERCENT = 15;
/** Why a block fits nowhere; the committed block that such a refusal names is the head. */
const MISFIT_REASONS = ['parent-mismatch', 'below-chain', 'gap'];

export class Clients {
  readonly #cluster: HistoryCluster;
  readonly #offers: Offers;
  readonly #history: History;
  readonly #random: Seeded;
  #numbers = 0;
  #isOver = false;
  #taker: Server;

  constructor(cluster: HistoryCluster, offers: Offers, history: History, random: Seeded) {
    this.#cluster = cluster;
    this.#offers = offers;
    this.#history = history;
    this.#random = random;
    this.#taker = cluster.servers[0] as Server;
  }

  /** `count` of them call until `stop`; resolves when the last call of each has ended. */
  async run(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#live()));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Offers one block to a server and writes that down; returns the outcome, null when nothing was sent. */
  async commit(client: number, server: Server, offer: Offer): Promise<CommitOutcome | null> {
    const { number, hash, parent } = offer;
    const called = Bun.nanoseconds();
    const answer = await server.call('conductor_commitUnsafePayload', [offer.payload], ANSWER_MS_MAX);
    if (answer.kind === 'not-sent') return null;
    const outcome = outcomeOf(answer);
    const answered = answer.kind === 'silent' ? null : Bun.nanoseconds();
    const times: CallTimes = { client, server: server.id, called, answered };
    this.#history.add({ ...times, kind: 'commit', number, hash, parent, outcome });
    if (outcome === 'ok') this.#learned({ number, hash }, server);
    if (outcome === 'refused') this.#readRefusal(times, answer);
    return outcome;
  }

  /** Asks a server for the newest block that it knows to be committed; null without an answer, or where it knows of none. */
  async askCommitted(client: number, server: Server, kind: 'holds' | 'head'): Promise<SeenBlock | null> {
    const called = Bun.nanoseconds();
    const answer = await server.call('conductor_clusterNodes', [], ANSWER_MS_MAX);
    if (answer.kind !== 'result') return null;
    const { committed } = answer.result as { committed: SeenBlock | null };
    if (committed === null) return null;
    const { number, hash } = committed;
    this.#history.add({ client, server: server.id, called, answered: Bun.nanoseconds(), kind, number, hash });
    return { number, hash };
  }

  async #live(): Promise<void> {
    let client = this.#numbers++;
    while (!this.#isOver) {
      const isAnywhere = this.#random.between(0, 100) < ANYWHERE_PERCENT;
      const server = isAnywhere ? this.#random.pick(this.#cluster.servers) : this.#taker;
      if (this.#random.between(0, 100) < READ_PERCENT) await this.askCommitted(client, server, 'holds');
      else {
        const outcome = await this.commit(client, server, this.#offers.any());
        if (outcome === 'unknown') client = this.#numbers++;
        if (outcome !== 'ok' && server === this.#taker) this.#taker = this.#random.pick(this.#cluster.servers);
      }
      await pause(this.#random.between(PAUSE_MS_MIN, PAUSE_MS_MAX));
    }
  }

  /** What a refusal says of the committed chain is an answer like any other. */
  #readRefusal(times: CallTimes, answer: Answer): void {
    const { reason, committed } = (answer.kind === 'error' ? answer.data : {}) as {
      reason?: string;
      committed?: { number: string; hash: string };
    };
    if (committed === undefined) return;
    const block = { number: Number(committed.number), hash: committed.hash };
    const isHead = MISFIT_REASONS.includes(reason ?? '');
    this.#history.add({ ...times, ...block, kind: isHead ? 'head' : 'holds' });
    this.#learned(block, null);
  }

  #learned(block: SeenBlock, taker: Server | null): void {
    this.#offers.learned(block.hash);
    if (taker !== null) this.#taker = taker;
    const { stub } = this.#cluster;
    if (block.number > stub.head.number) stub.head = { number: block.number, hash: block.hash };
  }
}

/** What the caller may conclude: an error that does not say that nothing was appended leaves it open. */
function outcomeOf(answer: Answer): CommitOutcome {
  if (answer.kind === 'result') return 'ok';
  const data = answer.kind === 'error' ? (answer.data as { outcome?: string } | undefined) : undefined;
  return data?.outcome === 'refused' ? 'refused' : 'unknown';
}
