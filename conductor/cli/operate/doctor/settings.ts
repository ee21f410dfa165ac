/**
 * The flags of one conductor as the doctor reads them: what is missing or cannot work becomes findings, and what
 * can be read is used all the same, so that one mistake does not hide the others.
 */
import { messageOf } from '#conductor/errors';
import type { Values } from '../../config-values.ts';
import { number, text } from '../../config-values.ts';
import { runConfig, type RunConfig } from '../../flags-config.ts';
import { parseFlags, type ParsedFlags } from '../../flags-parse.ts';
import { envNameOf, flagTable } from '../../flags.ts';
import { blockTimeSeconds } from '../../rollup-config.ts';
import { findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';

export interface Settings {
  /** null when the command line or a variable cannot be read at all. */
  readonly values: Values | null;
  /** null when a run would refuse to start. */
  readonly config: RunConfig | null;
  /** null when neither --network nor --rollup.config tells. */
  readonly blockSeconds: number | null;
  readonly findings: readonly Finding[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const { good, warning, bad, unseen } = findingsOf('settings');
/** Block times without a block after which a sequencer should be called unhealthy. */
const unsafeBlocksMin = 2;
const unsafeBlocksMax = 3;
/** With short blocks more of them may be missing: leadership need not move for less. */
const unsafeSecondsUsual = 5;

/** Reads the words of a command line and the variables. Never throws. */
export function readSettings(words: readonly string[], environment: Environment): Settings {
  const findings: Finding[] = [];
  let parsed = attempt(() => parseFlags(words, environment));
  if (parsed.value === null) {
    findings.push(bad(parsed.why, 'Fix this first: a conductor would not start.'));
    parsed = attempt(() => parseFlags(words, withFallbacks(environment)));
  }
  const { value } = parsed;
  if (value === null) return { values: null, config: null, blockSeconds: null, findings };
  const { values } = value;
  findings.push(...unknownVariables(value));
  const config = attempt(() => runConfig(values));
  // Where flags are missing, what follows from that says nothing new.
  const isReadable = findings.every(({ verdict }) => verdict !== 'bad');
  if (isReadable && config.value === null) findings.push(bad(config.why, 'Fix this: a conductor would not start.'));
  else if (isReadable)
    findings.push(good(`the flags can be read, and server ${text(values, 'raft.server.id')} would start with them`));
  if (config.value === null)
    findings.push(unseen('thresholds, own address, TLS and exposure are not looked at before the flags are right'));
  const blockSeconds = attempt(() => blockTimeSeconds(text(values, 'network'), text(values, 'rollup.config'))).value;
  if (config.value !== null) findings.push(...timing(config.value, blockSeconds), ...habits(config.value));
  return { values, config: config.value, blockSeconds, findings };
}

/** Required flags that were not given get their defaults, so that the others can be looked at. */
function withFallbacks(environment: Environment): Environment {
  const missing = flagTable.filter(({ name, isRequired }) => isRequired && environment[envNameOf(name)] === undefined);
  return { ...environment, ...Object.fromEntries(missing.map(({ name, fallback }) => [envNameOf(name), fallback])) };
}

function unknownVariables({ unknownVariables: names }: ParsedFlags): Finding[] {
  return names.map((name) => warning(`${name} is the variable of no flag, so it does nothing`, 'Check its spelling.'));
}

/** The thresholds against the time of a block. */
function timing({ health, healthIntervalMs }: RunConfig, blockSeconds: number | null): Finding[] {
  if (blockSeconds === null) return [];
  const unsafe = health.unsafeIntervalSeconds;
  const words = `--healthcheck.unsafe-interval is ${unsafe} s with blocks every ${blockSeconds} s`;
  const advice = `Set it to ${unsafeBlocksMin * blockSeconds} to ${unsafeBlocksMax * blockSeconds} seconds.`;
  const link = flagLink('healthcheck.unsafe-interval');
  const findings: Finding[] = [];
  if (unsafe <= blockSeconds)
    findings.push(bad(`${words}: a sequencer that works is called unhealthy all the time`, advice, link));
  else if (unsafe < unsafeBlocksMin * blockSeconds)
    findings.push(warning(`${words}: one late block moves leadership`, advice, link));
  else if (unsafe > Math.max(unsafeBlocksMax * blockSeconds, unsafeSecondsUsual))
    findings.push(warning(`${words}: a stalled sequencer is noticed late`, advice, link));
  else findings.push(good(words));
  if (healthIntervalMs > unsafe * 1000)
    findings.push(
      warning(
        `the health is checked every ${healthIntervalMs / 1000} s, more rarely than the ${unsafe} s that a stall may last`,
        'Set --healthcheck.interval to 1.',
        flagLink('healthcheck.interval'),
      ),
    );
  return findings;
}

/** What is allowed and seldom meant. */
function habits(config: RunConfig): Finding[] {
  const findings: Finding[] = [];
  if (config.isPaused)
    findings.push(
      warning(
        '--paused is set, so every restart pauses this conductor until somebody resumes it',
        'Drop it once the cluster is set up.',
        flagLink('paused'),
      ),
    );
  if (!config.isAdminEnabled)
    findings.push(
      warning(
        'admin methods are off, so no operator can pause it, hand leadership on or change the membership through it',
        'Set --rpc.enable-admin, with tokens.',
        sectionLink('admin'),
      ),
    );
  if (config.raft.legacyEmptyStore)
    findings.push(
      warning(
        '--raft.legacy-empty-store is set: after a lost disk this server would vote before it knows what it promised',
        'Drop it.',
        flagLink('raft.legacy-empty-store'),
      ),
    );
  return findings;
}

function attempt<T>(read: () => T): { readonly value: T | null; readonly why: string } {
  try {
    return { value: read(), why: '' };
  } catch (error) {
    return { value: null, why: messageOf(error) };
  }
}

/** The port and host at which this machine reaches the conductor's own RPC. */
export function ownRpcUrl(values: Values): string {
  const host = text(values, 'rpc.addr').replace(/^\[(.*)\]$/, '$1');
  const isEverywhere = host === '' || host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${number(values, 'rpc.port')}`;
}
