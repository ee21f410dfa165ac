/** op-node: whether it is one that a conductor can be in charge of, is set up so, and is well. */
import { documentationAddress } from '#conductor/cli/documentation';
import { printable } from '../printable.ts';
import type { Answer } from '../rpc-endpoint.ts';
import { resultOf, type Asked } from './asked.ts';
import { counted, findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';
import type { Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('op-node');

export function checkNode(subject: Subject, nowMs: number): Finding[] {
  const { node, nodeEnvironment } = subject;
  const fromFile = nodeEnvironment === null ? [] : checkEnvironment(nodeEnvironment, subject);
  if (node.url === null) return [...fromFile, unseen('its URL is not known')];
  if (node.why !== '')
    return [...fromFile, bad(`it does not answer: ${node.why}`, 'Start it, or fix --node.rpc.', flagLink('node.rpc'))];
  const hidden =
    nodeEnvironment === null
      ? [
          unseen(
            'whether its admin state is empty cannot be asked by RPC',
            'OP_NODE_RPC_ADMIN_STATE must be empty or unset; name its environment with --node-env-file to have that checked.',
            sectionLink('setup'),
          ),
        ]
      : [];
  return [
    checkConductorEnabled(node),
    ...checkKind(node),
    checkSequencer(subject),
    checkHead(subject, nowMs),
    checkPeers(subject),
    ...checkChain(subject),
    ...fromFile,
    ...hidden,
  ];
}

function checkConductorEnabled(node: Asked): Finding {
  const answer = node.answers.get('admin_conductorEnabled');
  const advice =
    'Start it with --conductor.enabled (OP_NODE_CONDUCTOR_ENABLED=true), else it does not wait for commits.';
  if (answer?.kind === 'result')
    return answer.result === true
      ? good('it has its conductor enabled')
      : bad('it has no conductor enabled', advice, sectionLink('setup'));
  return adminSilence('admin_conductorEnabled', answer);
}

/** op-node alone tells of a pending safe head; kona-node and base-consensus tell all else (kona protocol/src/sync.rs). */
function checkKind(node: Asked): Finding[] {
  const status = (resultOf(node, 'optimism_syncStatus') ?? {}) as Record<string, unknown>;
  const isKona = ['cross_unsafe_l2', 'local_safe_l2'].some((name) => name in status) && !('pending_safe_l2' in status);
  if (!isKona) return [];
  return [
    warning(
      'it is no op-node: it may be kona-node or base-consensus, of which only versions that commit a block before they insert and publish it may be used',
      'Use op-node, or read first what is said of such nodes.',
      `${documentationAddress}/conductor/nodes-and-clients`,
    ),
  ];
}

function adminSilence(method: string, answer: Answer | undefined): Finding {
  const isUnknown = answer?.kind === 'unknown';
  return bad(
    `it does not answer ${method}: ${answer === undefined || answer.kind === 'result' ? 'no answer' : answer.message}`,
    isUnknown
      ? 'Start it with --rpc.enable-admin (OP_NODE_RPC_ENABLE_ADMIN=true), so that its sequencer can be steered.'
      : 'Look at its log.',
    sectionLink('setup'),
  );
}

/** One server does not tell whether another builds: what may be started or must be stopped only all of them do. */
const askAll = 'conductor status asks all servers, and says whether it may be resumed or what has to stop first.';

/** Only the leader's sequencer may be active. */
function checkSequencer({ node, conductor }: Subject): Finding {
  const answer = node.answers.get('admin_sequencerActive');
  if (answer?.kind !== 'result') return adminSilence('admin_sequencerActive', answer);
  const isActive = answer.result === true;
  const leads = resultOf(conductor, 'conductor_leader');
  const isPaused = resultOf(conductor, 'conductor_paused') === true;
  if (typeof leads !== 'boolean') return good(`its sequencer is ${isActive ? 'active' : 'stopped'}`);
  const { id: leader } = (resultOf(conductor, 'conductor_leaderWithID') ?? {}) as { id?: unknown };
  if (isActive && !leads && typeof leader === 'string' && leader !== '')
    return bad(
      `its sequencer is active, and this conductor follows ${printable(leader)}: it is the op-node of ${printable(leader)}, or makes blocks that nobody commits`,
      `Is --node.rpc the op-node beside this conductor? If it is, ${isPaused ? askAll : 'the conductor should have stopped it: look at its log. An op-node with an admin state starts its sequencer by itself.'}`,
      flagLink('node.rpc'),
    );
  if (isActive && !leads)
    return bad(
      `its sequencer is active, and this conductor does not lead: blocks are made that nobody commits${isPaused ? ' (it is paused, so it does not stop it)' : ''}`,
      isPaused
        ? askAll
        : 'Look at the log of the conductor: it should have stopped it. An op-node with an admin state starts its sequencer by itself.',
      sectionLink('setup'),
    );
  if (!isActive && leads)
    return (isPaused ? warning : bad)(
      `this conductor leads, and its sequencer is stopped${isPaused ? '; the conductor is paused' : ''}`,
      isPaused ? askAll : 'Look at the log of the conductor for why it does not start it.',
    );
  return good(
    `its sequencer is ${isActive ? 'active, and this conductor leads' : 'stopped, and this conductor does not lead'}`,
  );
}

function checkHead({ node }: Subject, nowMs: number): Finding {
  const status = (resultOf(node, 'optimism_syncStatus') ?? {}) as {
    unsafe_l2?: { number?: unknown; timestamp?: unknown };
  };
  const { number, timestamp } = status.unsafe_l2 ?? {};
  if (typeof number !== 'number' || typeof timestamp !== 'number')
    return bad(
      'optimism_syncStatus tells no unsafe head',
      'Is --node.rpc the URL of an op-node?',
      flagLink('node.rpc'),
    );
  const age = Math.max(0, Math.round(nowMs / 1000 - timestamp));
  const says = `its unsafe head is block ${number}, ${age} s old`;
  // Whether that is too old the health check says.
  return good(says);
}

function checkPeers({ node, config }: Subject): Finding {
  const { connected } = (resultOf(node, 'opp2p_peerStats') ?? {}) as { connected?: unknown };
  const link = flagLink('healthcheck.min-peer-count');
  if (typeof connected !== 'number')
    return bad(
      'opp2p_peerStats tells no number of peers, so every health check fails',
      'Is its p2p stack off (--p2p.disable)?',
      link,
    );
  const least = config?.health?.minPeerCount ?? null;
  if (least === null) return good(`it has ${counted(connected, 'peer')}`);
  const says = `it has ${counted(connected, 'peer')}, and --healthcheck.min-peer-count is ${least}`;
  if (connected < least)
    return bad(
      `${says}: it is unhealthy`,
      'Connect it to more peers, or lower the flag to what is there on a bad day.',
      link,
    );
  if (connected === least) return warning(`${says}: one peer less makes it unhealthy`, 'Leave some room.', link);
  return good(says);
}

/** The chain that the flags mean, and the one that op-node is on. */
function* checkChain({ node, execution, blockSeconds }: Subject): Generator<Finding> {
  const rollup = (resultOf(node, 'optimism_rollupConfig') ?? {}) as { block_time?: unknown; l2_chain_id?: unknown };
  if (blockSeconds !== null && typeof rollup.block_time === 'number' && rollup.block_time !== blockSeconds)
    yield bad(
      `its blocks come every ${rollup.block_time} s, those of --network or --rollup.config every ${blockSeconds} s: they are different chains`,
      'Name the chain of this op-node.',
      flagLink('rollup.config'),
    );
  const chainId = resultOf(execution, 'eth_chainId');
  const isKnown = typeof chainId === 'string' && /^0x[0-9a-f]+$/i.test(chainId) && rollup.l2_chain_id !== undefined;
  if (isKnown && BigInt(chainId) !== BigInt(rollup.l2_chain_id as number))
    yield bad(
      `it is on chain ${String(rollup.l2_chain_id)}, and the execution client on ${BigInt(chainId)}`,
      'Fix --node.rpc or --execution.rpc.',
      flagLink('execution.rpc'),
    );
}

/** Settings that cannot be asked for, as op-node's own environment has them. */
function checkEnvironment(environment: Readonly<Record<string, string>>, { conductor }: Subject): Finding[] {
  const link = sectionLink('setup');
  const isTrue = (name: string): boolean => /^(1|t|true)$/i.test(environment[name] ?? '');
  const findings: Finding[] = [];
  const state = environment['OP_NODE_RPC_ADMIN_STATE'] ?? '';
  if (state !== '')
    findings.push(
      bad(
        `OP_NODE_RPC_ADMIN_STATE is ${state}: op-node would remember by itself whether it was sequencing`,
        'Empty it.',
        link,
      ),
    );
  for (const name of ['OP_NODE_SEQUENCER_ENABLED', 'OP_NODE_CONDUCTOR_ENABLED', 'OP_NODE_RPC_ENABLE_ADMIN'])
    if (!isTrue(name)) findings.push(bad(`${name} is not true in the environment of op-node`, 'Set it.', link));
  const address = environment['OP_NODE_CONDUCTOR_RPC'] ?? '';
  if (!URL.canParse(address))
    findings.push(
      bad(
        'OP_NODE_CONDUCTOR_RPC is no URL, so op-node cannot reach its conductor',
        'Set it to the RPC of this conductor.',
        link,
      ),
    );
  else if (conductor.url !== null && portOf(address) !== portOf(conductor.url))
    findings.push(
      bad(
        `OP_NODE_CONDUCTOR_RPC has port ${portOf(address)}, and this conductor listens on ${portOf(conductor.url)}`,
        'Set it to the RPC of this conductor.',
        link,
      ),
    );
  return findings.length > 0
    ? findings
    : [good('its environment is as a conductor needs it: no admin state, conductor and admin methods enabled')];
}

function portOf(address: string): string {
  const { port, protocol } = new URL(address);
  return port || (protocol === 'https:' ? '443' : '80');
}
