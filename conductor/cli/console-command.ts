/** `conductor console`: the web page of one or more clusters. Exit codes: 0 in order, 1 could not start, 2 wrong usage. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { createLogger } from '#conductor/adapters/logging/logging';
import { defaultConsolePort, startConsole, type RunningConsole } from '#conductor/console/console';
import type { ConsoleTls } from '#conductor/console/listener';
import { messageOf } from '#conductor/core/errors';
import { chooseCluster } from '#conductor/operate/cluster-choice';
import { ClusterConfigError, type ClusterConfig } from '#conductor/operate/cluster-config';
import { exitUsage } from './exit-usage.ts';
import { version } from './version.ts';

interface Flags {
  readonly cluster: readonly string[];
  readonly rpc: readonly string[];
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly listen: string;
  readonly history: string;
  readonly tokensFile: string;
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsClientCa?: string;
  readonly allowChanges?: true;
}

const collect = (word: string, before: readonly string[]): readonly string[] => [...before, word];

/** A first signal lets a change finish its step, a second one takes the step back; a third waits for nothing. */
const hurriedSignals = 2;

const details = `
Prints a link that opens the page once, and the next one when it was used. Beyond
loopback it needs --tokens-file or --tls-client-ca, and TLS: its own, or that of
the proxy of --public-url. Without --allow-changes it changes nothing in a
cluster. Conductors that publish events are followed; op-conductors are asked
once a second. The history is one file: events for 30 days, every block for a
day, a quarter of a gigabyte at most.

Examples:
  conductor console --cluster mainnet.toml --cluster testnet.toml
  conductor console --rpc http://127.0.0.1:8547,http://127.0.0.1:8548,http://127.0.0.1:8549
  conductor console --listen 0.0.0.0:8560 --tokens-file /etc/conductor/console.tokens \\
    --public-url https://ops.example.com/conductor/`;

/** Registers the command. */
export function consoleCommand(parent: Command): void {
  parent
    .command('console')
    .description('serve a web page that shows clusters, failovers as they happen, and alarms')
    .option('--cluster <file>', 'cluster file; once for each cluster', collect, [])
    .option('--rpc <urls>', "a cluster by its conductors' RPC URLs with commas between; may be repeated", collect, [])
    .option('--token-file <file>', 'bearer token for the conductors, where their cluster file names none')
    .option('--ca-file <file>', 'certificates that https conductors are checked against')
    .option('--listen <host:port>', 'address of the page', `127.0.0.1:${defaultConsolePort}`)
    .option('--history <file>', 'database of what was seen; ":memory:" for none', defaultHistory())
    .option('--tokens-file <file>', 'names and tokens of those who may look, one pair a line', '')
    .option('--public-url <url>', 'where browsers find the page, behind a proxy that may put a path before it')
    .option('--tls-cert <file>', 'certificate of the page, PEM; read again when it has changed')
    .option('--tls-key <file>', 'its key')
    .option('--tls-client-ca <file>', 'authorities of which browsers have to show a certificate')
    .option(
      '--allow-changes',
      'let those who are known by name change clusters from the page, as the operators’ commands do',
    )
    .addHelpText('after', details)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action(run);
}

async function run(flags: Flags): Promise<void> {
  let running: RunningConsole;
  try {
    const { hostname, port } = readListen(flags.listen);
    running = await startConsole({
      clusters: chooseClusters(flags),
      hostname,
      port,
      history: flags.history === ':memory:' ? flags.history : resolve(flags.history),
      tokensFile: flags.tokensFile,
      publicUrl: readPublicUrl(flags.publicUrl),
      tls: readTls(flags),
      mayChange: flags.allowChanges === true,
      version,
      logger: createLogger({ level: 'info', format: 'logfmt', hasColor: false, hasPid: false }),
      link: (url) => void process.stdout.write(`console      ${url}\n`),
    });
  } catch (error) {
    process.stderr.write(`console: ${messageOf(error)}\n`);
    process.exit(error instanceof ClusterConfigError ? exitUsage : 1);
  }
  let signals = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      signals += 1;
      void running.stop({ isHurried: signals > hurriedSignals }).then(() => process.exit(0));
    });
}

function chooseClusters({ cluster, rpc, tokenFile, caFile }: Flags): ClusterConfig[] {
  const common = { tokenFile, caFile };
  if (cluster.length === 0 && rpc.length === 0) return [chooseCluster(common, process.env)];
  return [
    ...cluster.map((path) => chooseCluster({ ...common, cluster: path }, process.env)),
    ...rpc.map((urls) => chooseCluster({ ...common, rpc: urls }, process.env)),
  ];
}

function readListen(text: string): { readonly hostname: string; readonly port: number } {
  const [, hostname = '', digits] = /^(.*):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 0 && port <= 65_535)) throw new ClusterConfigError(`--listen: "${text}" is not host:port`);
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return { hostname: bare === '' ? '0.0.0.0' : bare, port };
}

function readTls({ tlsCert, tlsKey, tlsClientCa }: Flags): ConsoleTls | null {
  if (tlsCert === undefined && tlsKey === undefined && tlsClientCa === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ClusterConfigError('--tls-cert and --tls-key only work together, and --tls-client-ca with both');
  const [certFile, keyFile] = [resolve(tlsCert), resolve(tlsKey)];
  return { certFile, keyFile, clientCaFile: tlsClientCa === undefined ? '' : resolve(tlsClientCa) };
}

function readPublicUrl(text: string | undefined): URL | null {
  if (text === undefined) return null;
  const url = URL.parse(text.endsWith('/') ? text : `${text}/`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ClusterConfigError(`--public-url: "${text}" is not an http or https URL`);
  return url;
}

function defaultHistory(): string {
  const state = process.env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state');
  return join(state, 'conductor', 'console.sqlite');
}
