/** The answer of conductor_clusterNodes: heights are numbers, hashes text, what is not known is null. */
import type { BlockRef } from '../node/calls.ts';
import type { ChainView } from '../node/chain-view.ts';
import { disputedBlocks, nodeVerdicts, wordsOf, type NodeView } from '../evidence/node-views.ts';
import { isForbidden } from '../evidence/proof.ts';
import { Suffrage } from '../raft/types.ts';
import type { Result } from './method.ts';
import type { ServiceHost } from './service-host.ts';

const blockSchema = {
  type: 'object',
  required: ['number', 'hash'],
  properties: { number: { type: 'integer' }, hash: { type: 'string' } },
} as const;
const orNull = (schema: object) => ({ oneOf: [schema, { type: 'null' }] });

export const clusterNodesResult: Result = {
  words: '{committed, nodes: [{id, …, node, client, safe, verdict}], disputed, givenUp}',
  schema: {
    type: 'object',
    required: ['committed', 'nodes', 'disputed', 'givenUp'],
    properties: {
      committed: orNull(blockSchema),
      nodes: {
        type: 'array',
        items: {
          type: 'object',
          required: [
            'id',
            'suffrage',
            'implementation',
            'ageMs',
            'node',
            'client',
            'safe',
            'verdict',
            'says',
            'refuses',
          ],
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
      disputed: {
        type: 'array',
        items: {
          ...blockSchema,
          properties: {
            ...blockSchema.properties,
            proved: { type: 'boolean' },
            forbidden: { type: 'boolean' },
            why: { type: 'string' },
          },
        },
      },
      givenUp: orNull(blockSchema),
    },
  },
};

export function clusterNodesOf(host: ServiceHost): Record<string, unknown> {
  const { chain, evidence, operatorWord, raft, view } = host;
  const nodes = host.nodeViews();
  const tip = chain.tip();
  const { givenUp } = operatorWord;
  // Known to the leader alone.
  const isLeader = raft.position().role === 'leader';
  const disputed = isLeader ? disputedBlocks(nodes, view, (block) => evidence.proofAgainst(block)) : [];
  return {
    committed: tip === null ? null : { ...blockAnswer(tip), validated: tip.isValidated },
    nodes: nodes.map((one) => nodeAnswer(one, view)),
    disputed: disputed.map(({ proof, ...block }) => ({
      ...blockAnswer(block),
      proved: proof.kind === 'proved',
      forbidden: isForbidden(proof),
      why: proof.kind === 'proved' ? `${proof.by}, by ${proof.voters.join(', ')}` : proof.why,
    })),
    givenUp: givenUp === null ? null : { ...blockAnswer(givenUp), done: givenUp.isDone },
  };
}

/** Of what it says of blocks only those count that are committed now. */
function nodeAnswer(view: NodeView, chain: Pick<ChainView, 'at'>): Record<string, unknown> {
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
    says: wordsOf(view, chain).map(({ kinds, ...block }) => ({ ...blockAnswer(block), kinds })),
    refuses: view.refuses === null ? null : { ...blockAnswer(view.refuses), again: view.refuses.isAgain },
  };
}

function blockAnswer({ number, hash }: BlockRef): { readonly number: number; readonly hash: string } {
  return { number: Number(number), hash };
}
