/** The account 0 of the well-known test mnemonic, which the real net's genesis funds, and its transactions in order. */
import { privateKeyToAccount } from 'viem/accounts';
import { L2_CHAIN_ID } from './genesis.ts';

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const TRANSFER_GAS = 21_000n;
/** A byte of zero (EIP-7623). */
const GAS_PER_ZERO = 10n;
const FEE_WEI = 50_000_000_000n;
/** More than the least that a builder of op-geth takes. */
const TIP_WEI = 1_000_000_000n;

/** What a transaction costs whose data are so many zeros. */
export function gasOfZeros(bytes: number): bigint {
  return TRANSFER_GAS + GAS_PER_ZERO * BigInt(bytes);
}

export class TestAccount {
  readonly address = account.address;
  /** Of the next transaction. */
  nonce = 0;

  /** The next transaction, to itself; data of zeros alone, which cost no more gas than they must. */
  signed({ data = '0x' }: { readonly data?: `0x${string}` } = {}): Promise<string> {
    const gas = gasOfZeros((data.length - 2) / 2);
    const nonce = this.nonce;
    this.nonce += 1;
    return account.signTransaction({
      ...{ type: 'eip1559', chainId: L2_CHAIN_ID, nonce, to: account.address, value: 1n, gas, data },
      ...{ maxFeePerGas: FEE_WEI, maxPriorityFeePerGas: TIP_WEI },
    });
  }
}
