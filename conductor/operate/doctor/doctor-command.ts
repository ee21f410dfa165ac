/** `conductor doctor`: looks at one node from all sides and says what is wrong and what to do. */
import { span } from '#conductor/cli/terminal/text-line';
import { flagTable } from '#conductor/cli/flags';
import { envNameOf } from '#conductor/cli/flags/definition';
import { CLUSTER_VARIABLE, chooseCluster } from '../cluster-choice.ts';
import { exitCodes } from '../exit-codes.ts';
import { OperatorUsageError, textOf, type OperatorCommand, type OperatorTask } from '../operator-command.ts';
import type { Flags } from '../command-flags.ts';
import type { Output } from '../output.ts';
import { ConfigError } from '#conductor/core/errors';
import { ask, type Asked } from './asked.ts';
import { checkClocks } from './clock-check.ts';
import { checkConductor } from './conductor-check.ts';
import { readEnvFile } from './env-file.ts';
import { checkEngine } from './engine-check.ts';
import { checkExecution } from './execution-check.ts';
import { checkExposure } from './exposure-check.ts';
import { areas, type Finding, type Verdict } from './finding.ts';
import { checkHealth } from './health-check.ts';
import { checkNames } from './name-check.ts';
import { checkNode } from './node-check.ts';
import { readSettings, type Settings } from './settings.ts';
import { checkStanding } from './standing-check.ts';
import { checkStore } from './store-check.ts';
import { gather } from './subject.ts';
import { checkTls } from './tls-check.ts';
import { checkTraces } from './traces-check.ts';

const marks: Readonly<Record<Verdict, string>> = { good: '✓', warning: '!', bad: '✗', unseen: '·' };

/** Before what is said, as wide as a mark; and before what to do. */
const indent = '    ';
const adviceIndent = '      ';

export const doctorCommand: OperatorCommand = {
  name: 'doctor',
  description: 'examine one node: its flags, store, clock, names, op-node, execution client and health',
  kind: 'own',
  arguments: [{ name: '[flags...]', doc: 'flags of the conductor, after --' }],
  options: [
    { flags: '--env-file <file>', doc: "the conductor's variables, as systemd or docker read them" },
    { flags: '--node-env-file <file>', doc: "op-node's variables, to check what no RPC tells" },
    { flags: '--rpc <url>', doc: 'RPC of the running conductor, where no flags are at hand or they say another' },
    { flags: '--node <url>', doc: 'RPC of op-node, likewise' },
    { flags: '--execution <url>', doc: 'RPC of the execution client, likewise' },
    {
      flags: '--cluster <file>',
      doc: `cluster file, to compare clocks with the other servers (or ${CLUSTER_VARIABLE})`,
    },
  ],
  details: `Takes the flags after --, and the variables of --env-file or else of its own
environment; op-conductor's are the same.
Run it on the server itself, before the first start or while the conductor runs.
Changes nothing.
Marks: ✓ good, ! look at it, ✗ wrong, · could not be looked at. Exits with 1
when anything is wrong.`,
  examples: [
    'conductor doctor --env-file /etc/conductor/conductor.env -- --raft.storage.dir=/var/lib/conductor',
    'conductor doctor -- --config=/etc/conductor/conductor.yaml',
    'conductor doctor -- --raft.server.id=node-1 --raft.storage.dir=/var/lib/conductor …',
    'conductor doctor --rpc http://localhost:8547 --node http://localhost:9545',
  ],
  run: examine,
};

async function examine({ words, flags, output }: OperatorTask): Promise<number> {
  const settings = settingsOf(words, flags);
  const urls = { conductor: urlOf(flags, 'rpc'), node: urlOf(flags, 'node'), execution: urlOf(flags, 'execution') };
  const [subject, peers] = await Promise.all([gather(settings, urls, fileOf(flags, 'nodeEnvFile')), askPeers(flags)]);
  const nowMs = Date.now();
  const [store, health, engine, traces] = await Promise.all([
    checkStore(subject),
    checkHealth(subject, nowMs),
    checkEngine(subject),
    checkTraces(subject, environmentOf(flags)),
  ]);
  const names = await checkNames(subject, store.members);
  const findings = [
    ...settings.findings,
    ...store.findings,
    ...checkClocks(subject, peers, nowMs),
    ...names,
    ...checkTls(subject, nowMs),
    ...checkNode(subject, nowMs),
    ...checkExecution(subject),
    ...engine,
    ...health,
    ...checkConductor(subject),
    ...checkStanding(subject),
    ...checkExposure(subject),
    ...traces,
  ];
  const isWrong = findings.some(({ verdict }) => verdict === 'bad');
  const exitCode = isWrong ? exitCodes.failed : exitCodes.done;
  const outcome = isWrong ? 'failed' : 'done';
  const serverId = settings.values?.['raft.server.id'] ?? null;
  output.json({ event: 'end', outcome, exitCode, serverId, counts: countsOf(findings), findings });
  tell(output, findings);
  return exitCode;
}

/** With no flags at all and a running conductor named, only what can be asked is examined. */
function settingsOf(words: readonly string[], flags: Flags): Settings {
  const environment = environmentOf(flags);
  const hasFlags = words.length > 0 || flagTable.some(({ name }) => environment[envNameOf(name)] !== undefined);
  if (hasFlags) return readSettings(words, environment);
  if (textOf(flags, 'rpc') !== undefined) return { values: null, config: null, blockSeconds: null, findings: [] };
  throw new OperatorUsageError(
    'which node? Give its flags after --, its variables with --env-file, or the URL of its conductor with --rpc',
  );
}

/** The conductor's variables. */
function environmentOf(flags: Flags): Readonly<Record<string, string | undefined>> {
  return fileOf(flags, 'envFile') ?? process.env;
}

function fileOf(flags: Flags, name: string): Record<string, string> | null {
  const path = textOf(flags, name);
  if (path === undefined) return null;
  try {
    return readEnvFile(path);
  } catch (error) {
    throw error instanceof ConfigError ? new OperatorUsageError(error.message) : error;
  }
}

function urlOf(flags: Flags, name: string): string | undefined {
  const url = textOf(flags, name);
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new OperatorUsageError(`--${name} must be an http or https URL`);
  return url;
}

/** The other conductors, for their clocks. */
async function askPeers(flags: Flags): Promise<Asked[]> {
  const cluster = textOf(flags, 'cluster') ?? process.env[CLUSTER_VARIABLE] ?? '';
  if (cluster === '') return [];
  const { servers } = chooseCluster({ cluster }, process.env);
  return Promise.all(servers.map(({ conductor }) => ask(conductor, [['health_status']])));
}

function tell(output: Output, findings: readonly Finding[]): void {
  for (const area of areas) {
    const own = findings.filter((finding) => finding.area === area);
    if (own.length === 0) continue;
    output.line([span(area, 'strong')]);
    for (const { verdict, says, advice, link } of own) {
      const [first = '', ...others] = output.paragraph(indent, says);
      const mark = `  ${marks[verdict]} `;
      output.line([span(mark, verdict === 'bad' ? 'accent' : 'plain'), span(first.slice(indent.length))]);
      for (const line of others) output.line(line);
      const isUseful = verdict !== 'good' && advice !== '';
      const lines = isUseful ? output.paragraph(adviceIndent, advice) : [];
      for (const line of lines) output.line([span(line, 'faint')]);
      if (isUseful && link !== '') output.line([span(adviceIndent + link, 'faint')]);
    }
  }
  const { good, warning, bad, unseen } = countsOf(findings);
  output.line();
  output.line(`${bad} wrong, ${warning} to look at, ${good} good, ${unseen} not looked at`);
}

function countsOf(findings: readonly Finding[]): Record<Verdict, number> {
  const count = (verdict: Verdict): number => findings.filter((finding) => finding.verdict === verdict).length;
  return { good: count('good'), warning: count('warning'), bad: count('bad'), unseen: count('unseen') };
}
