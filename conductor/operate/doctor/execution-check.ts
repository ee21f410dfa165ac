/** The execution client: whether it answers, and is in step with op-node. */
import { areStagesLevel, readSyncing } from '#conductor/core/node/engine-calls';
import { withOwnHash } from '#conductor/core/payload/header-hash';
import { printable } from '../printable.ts';
import { resultOf, type Asked } from './asked.ts';
import { findingsOf, flagLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('execution client');
/** Blocks by which its head may differ from op-node's: they are asked one after the other. */
const apartMax = 3;

export function checkExecution({ execution, node }: Subject): Finding[] {
  if (execution.url === null) return [unseen('its URL is not known')];
  if (execution.why !== '')
    return [
      bad(`it does not answer: ${execution.why}`, 'Start it, or fix --execution.rpc.', flagLink('execution.rpc')),
    ];
  const findings: Finding[] = [];
  if (isSyncing(execution))
    findings.push(warning('it is syncing, so this sequencer cannot take over', 'Wait until it is done.'));
  const head = (resultOf(execution, 'eth_getBlockByNumber') ?? null) as { number?: unknown } | null;
  const { number } =
    ((resultOf(node, 'optimism_syncStatus') ?? {}) as { unsafe_l2?: { number?: unknown } }).unsafe_l2 ?? {};
  if (typeof head?.number !== 'string' || !/^0x[0-9a-f]+$/i.test(head.number))
    findings.push(
      bad('it tells no latest block', 'Is --execution.rpc the URL of an execution client?', flagLink('execution.rpc')),
    );
  else if (typeof number === 'number' && Math.abs(Number(head.number) - number) > apartMax)
    findings.push(
      bad(
        `its head is block ${Number(head.number)}, and that of op-node is ${number}: they do not belong together, or it is stuck`,
        'Look whether op-node uses this client.',
        flagLink('execution.rpc'),
      ),
    );
  else findings.push(good(`its head is block ${Number(head.number)}`));
  return [...findings, ...checkHash(head)];
}

/** The conductor goes by what a header hashes to. A client that leaves out a field of a fork is never on the committed chain. */
function checkHash(head: object | null): Finding[] {
  const { number, hash: told } = (head ?? {}) as { number?: unknown; hash?: unknown };
  if (typeof told !== 'string') return [];
  const { hash } = withOwnHash(head) as { hash: string | null };
  if (hash === told.toLowerCase()) return [];
  const computed = hash === null ? 'cannot be hashed' : `hashes to ${hash}`;
  return [
    bad(
      `it tells block ${Number(number)} as ${printable(told)}, and the header that it tells ${computed}: each of its heads would count as another branch`,
      'It leaves out a field of the header, as op-erigon does with requestsHash after Isthmus: take another client, or a version that tells all fields.',
      flagLink('execution.rpc'),
    ),
  ];
}

/**
 * op-reth says that it syncs from its start until its head moves, and its stages are then where its head is. Whether that
 * head is too low is found by op-node's.
 */
function isSyncing(execution: Asked): boolean {
  const answer = { kind: 'result', value: resultOf(execution, 'eth_syncing') } as const;
  return readSyncing(answer) === true && areStagesLevel(answer) !== true;
}
