/**
 * Whether nodes and log agree on the newest committed block: what the conductor knows of its own node and its leader's
 * and, where it leads, of all.
 */
import { documentationAddress } from '#conductor/cli/documentation';
import {
  isAgainst,
  readClusterNodes,
  type Block,
  type Disputed,
  type NodeStanding,
  type NodeVerdict,
} from '../cluster-nodes.ts';
import { named, whyAllBelow } from '../disputes.ts';
import { resultOf } from './asked.ts';
import { counted, findingsOf, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad } = findingsOf('nodes and log');
const page = `${documentationAddress}/conductor/nodes-and-log`;
/** Blocks by which a client may be behind. */
const behindMax = 8;

/** What to do about a node that is against the newest committed block. */
const advice: Readonly<Partial<Record<NodeVerdict, string>>> = {
  invalid:
    'Its client refuses the block: where others have it, compare version and configuration of this client with theirs, then restart it; where all refuse it, nothing.',
  notTaken: 'Its client took nothing of what it was given: where others have the block, restart this client.',
  left: 'Its op-node left the block, as when its L1 origin is gone: compare the L1 endpoints of the servers.',
  l1: 'Its safe chain has another block there: compare the L1 endpoints of the servers, and see that all are synced.',
};

/** Says nothing where the conductor does not tell, as op-conductor. */
export function checkStanding({ conductor }: Subject): Finding[] {
  const nodes = readClusterNodes(resultOf(conductor, 'conductor_clusterNodes'));
  if (nodes === null || nodes.committed === null) return [];
  const { committed, disputed } = nodes;
  const findings = disputed.map(lookAtDisputed);
  const below = whyAllBelow(nodes);
  if (below !== null) findings.push(bad(below, 'See why the nodes went back before anything is started.', page));
  const known = nodes.nodes.filter(({ ageMs }) => ageMs !== null);
  findings.push(...known.flatMap((standing) => lookAt(standing, committed)));
  if (findings.length > 0) return findings;
  return [good(`nothing speaks against ${named(committed)}, by the word of ${counted(known.length, 'node')}`)];
}

function lookAtDisputed(block: Disputed): Finding {
  if (block.isProved)
    return warning(`${named(block)} is given up by the leader: ${block.why}`, 'Nothing: it goes on by itself.', page);
  if (block.isForbidden) return bad(block.why, 'Decide: conductor repair gives it up, whoever has it.', page);
  return bad(
    `not all nodes take a committed block: ${block.why}`,
    'conductor repair --dry-run shows who stands where, and what can be done.',
    page,
  );
}

function lookAt({ id, verdict, node, client }: NodeStanding, committed: Block): Finding[] {
  if (isAgainst(verdict))
    return [bad(`the node of ${id} is against ${named(committed)}: ${verdict}`, advice[verdict] ?? '', page)];
  const behind = client === null ? 0 : committed.number - client.number;
  if (client === null || behind <= behindMax) return [];
  const isLost = node !== null && node.number > client.number;
  const below = isLost ? `, below its op-node at ${node.number}` : '';
  return [
    warning(
      `the execution client of ${id} is ${behind} blocks behind what is committed, at ${client.number}${below}`,
      isLost
        ? 'It has lost its newest blocks and is being brought back; if it does not move, restart it.'
        : 'Wait until it has caught up; if it does not move, look at its log and its peers.',
      page,
    ),
  ];
}
