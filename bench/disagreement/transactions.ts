/**
 * Transactions of one account, given to every op-geth of a net, so that blocks are full ones: pools do not gossip here,
 * and whoever leads must have them.
 */
import { privateKeyToAccount } from 'viem/accounts';
import { pause, waitFor } from '../../tests/cluster/wait.ts';
import { L2_CHAIN_ID } from '../realnet/genesis.ts';
import type { RealNode } from '../realnet/real-node.ts';

/** Account 0 of the well-known test mnemonic, which the genesis funds. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const TRANSFER_GAS = 21_000n;
const FEE_WEI = 50_000_000_000n;
/** More than the least that a builder of op-geth takes. */
const TIP_WEI = 1_000_000_000n;
const PERIOD_MS = 500;
const INCLUDED_MS_MAX = 20_000;

/** Sends a transfer every half second until it is disposed of. */
export class Transfers implements AsyncDisposable {
  readonly #nodes: readonly RealNode[];
  #nonce = 0;
  #hasEnded = false;
  readonly #run: Promise<void>;

  constructor(nodes: readonly RealNode[]) {
    this.#nodes = nodes;
    this.#run = this.#send();
  }

  /** Resolves when a transaction that is sent from now on is in a block of some client. */
  async untilIncluded(timeoutMs = INCLUDED_MS_MAX): Promise<void> {
    const before = this.#nonce;
    await waitFor('a transaction in a block', timeoutMs, async () => ((await this.#included()) > before ? true : null));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hasEnded = true;
    await this.#run;
  }

  async #send(): Promise<void> {
    this.#nonce = await this.#included();
    for (; !this.#hasEnded; await pause(PERIOD_MS)) {
      const signed = await signed1559(this.#nonce);
      // A client that is down, or has it already, takes it another time or not.
      await Promise.allSettled(this.#nodes.map((node) => node.callGeth('eth_sendRawTransaction', [signed])));
      this.#nonce += 1;
    }
  }

  /** Transactions of the account in the longest of the clients' chains. */
  async #included(): Promise<number> {
    const counts = this.#nodes.map((node) =>
      node.callGeth('eth_getTransactionCount', [account.address, 'latest']).catch(() => 0),
    );
    return Math.max(...(await Promise.all(counts)).map(Number));
  }
}

function signed1559(nonce: number): Promise<string> {
  return account.signTransaction({
    ...{ type: 'eip1559', chainId: L2_CHAIN_ID, nonce, to: account.address, value: 1n, gas: TRANSFER_GAS },
    ...{ maxFeePerGas: FEE_WEI, maxPriorityFeePerGas: TIP_WEI },
  });
}
