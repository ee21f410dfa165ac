/**
 * `conductor dev-sequencer`: one stand-in for op-node and its execution client, for devnets and
 * tests. It produces real-looking blocks of random bytes and must never be used for anything else.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { parseJwtSecret } from '#conductor/adapters/auth/jwt';
import { exitWithParent } from './parent-watch.ts';
import { BLOCK_BYTES_MAX, startDevNode, type DevNodeOptions } from './dev-node.ts';
import { createNodeLog } from './node-log.ts';

/** Most peers, and most transactions in a block. */
const PEERS_MAX = 16;
const TRANSACTIONS_MAX = 10_000;

interface Flags {
  readonly dataDir: string;
  readonly rpcAddr: string;
  readonly nodePort: number;
  readonly executionPort: number;
  readonly enginePort?: number;
  readonly jwtSecret?: string;
  readonly conductorRpc?: string;
  readonly conductorRpcTimeout: number;
  readonly peers: readonly string[];
  readonly genesisTime: number;
  readonly blockTime: number;
  readonly blocksPerSlot: number;
  readonly chainId: number;
  readonly txsPerBlock: number;
  readonly txBytes: number;
  readonly gossipLoss: number;
  readonly gossipDelay: number;
  readonly verbose: boolean;
}

/** Registers the command on the program. */
export function devSequencerCommand(parent: Command): void {
  parent
    .command('dev-sequencer')
    .description('run one development sequencer (a stand-in for op-node and its execution client; never for real use)')
    .requiredOption('--data-dir <dir>', 'folder for its blocks; created if missing')
    .requiredOption('--node-port <port>', 'port of the op-node methods', wholeNumber(0, 65_535))
    .requiredOption('--execution-port <port>', 'port of the eth methods', wholeNumber(0, 65_535))
    .option('--engine-port <port>', 'port of the engine API; without it there is none', wholeNumber(0, 65_535))
    .option('--jwt-secret <file>', "file with the engine API's secret, 32 bytes as hex; with --engine-port")
    .requiredOption('--genesis-time <seconds>', 'Unix time of block 0, the same for all', wholeNumber(0, 4_294_967_295))
    .option(
      '--conductor-rpc <url>',
      'its conductor; without it nobody is asked, as by an op-node without --conductor.enabled',
    )
    .option('--rpc-addr <host>', 'host both ports bind to', '127.0.0.1')
    .option('--conductor-rpc-timeout <ms>', 'milliseconds for one call to the conductor', wholeNumber(1, 600_000), 1000)
    .option('--peers <urls>', 'op-node URLs of the other sequencers, separated by commas', urls, [])
    .option('--block-time <seconds>', 'seconds from one block to the next', wholeNumber(1, 60), 1)
    .option(
      '--blocks-per-slot <count>',
      'blocks that share a time stamp, each a part of the block time apart',
      wholeNumber(1, 10),
      1,
    )
    .option('--chain-id <id>', 'L2 chain id', wholeNumber(1, Number.MAX_SAFE_INTEGER), 901)
    .option(
      '--txs-per-block <count>',
      'transactions of random bytes in each block',
      wholeNumber(1, TRANSACTIONS_MAX),
      3,
    )
    .option('--tx-bytes <bytes>', 'size of each transaction', wholeNumber(1, BLOCK_BYTES_MAX), 200)
    .option('--gossip-loss <share>', 'share of gossip messages lost, 0 to 1', share, 0)
    .option('--gossip-delay <ms>', 'milliseconds gossip takes', wholeNumber(0, 60_000), 0)
    .option('--verbose', 'log debug lines too', false)
    .addHelpText(
      'after',
      '\nA conductor beside one is started with --network=op-mainnet and --block-time=2 here, or with a rollup config of the same\nblock time. The first block of a new chain is started by hand: conductor status prints how.',
    )
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  const log = createNodeLog(flags.verbose);
  exitWithParent();
  try {
    mkdirSync(flags.dataDir, { recursive: true });
    const node = await startDevNode(nodeOptions(flags, log));
    log('info', 'listening', { node: node.nodePort, execution: node.executionPort });
    stopOnSignals(() => node.stop());
  } catch (error) {
    log('error', 'could not start', { err: error });
    process.stderr.write(`dev-sequencer: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function nodeOptions(flags: Flags, log: DevNodeOptions['log']): DevNodeOptions {
  if (flags.txsPerBlock * flags.txBytes > BLOCK_BYTES_MAX) {
    throw new RangeError(
      `--txs-per-block × --tx-bytes is ${flags.txsPerBlock * flags.txBytes} bytes; at most ${BLOCK_BYTES_MAX} fit a block`,
    );
  }
  return {
    spec: {
      genesisTime: flags.genesisTime,
      blockSeconds: flags.blockTime,
      blocksPerSlot: flags.blocksPerSlot,
      chainId: flags.chainId,
    },
    storePath: join(flags.dataDir, 'blocks.db'),
    hostname: flags.rpcAddr,
    nodePort: flags.nodePort,
    executionPort: flags.executionPort,
    engine: engineOf(flags),
    conductorUrl: flags.conductorRpc ?? null,
    conductorTimeoutMs: flags.conductorRpcTimeout,
    peerUrls: flags.peers,
    transactionsPerBlock: flags.txsPerBlock,
    transactionBytes: flags.txBytes,
    faults: { gossipLoss: flags.gossipLoss, gossipDelayMs: flags.gossipDelay },
    log,
  };
}

function engineOf({ enginePort, jwtSecret }: Flags): DevNodeOptions['engine'] {
  if ((enginePort === undefined) !== (jwtSecret === undefined)) {
    throw new RangeError('--engine-port and --jwt-secret must be given together');
  }
  return enginePort === undefined || jwtSecret === undefined
    ? null
    : { port: enginePort, secret: parseJwtSecret(readFileSync(jwtSecret, 'utf8')) };
}

/** First signal: an orderly end. Second: at once. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      void stop().finally(() => process.exit(0));
    });
  }
}

/** Reads the value of an option. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Want a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) throw new InvalidArgumentError('Want a number from 0 to 1.');
  return value;
}

function urls(text: string): string[] {
  const found = text === '' ? [] : text.split(',');
  if (found.length > PEERS_MAX || found.some((url) => !URL.canParse(url))) {
    throw new InvalidArgumentError(`Want at most ${PEERS_MAX} URLs separated by commas.`);
  }
  return found;
}
