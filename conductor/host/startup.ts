/**
 * Asks the node, before anything else starts, whether this conductor can work with it: bounded tries with a progress line
 * each, so that it may come up later than we do. Nothing waits for the execution client, which health checks judge: this
 * server's vote and log are of use without it.
 */
import {
  failureOf,
  latestBlock,
  question,
  sequencerActive,
  type CallResult,
  type NodeRequest,
} from '#conductor/core/node/calls';
import { clientVersion, executesOwnBlocks } from '#conductor/core/node/engine-calls';
import type { ValidationPolicy } from '#conductor/core/rpc/validation';
import { StartupError } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';

/** As op-conductor: sixty tries, five seconds apart. */
const startTriesMax = 60;
const startPauseMs = 5000;
/** The first pauses are short: the node usually starts at the same moment. */
const firstPauseMs = 250;
/** Longest name of a client that is logged, in characters. */
const clientNameMax = 100;

/** op-node says so without the flag, kona-node also of a node that is no sequencer. */
const noAdminMethods =
  'the node offers no admin methods. Start op-node with --rpc.enable-admin and --sequencer.enabled; is --node.rpc its own RPC, not that of a proxy?';

export interface StartupHost {
  readonly logger: Logger;
  execute(request: NodeRequest): Promise<CallResult>;
  sleep(ms: number): Promise<void>;
}

type ErrorAnswer = Extract<CallResult, { kind: 'error' }>;

const conductorEnabled = question('node', 'admin_conductorEnabled', 5000);

/** Resolves with whether the sequencer runs; rejects with StartupError. */
export async function askNodes(host: StartupHost): Promise<boolean> {
  const enabled = await untilAnswered(host, conductorEnabled, isUnknownMethod);
  if (enabled.kind === 'result' && enabled.value !== true) {
    throw new StartupError(
      'conductor is not enabled on sequencer: start op-node with --conductor.enabled, or it would not wait for commits',
    );
  }
  void warnOfSilentClient(host);
  const active = await untilAnswered(host, sequencerActive);
  if (active.kind === 'result' && typeof active.value === 'boolean') {
    host.logger.log('info', 'sequencer active status updated', { active: active.value });
    return active.value;
  }
  const why = active.kind === 'error' ? active.message : 'the node did not answer with a boolean';
  const cause = active.kind === 'error' && isUnknownMethod(active) ? `: ${noAdminMethods}` : '';
  throw new StartupError(`failed to get sequencer active status: ${why}${cause}`);
}

async function warnOfSilentClient({ logger, execute }: StartupHost): Promise<void> {
  const answer = await execute(latestBlock);
  if (answer.kind === 'failed')
    logger.log('warn', 'the execution client does not answer: until it does, this server cannot take over', {
      err: answer.message,
    });
}

/** Warns where the leader's client alone is asked about a block, and may execute none that it built. Never rejects. */
export async function warnOfUnexecutedBlocks(
  { logger, execute }: Pick<StartupHost, 'logger' | 'execute'>,
  validation: ValidationPolicy,
): Promise<void> {
  if (validation !== 'leader') return;
  const answer = await execute(clientVersion);
  const isExecuting = answer.kind === 'result' ? executesOwnBlocks(answer.value) : null;
  if (isExecuting === true) return;
  if (isExecuting === null || answer.kind !== 'result') {
    const text =
      'cannot tell whether the execution client executes blocks that it built: it does not tell its name. If it is op-reth, with more than one voter set --consensus.validate=quorum';
    logger.log('warn', text, { err: failureOf(answer) ?? 'web3_clientVersion has no name' });
    return;
  }
  logger.log(
    'warn',
    'the execution client calls blocks that it built VALID without executing them again: with more than one voter, set --consensus.validate=quorum',
    { client: String(answer.value).slice(0, clientNameMax) },
  );
}

/** An op-node from before the method, or what stands in front of one: as op-conductor tells it. */
function isUnknownMethod({ code, message }: ErrorAnswer): boolean {
  return code === -32601 || message.toLowerCase().includes('method not found');
}

/** Tries until a result comes, or an error that `isAnswer`. */
async function untilAnswered(
  host: StartupHost,
  request: NodeRequest,
  isAnswer: (error: ErrorAnswer) => boolean = () => true,
): Promise<Exclude<CallResult, { kind: 'failed' }>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await host.execute(request);
    if (answer.kind === 'result' || (answer.kind === 'error' && isAnswer(answer))) return answer;
    if (attempt === startTriesMax) {
      throw new StartupError(
        `failed to connect to sequencer: the node did not answer ${request.method} in ${startTriesMax} tries: ${answer.message}`,
      );
    }
    host.logger.log('warn', 'waiting for the node', {
      attempt,
      of: startTriesMax,
      method: request.method,
      err: answer.message,
    });
    await host.sleep(Math.min(startPauseMs, firstPauseMs * 2 ** (attempt - 1)));
  }
}
