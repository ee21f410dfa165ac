/** The execution client: whether it answers, is in step with op-node, and has the peers that the flags demand. */
import { resultOf } from './asked.ts';
import { counted, findingsOf, flagLink, type Finding } from './finding.ts';
import { peersMethods, type Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('execution client');
/** Blocks by which its head may differ from op-node's: they are asked one after the other. */
const apartMax = 3;

export function checkExecution(subject: Subject): Finding[] {
  return [...checkClient(subject), ...checkPeers(subject)];
}

function checkClient({ execution, node }: Subject): Finding[] {
  if (execution.url === null) return [unseen('its URL is not known')];
  if (execution.why !== '')
    return [
      bad(`it does not answer: ${execution.why}`, 'Start it, or fix --execution.rpc.', flagLink('execution.rpc')),
    ];
  const findings: Finding[] = [];
  const syncing = resultOf(execution, 'eth_syncing');
  if (typeof syncing === 'object' && syncing !== null)
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
  return findings;
}

/** As the health check counts them. */
function checkPeers({ peers, config }: Subject): Finding[] {
  const demanded = config?.health.executionPeers ?? null;
  if (peers === null || demanded === null) return [];
  const method = peersMethods[demanded.api];
  const result = resultOf(peers, method);
  const count = Array.isArray(result) ? result.length : typeof result === 'string' ? Number(result) : NaN;
  if (!Number.isInteger(count)) {
    const answer = peers.answers.get(method);
    const said = answer === undefined || answer.kind === 'result' ? 'it tells no number' : answer.message;
    return [
      bad(
        `its peers cannot be counted by ${method}: ${peers.why === '' ? said : peers.why}`,
        `Every health check fails so. Offer the ${demanded.api} API there, or turn the check off.`,
        flagLink('healthcheck.execution-p2p-check-api'),
      ),
    ];
  }
  const says = `it has ${counted(count, 'peer')}, and ${demanded.minCount} are demanded`;
  if (count >= demanded.minCount) return [good(says)];
  const link = flagLink('healthcheck.execution-p2p-min-peer-count');
  return [bad(`${says}: the sequencer is unhealthy`, 'Connect it to more peers, or lower the flag.', link)];
}
