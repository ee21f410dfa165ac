/** `conductor devnet`: three conductors with development sequencers on this machine, to look at and to break. */
import { InvalidArgumentError, type Command } from 'commander';
import { messageOf } from '#conductor/core/errors';
import { wholeNumber } from '#conductor/dev-sequencer/command';
import { BLOCK_BYTES_MAX } from '#conductor/dev-sequencer/dev-node';
import { runDevnet } from './devnet.ts';
import type { DevnetOptions } from './options.ts';
import { NODE_COUNT, PORT_OFFSET_MAX } from './plan.ts';
import { REAPER_COMMAND, runReaper } from './reaper.ts';

const BLOCK_SECONDS_MAX = 60;

interface Flags {
  readonly portOffset: number;
  readonly dataDir?: string;
  readonly blockTime: number;
  readonly txsPerBlock: number;
  readonly txBytes: number;
  readonly reportBlocks: number;
  readonly console: boolean;
  readonly conductorCommand: readonly (readonly string[] | null)[];
}

/** Registers the command, and the hidden one it starts to clean up after itself. */
export function devnetCommand(parent: Command): void {
  parent
    .command('devnet')
    .description('run three conductors with development sequencers on this machine, with a live table')
    .option('--port-offset <n>', 'added to every port', wholeNumber(0, PORT_OFFSET_MAX), 0)
    .option('--data-dir <dir>', 'folder to keep the cluster in; without it a temporary one is removed at the end')
    .option(
      '--block-time <duration>',
      `from one block to the next, in whole seconds (1s to ${BLOCK_SECONDS_MAX}s)`,
      blockTime,
      1,
    )
    .option('--txs-per-block <count>', 'transactions of random bytes in each block', wholeNumber(1, 10_000), 3)
    .option('--tx-bytes <bytes>', 'size of each transaction', wholeNumber(1, BLOCK_BYTES_MAX), 200)
    .option('--report-blocks <n>', 'without a terminal: print one line every n blocks', wholeNumber(1, 1_000_000), 10)
    .option('--no-console', 'do not serve the web page that shows the cluster')
    .option(
      '--conductor-command <[node=]words>',
      'run this instead of the own conductor, on one node (1=…) or on all; takes op-conductor flags',
      conductorCommand,
      [],
    )
    .action(run);
  parent
    .command(REAPER_COMMAND, { hidden: true })
    .description('ends the processes of a devnet that was killed')
    .action(() => runReaper(Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>));
}

async function run(flags: Flags): Promise<void> {
  const options: DevnetOptions = {
    portOffset: flags.portOffset,
    dataDir: flags.dataDir ?? null,
    blockSeconds: flags.blockTime,
    transactionsPerBlock: flags.txsPerBlock,
    transactionBytes: flags.txBytes,
    reportEveryBlocks: flags.reportBlocks,
    hasConsole: flags.console,
    conductorCommands: Array.from({ length: NODE_COUNT }, (_, index) => flags.conductorCommand[index] ?? null),
  };
  try {
    process.exit(await runDevnet(options));
  } catch (error) {
    process.stderr.write(`devnet: ${messageOf(error)}\n`);
    process.exit(1);
  }
}

/** "2s", "2" or "1m" as whole seconds: a rollup's blocks carry timestamps in seconds. */
function blockTime(text: string): number {
  const [, digits, unit] = /^(\d+)(s|m)?$/.exec(text) ?? [];
  const value = Number(digits) * (unit === 'm' ? 60 : 1);
  if (!(value >= 1 && value <= BLOCK_SECONDS_MAX)) {
    throw new InvalidArgumentError(`Want whole seconds from 1s to ${BLOCK_SECONDS_MAX}s.`);
  }
  return value;
}

function conductorCommand(text: string, previous: readonly (readonly string[] | null)[]): (readonly string[] | null)[] {
  const [, node, words] = /^(?:([0-9])=)?(.*)$/s.exec(text) ?? [];
  const command = (words ?? '').split(' ').filter((word) => word !== '');
  if (command.length === 0 || (node !== undefined && !(Number(node) >= 1 && Number(node) <= NODE_COUNT))) {
    throw new InvalidArgumentError(`Want a command, or N=command with N from 1 to ${NODE_COUNT}.`);
  }
  return Array.from({ length: NODE_COUNT }, (_, index) =>
    node === undefined || Number(node) === index + 1 ? command : (previous[index] ?? null),
  );
}
