/** What op-reth calls the chains that op-node and the conductor name by chain and superchain. */

/** The rule that the chart's template has, too. */
export function executionNetworkOf(network: string): string {
  return network === 'op-mainnet' ? network : network.replace(/-mainnet$/u, '');
}
