/** The answer of conductor_clusterNodes: heights are numbers, hashes text, what is not known is null. */
import type { GivenUp } from '../evidence/operator-word.ts';
import type { BlockRef } from '../node/calls.ts';
import { nodeVerdicts, type DisputedBlock, type NodeView } from '../evidence/node-views.ts';
import type { ChainBlock } from '../payload/chain-block.ts';
import { Suffrage } from '../raft/types.ts';

export interface ClusterNodes {
  /** The newest committed block; null while none is held. */
  readonly tip: Pick<ChainBlock, 'number' | 'hash' | 'isValidated'> | null;
  readonly nodes: readonly NodeView[];
  /** Committed blocks that a voter's node speaks against, the lowest first; known to the leader alone. */
  readonly disputed: readonly DisputedBlock[];
  readonly givenUp: GivenUp | null;
}

const blockSchema = {
  type: 'object',
  required: ['number', 'hash'],
  properties: { number: { type: 'integer' }, hash: { type: 'string' } },
} as const;
const orNull = (schema: object) => ({ oneOf: [schema, { type: 'null' }] });

/** The same as a JSON schema. */
export const clusterNodesSchema = {
  type: 'object',
  required: ['committed', 'nodes', 'disputed', 'givenUp'],
  properties: {
    committed: orNull(blockSchema),
    nodes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'suffrage', 'implementation', 'ageMs', 'node', 'client', 'safe', 'verdict', 'says', 'refuses'],
        properties: {
          id: { type: 'string' },
          implementation: { enum: ['conductor', 'op-conductor', 'unknown'] },
          ageMs: { type: ['integer', 'null'] },
          node: orNull(blockSchema),
          client: orNull(blockSchema),
          verdict: { enum: [...nodeVerdicts] },
          refuses: orNull(blockSchema),
        },
      },
    },
    disputed: { type: 'array', items: blockSchema },
    givenUp: orNull(blockSchema),
  },
};

export function clusterNodesAnswer({ tip, nodes, disputed, givenUp }: ClusterNodes): Record<string, unknown> {
  return {
    committed: tip === null ? null : { ...blockAnswer(tip), validated: tip.isValidated },
    nodes: nodes.map(nodeAnswer),
    disputed: disputed.map(({ proof, ...block }) => ({
      ...blockAnswer(block),
      proved: proof.kind === 'proved',
      why: proof.kind === 'proved' ? `${proof.by}, by ${proof.voters.join(', ')}` : proof.why,
    })),
    givenUp: givenUp === null ? null : { ...blockAnswer(givenUp), done: givenUp.isDone },
  };
}

function nodeAnswer(view: NodeView): Record<string, unknown> {
  return {
    id: view.id,
    suffrage: view.isVoter ? Suffrage.voter : Suffrage.nonvoter,
    implementation: view.implementation,
    ageMs: view.ageMs === null ? null : Math.round(view.ageMs),
    healthy: view.isHealthy,
    node: view.nodeHead === null ? null : blockAnswer(view.nodeHead),
    client: view.clientHead === null ? null : blockAnswer(view.clientHead),
    safe: view.safeNumber === null ? null : Number(view.safeNumber),
    verdict: view.verdict,
    says: view.observations.map(({ kinds, ...block }) => ({ ...blockAnswer(block), kinds })),
    refuses: view.refuses === null ? null : { ...blockAnswer(view.refuses), again: view.refuses.isAgain },
  };
}

function blockAnswer({ number, hash }: BlockRef): { readonly number: number; readonly hash: string } {
  return { number: Number(number), hash };
}
