/**
 * The engine API of the execution client and the L1 client, where the flags name them: asked as the conductor asks
 * them. Says nothing of what is not configured.
 */
import { EngineClient, isHostRefused } from '#conductor/adapters/engine/engine-client';
import { postCall } from '#conductor/adapters/sequencer/json-rpc-post';
import { executeRequest } from '#conductor/adapters/sequencer/sequencer';
import { question, readHeader, type CallResult } from '#conductor/core/node/calls';
import { executesOwnBlocks, l1Block, readAlive } from '#conductor/core/node/engine-calls';
import { messageOf } from '#conductor/core/errors';
import type { EngineConfig } from '#conductor/host/settings/engine-config';
import { printable } from '../printable.ts';
import { resultOf } from './asked.ts';
import { findingsOf, flagLink, type Finding } from './finding.ts';
import { membershipOf, type Subject } from './subject.ts';

const { good, warning, bad } = findingsOf('execution client');
const answerMsMax = 5000;
/** Longest name of a client that is shown, in characters. */
const versionLengthMax = 100;

/** Never rejects. */
export async function checkEngine(subject: Subject): Promise<Finding[]> {
  const { config, execution } = subject;
  const { engine = null, l1Url = '' } = config ?? {};
  const [api, l1] = await Promise.all([
    engine === null ? [] : checkApi(engine, resultOf(execution, 'eth_chainId')),
    l1Url === '' ? [] : checkL1(l1Url),
  ]);
  return [...api, ...checkOwnBlocks(subject), ...l1];
}

async function checkApi(engine: EngineConfig, chainId: unknown): Promise<Finding[]> {
  const warnings: Finding[] = [];
  const logger = { log: (_level: string, message: string) => void warnings.push(warning(message)) };
  const metrics = { count: () => undefined, gauge: () => undefined, observe: () => undefined };
  let client: EngineClient;
  try {
    client = new EngineClient({ ...engine, logger, metrics, unixMs: Date.now, now: () => performance.now() });
  } catch (error) {
    return [bad(messageOf(error), 'Give it the file that op-node has as --l2.jwt-secret.', secretLink)];
  }
  // What it logs later is told below.
  const atStart = warnings.slice();
  const [answer, between] = await Promise.all([client.execute(chainIdQuestion), whatIsBetween(engine.url)]);
  return [...atStart, between ?? judgeApi(answer, chainId)];
}

const chainIdQuestion = question('engine', 'eth_chainId', answerMsMax);

/** rollup-boost answers at /livez, and takes requests without a token, which no client's own port does; null for neither. */
async function whatIsBetween(url: string): Promise<Finding | null> {
  const probe = question('rollupBoost', 'livez', answerMsMax);
  const [livez, open] = await Promise.all([
    postCall(new URL('/livez', url).href, probe),
    postCall(url, chainIdQuestion),
  ]);
  const isBoost = livez.kind === 'result' && (livez.value as { readonly status?: unknown }).status === 200;
  if (!isBoost && open.kind !== 'result') return null;
  const seen = isBoost
    ? 'answers at /livez, as rollup-boost does'
    : 'takes requests without a token, as rollup-boost does';
  return bad(
    `--execution.engine-rpc ${seen}: it is not the client's own engine API, and each block that is asked about may cost a builder's block or rollup-boost's health`,
    "Name the client's own port (authrpc), the one that rollup-boost has as --l2-url.",
    urlLink,
  );
}

const secretLink = flagLink('execution.jwt-secret');
const urlLink = flagLink('execution.engine-rpc');

function judgeApi(answer: CallResult, chainId: unknown): Finding {
  if (answer.kind === 'failed') return judgeFailure(answer);
  const isOther = answer.kind === 'result' && typeof chainId === 'string' && answer.value !== chainId;
  return isOther
    ? bad(
        `the engine API is that of chain ${Number(answer.value)}, and --execution.rpc that of chain ${Number(chainId)}`,
        'Give both of the same client.',
        urlLink,
      )
    : good('its engine API answers and takes our tokens');
}

const ownPort =
  "Is it the client's own engine API (authrpc), the URL that op-node has as --l2, or rollup-boost as --l2-url?";

function judgeFailure(answer: Extract<CallResult, { kind: 'failed' }>): Finding {
  const why = printable(answer.message).trim();
  if (readAlive(answer) !== 'unauthorized') return bad(`the engine API does not answer: ${why}`, ownPort, urlLink);
  const compare = 'Compare the secret with that of op-node, and the clocks of the two machines.';
  if (!isHostRefused(answer)) return bad(`the engine API refuses our tokens: ${why}`, compare, secretLink);
  const hosts = 'Is the host of --execution.engine-rpc one of its virtual hosts (op-geth: --authrpc.vhosts)?';
  return bad(`the engine API refuses our requests: ${why}`, `${hosts} ${compare}`, urlLink);
}

/** The members are not known before the first start: more than one voter is the rule. */
function checkOwnBlocks({ config, execution, conductor }: Subject): Finding[] {
  const version = resultOf(execution, 'web3_clientVersion');
  const isExecuting = executesOwnBlocks(version);
  if (config?.validation !== 'leader' || isExecuting === true) return [];
  const voters = membershipOf(conductor)?.filter(({ suffrage }) => suffrage === 0);
  if (voters?.length === 1) return [];
  if (isExecuting === null)
    return [
      warning(
        'it does not tell its name: whether it executes blocks that it built, as op-reth does not, cannot be told',
        'If it is op-reth, set --consensus.validate=quorum on all servers.',
        flagLink('consensus.validate'),
      ),
    ];
  const name = printable(String(version)).slice(0, versionLengthMax);
  return [
    warning(
      `it is ${name}, which calls blocks that it built VALID without executing them again: --consensus.validate=leader checks none of them`,
      'Set --consensus.validate=quorum on all servers.',
      flagLink('consensus.validate'),
    ),
  ];
}

async function checkL1(l1Url: string): Promise<Finding[]> {
  const endpoints = { node: '', execution: '', executionPeers: '', rollupBoost: '', l1: l1Url };
  const answer = await executeRequest(endpoints, l1Block('latest'));
  const head = answer.kind === 'result' ? readHeader(answer.value) : null;
  if (head !== null) return [good(`the L1 client is at block ${head.number}`)];
  const why = answer.kind === 'result' ? 'it tells no latest block' : answer.message;
  return [bad(`the L1 client does not answer: ${why}`, 'Start it, or fix --l1.rpc.', flagLink('l1.rpc'))];
}
