/**
 * Answers that are none: op-node and its client say that they cannot say, rollup-boost that it is down, or nothing, and an
 * op-node whose process is stopped nothing until it goes on; and one that is just good enough. Nor is an order carried out
 * that is answered with an error.
 */
import { CLIENT_READS, ENGINE_CALLS, methodsOf, NODE_ORDERS, NODE_READS } from './erring-methods.ts';
import { during, kind, type Kind } from './fault.ts';

export const answerFaults = {
  nodeErrors: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} answers reads with errors: those of the bits of {n}',
    erring('nodeErrors', NODE_READS),
  ),
  clientErrors: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} answers reads with errors: those of the bits of {n}',
    erring('clientErrors', CLIENT_READS),
  ),
  refusedOrders: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} answers orders with errors, and carries none of them out: those of the bits of {n}',
    erring('refusedOrders', NODE_ORDERS),
  ),
  engineErrors: kind(
    'sequencer',
    'machine',
    true,
    'the execution client of {at} answers its conductor’s calls of the engine API with errors: those of the bits of {n}',
    erring('engineErrors', ENGINE_CALLS),
  ),
  boostDown: kind(
    'sequencer',
    'machine',
    true,
    'rollup-boost of {at} says that its builder and its client are down',
    during(({ node }, by) => {
      node.faults.boostDown += by;
    }),
  ),
  boostHangs: kind(
    'sequencer',
    'machine',
    true,
    'rollup-boost of {at} does not answer how it is',
    during(({ node }, by) => {
      node.faults.boostHangs += by;
    }),
  ),
  onePeer: kind(
    'none',
    'nobody',
    true,
    'one node is connected to op-node {at}, and one to its client, which is as many as they need',
    during(({ node }, by) => {
      node.faults.onePeer += by;
    }),
  ),
  nodeFrozen: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} is frozen, and does what it was told when it goes on',
    during(({ node }, by) => node.freeze(by)),
  ),
} as const satisfies Readonly<Record<string, Kind>>;

/** Those of `groups` that the bits of the number name are answered with errors for as long as it lasts. */
function erring(
  trouble: 'nodeErrors' | 'clientErrors' | 'refusedOrders' | 'engineErrors',
  groups: Parameters<typeof methodsOf>[0],
): Kind['act'] {
  return (world, { at, amount }) => {
    const { node } = world.machine(at);
    const methods = methodsOf(groups, amount);
    const change = (by: 1 | -1): void => {
      node.faults[trouble] += by;
      node.erring.change(methods, by);
    };
    change(1);
    return () => change(-1);
  };
}
