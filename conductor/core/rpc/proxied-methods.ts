/** The rows of the method table that the node and the execution client behind this conductor answer (proxy.ts). */
import { proxied, type MethodDefinition } from './method.ts';
import { outputShape, rollupConfigShape, syncStatusShape } from './rollup-shapes.ts';

export const proxiedMethods = [
  proxied(
    'eth_getBlockByNumber',
    [
      {
        name: 'number',
        type: 'block',
        doc: 'Height in hex, or earliest, latest, pending, safe, finalized',
        example: 'latest',
      },
      { name: 'fullTransactions', type: 'bool', doc: 'Whole transactions instead of their hashes', example: false },
    ],
    { target: 'execution', shape: { kind: 'map' }, errorData: 'forwarded' },
    ['block', 'A block of the execution client.'],
  ),
  proxied(
    'miner_setMaxDASize',
    [
      { name: 'maxTxSize', type: 'quantity', doc: 'Most bytes of one transaction, 0 for no limit', example: '0x0' },
      { name: 'maxBlockSize', type: 'quantity', doc: 'Most bytes of one block, 0 for no limit', example: '0x0' },
    ],
    { target: 'execution', shape: { kind: 'bool' }, errorData: 'forwarded', isForFollowers: true, isGuarded: true },
    ['bool', 'Limits the data that the execution client puts into blocks.'],
  ),
  proxied(
    'optimism_outputAtBlock',
    [{ name: 'number', type: 'string', doc: 'Height in hex', example: '0x1' }],
    { target: 'node', shape: outputShape, errorData: 'flattened', isHeightChecked: true },
    ['output', 'The output root at a height.'],
  ),
  proxied('optimism_syncStatus', [], { target: 'node', shape: syncStatusShape, errorData: 'flattened' }, [
    'sync status',
    'The heads of the node.',
  ]),
  proxied('optimism_rollupConfig', [], { target: 'node', shape: rollupConfigShape, errorData: 'flattened' }, [
    'rollup configuration',
    "The node's rollup configuration.",
  ]),
  proxied('admin_sequencerActive', [], { target: 'node', shape: { kind: 'bool' }, errorData: 'flattened' }, [
    'bool',
    'Whether the sequencer is started.',
  ]),
] as const satisfies readonly MethodDefinition[];
