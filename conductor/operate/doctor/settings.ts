/**
 * The flags of one conductor as the doctor reads them: what is missing or cannot work becomes findings, and what
 * can be read is used all the same, so that one mistake does not hide the others.
 */
import { AbsentSettingError, number, text, type Values } from '#conductor/host/settings/config-values';
import { workingConfig, type WorkingConfig } from '#conductor/host/settings/flags-config';
import { parseFlags, type OnFault, type ParsedFlags } from '#conductor/cli/flags-parse';
import { findingsOf, flagLink, sectionLink, type Finding } from './finding.ts';

export interface Settings {
  /** null where no flags are given. */
  readonly values: Values | null;
  /** null where no flags are given. */
  readonly config: WorkingConfig | null;
  /** null when neither --network nor --rollup.config tells. */
  readonly blockSeconds: number | null;
  readonly findings: readonly Finding[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const { good, warning, bad } = findingsOf('settings');
/** Block times without a block after which a sequencer should be called unhealthy. */
const unsafeBlocksMin = 2;
const unsafeBlocksMax = 3;
/** With short blocks more of them may be missing: leadership need not move for less. */
const unsafeSecondsUsual = 5;

/** Reads the words of a command line and the variables. Never throws. */
export function readSettings(words: readonly string[], environment: Environment): Settings {
  const findings: Finding[] = [];
  const onFault: OnFault = ({ message }) => void findings.push(bad(message, 'Fix this: a conductor would not start.'));
  const parsed = parseFlags(words, environment, [], onFault);
  const isWhole = findings.length === 0;
  const { values } = parsed;
  const config = workingConfig(values, (fault) => {
    // Where a flag is missing or cannot be read, that follows from it.
    if (isWhole || !(fault instanceof AbsentSettingError)) onFault(fault);
  });
  if (findings.length === 0)
    findings.push(good(`the flags can be read, and server ${text(values, 'raft.server.id')} would start with them`));
  const blockSeconds = config.blockTimeMs === undefined ? null : config.blockTimeMs / 1000;
  findings.push(...unknownVariables(parsed), ...timing(config, blockSeconds), ...habits(config));
  return { values, config, blockSeconds, findings };
}

function unknownVariables({ unknownVariables: names }: ParsedFlags): Finding[] {
  return names.map((name) => warning(`${name} is the variable of no flag, so it does nothing`, 'Check its spelling.'));
}

/** The thresholds against the time of a block. */
function timing({ health, healthIntervalMs = 0 }: WorkingConfig, blockSeconds: number | null): Finding[] {
  if (blockSeconds === null || health === undefined) return [];
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
function habits(config: WorkingConfig): Finding[] {
  const findings: Finding[] = [];
  if (config.isPaused === true)
    findings.push(
      warning(
        '--paused is set, so every restart pauses this conductor until somebody resumes it',
        'Drop it once the cluster is set up.',
        flagLink('paused'),
      ),
    );
  if (config.isAdminEnabled === false)
    findings.push(
      warning(
        'admin methods are off, so no operator can pause it, hand leadership on or change the membership through it',
        'Set --rpc.enable-admin, with tokens.',
        sectionLink('admin'),
      ),
    );
  if (config.raft?.legacyEmptyStore === true)
    findings.push(
      warning(
        '--raft.legacy-empty-store is set: after a lost disk this server would vote before it knows what it promised',
        'Drop it.',
        flagLink('raft.legacy-empty-store'),
      ),
    );
  return findings;
}

/** The URL at which this machine reaches the conductor's own RPC; null where host or port cannot be. */
export function ownRpcUrl(values: Values): string | null {
  const host = text(values, 'rpc.addr').replace(/^\[(.*)\]$/, '$1');
  const isEverywhere = host === '' || host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${number(values, 'rpc.port')}`;
  return URL.canParse(url) ? url : null;
}
