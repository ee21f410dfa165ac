/**
 * Starts what a systemd unit says, where systemd does not run: its command line, variables, user, umask and folders of
 * state. What the unit takes away from the process is left to systemd and looked at by the tests of infra/systemd.
 */
import { readFileSync } from 'node:fs';

/** How a unit is started and ended by hand. */
export interface UnitStart {
  /** Command and its words. */
  readonly words: readonly string[];
  /** Run before it, as root, as systemd does. */
  readonly before: readonly (readonly string[])[];
  readonly killSignal: NodeJS.Signals;
}

/** `read` gives the text of a file that the unit names. Throws for settings that it does not understand. */
export function unitStart(unit: string, read = (path: string): string => readFileSync(path, 'utf8')): UnitStart {
  const all = (name: string): string[] =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);
  const one = (name: string): string => {
    const [value, ...more] = all(name);
    if (value === undefined || more.length > 0) throw new Error(`the unit has ${more.length + 1} lines ${name}=`);
    return value;
  };
  const stateRoot = '/var/lib';
  const expand = (text: string): string => {
    const expanded = text.replaceAll('%S', stateRoot);
    if (expanded.includes('%')) throw new Error(`a specifier that is not known: ${text}`);
    return expanded;
  };
  const variables = [...all('Environment').map(expand), ...assignmentsIn(read(one('EnvironmentFile')))];
  const [user, group, state] = [one('User'), one('Group'), `${stateRoot}/${one('StateDirectory')}`];
  const identity = ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--no-new-privs'];
  const program = ['sh', '-c', `umask ${one('UMask')}; exec ${expand(one('ExecStart'))}`];
  return {
    words: [
      ...identity,
      'env',
      '-i',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
      ...variables,
      ...program,
    ],
    before: [
      ['mkdir', '-p', '-m', one('StateDirectoryMode'), state],
      ['chown', `${user}:${group}`, state],
    ],
    killSignal: one('KillSignal') as NodeJS.Signals,
  };
}

/** The variables of an environment file, without comments. */
function assignmentsIn(text: string): string[] {
  return text.split('\n').filter((line) => /^[A-Z_]+=/.test(line));
}
