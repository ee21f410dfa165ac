/**
 * Transactions of one account, given to every op-geth of a net, so that blocks are full ones: pools do not gossip here,
 * and whoever leads must have them.
 */
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { TestAccount } from '../realnet/test-account.ts';

const PERIOD_MS = 500;
/** Recover mode, into which blocks that are invalid again and again bring a net, leaves transactions out for 30 s. */
const INCLUDED_MS_MAX = 60_000;

/** Sends a transfer every half second until it is disposed of. */
export class Transfers implements AsyncDisposable {
  readonly #nodes: readonly RealNode[];
  readonly #account = new TestAccount();
  #hasEnded = false;
  readonly #run: Promise<void>;

  constructor(nodes: readonly RealNode[]) {
    this.#nodes = nodes;
    this.#run = this.#send();
  }

  /** Resolves when a transaction that is sent from now on is in a block of some client. */
  async untilIncluded(timeoutMs = INCLUDED_MS_MAX): Promise<void> {
    const before = this.#account.nonce;
    await waitFor('a transaction in a block', timeoutMs, async () => ((await this.#included()) > before ? true : null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.#run;
  }

  async #send(): Promise<void> {
    this.#account.nonce = await this.#included();
    for (; !this.#hasEnded; await pause(PERIOD_MS)) {
      const signed = await this.#account.signed();
      // A client that is down, or has it already, takes it another time or not.
      await Promise.allSettled(this.#nodes.map((node) => node.callGeth('eth_sendRawTransaction', [signed])));
    }
  }

  /** Transactions of the account in the longest of the clients' chains. */
  async #included(): Promise<number> {
    const counts = this.#nodes.map((node) =>
      node.callGeth('eth_getTransactionCount', [this.#account.address, 'latest']).catch(() => 0),
    );
    return Math.max(...(await Promise.all(counts)).map(Number));
  }
}
