/**
 * `conductor healthcheck`: asks the conductor of the same environment whether it is alive, for supervisors that
 * know only exit codes and images without a shell. Exit codes: 0 yes, 1 no, 2 wrong usage.
 */
import { Option, type Command } from 'commander';
import { messageOf } from '#conductor/core/errors';
import { readConfigFile } from './config-file.ts';
import { flagTable, type FlagName } from './flags.ts';
import { envNameOf } from './flags/definition.ts';
import { hostAndPort } from '#conductor/host/settings/listen-address';
import { exitUsage } from './exit-usage.ts';

const flagNames = flagTable.map(({ name }) => name);
const exitUnhealthy = 1;
const portMax = 65_535;
/** Below the 3 s that supervisors usually give a check. */
const answerMsMax = 2000;
/** Of an answer, into the message. */
const answerLength = 300;

interface Flags {
  readonly config: string;
  readonly 'rpc.addr': string;
  readonly 'rpc.port': string;
  readonly ready?: true;
}

/** Registers the command. It reads the variables that the conductor reads. */
export function healthcheckCommand(parent: Command): void {
  const known = (name: FlagName, doc: string): Option => {
    const fallback = flagTable.find((flag) => flag.name === name)?.fallback ?? '';
    return new Option(`--${name} <text>`, doc).env(envNameOf(name)).default(fallback);
  };
  parent
    .command('healthcheck')
    .description('ask the conductor of this environment whether it is alive; for containers')
    .addOption(known('config', 'file of its options'))
    .addOption(known('rpc.addr', 'host it listens on; a wildcard is asked on loopback'))
    .addOption(known('rpc.port', 'port it listens on'))
    .option('--ready', 'ask whether it could take over instead')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitUsage))
    .action(async (flags: Flags, command: Command) => {
      const file = flags.config === '' ? null : readConfigFile(flags.config, flagNames);
      const valueOf = (name: 'rpc.addr' | 'rpc.port'): string =>
        (command.getOptionValueSource(name) === 'default' ? file?.entries.get(name)?.text : undefined) ?? flags[name];
      const port = Number(valueOf('rpc.port'));
      if (!Number.isInteger(port) || port < 1 || port > portMax) {
        process.stderr.write(
          `rpc.port "${valueOf('rpc.port')}" is not a port that can be asked: give 1 to ${portMax}\n`,
        );
        process.exit(exitUsage);
      }
      const url = checkUrl(valueOf('rpc.addr'), port, flags.ready === true);
      const complaint = await complaintOf(url);
      if (complaint !== '') process.stderr.write(`${complaint}\n`);
      process.exit(complaint === '' ? 0 : exitUnhealthy);
    });
}

/** What is asked: an address that is listened on, as one that can be called. */
export function checkUrl(hostname: string, port: number, wantsReady: boolean): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const loopback = bare === '' || bare === '0.0.0.0' ? '127.0.0.1' : bare === '::' ? '::1' : bare;
  return `http://${hostAndPort(loopback, port)}${wantsReady ? '/readyz' : '/healthz'}`;
}

/** '' when the answer is yes. */
async function complaintOf(url: string): Promise<string> {
  // It is this machine that is asked, never through a proxy.
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']) delete process.env[name];
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(answerMsMax), redirect: 'manual' });
    return answer.ok ? '' : `${url} says: ${(await answer.text()).trim().slice(0, answerLength)}`;
  } catch (thrown) {
    return `${url} does not answer: ${messageOf(thrown)}`;
  }
}
