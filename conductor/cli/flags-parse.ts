/**
 * From the command line and the environment to typed values, as op-conductor's flag library reads them:
 * -name and --name, --name=value or --name value, booleans alone or with =; the last of equal flags counts.
 * Command line over environment over the file of --config over default. An empty variable is a text, false, or (numbers)
 * not set.
 */
import { ConfigError, messageOf } from '#conductor/core/errors';
import { readConfigFile, type ConfigEntry } from './config-file.ts';
import { flagTable, type FlagName } from './flags.ts';
import { envNameOf, envPrefix, type FlagDefinition } from './flags/definition.ts';
import { nearest } from './nearest.ts';
import { argumentValue, environmentValue, readValue, UsageError, type FlagValue } from './typed-value.ts';

export interface ParsedFlags {
  /** A value for every flag. */
  readonly values: Readonly<Record<FlagName, FlagValue>>;
  /** Variables with our prefix that name no flag: worth a warning. */
  readonly unknownVariables: readonly string[];
  /** Options of the file of --config that do not count, because a flag or a variable gives them, too. */
  readonly overridden: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/** Called with each fault; what is read goes on without it, unless it throws. */
export type OnFault = (fault: ConfigError) => void;

/** Refuses the first fault. */
export const refuse: OnFault = (fault) => {
  throw fault;
};

/**
 * A UsageError is each thing that cannot be read, a ConfigError that required flags are missing; both have their
 * defaults where `onFault` does not throw. `commands` may be meant by a word that is no flag.
 */
export function parseFlags(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  commands: readonly string[] = [],
  onFault: OnFault = refuse,
): ParsedFlags {
  const given = readArguments(args, commands, onFault);
  const [wantsHelp, wantsVersion] = [given.has('help'), given.has('version')];
  const values: Record<string, FlagValue> = defaults();
  if (wantsHelp || wantsVersion)
    return { values: values as ParsedFlags['values'], unknownVariables: [], overridden: [], wantsHelp, wantsVersion };
  const missing: string[] = [];
  const file = fileEntries(given.get('config') ?? env[envNameOf('config')] ?? '', onFault);
  for (const flag of flagTable) {
    try {
      const value = valueOf(flag, given.get(flag.name), env[envNameOf(flag.name)], file.get(flag.name));
      if (value !== undefined) values[flag.name] = value;
      else if (flag.isRequired) missing.push(flag.name);
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      onFault(thrown);
    }
  }
  if (missing.length > 0) {
    const list = missing.map((name) => `flag ${name} is required (--${name} or ${envNameOf(name)})`).join('; ');
    onFault(new ConfigError(`missing required flags: ${list}`));
  }
  return {
    values: values as ParsedFlags['values'],
    unknownVariables: unknownVariables(env),
    overridden: flagTable.map(({ name }) => name).filter((name) => file.has(name) && isGiven(name, given, env)),
    wantsHelp,
    wantsVersion,
  };
}

/** What the file of --config says; nothing without one. */
function fileEntries(path: string, onFault: OnFault): ReadonlyMap<string, ConfigEntry & { readonly path: string }> {
  if (path === '') return new Map();
  const { entries, faults } = readConfigFile(
    path,
    flagTable.map(({ name }) => name),
  );
  for (const fault of faults) onFault(new UsageError(fault));
  return new Map([...entries].map(([name, entry]) => [name, { ...entry, path }]));
}

/** Texts by flag name; the last of equal flags counts. */
function readArguments(args: readonly string[], commands: readonly string[], onFault: OnFault): Map<string, string> {
  const given = new Map<string, string>();
  for (let position = 0; position < args.length; position += 1) {
    const argument = args[position] as string;
    if (argument === '--') {
      if (position + 1 < args.length) onFault(stray(args[position + 1] as string, args[position], []));
      break;
    }
    if (isWord(argument)) {
      onFault(stray(argument, args[position - 1], commands));
      continue;
    }
    const match = /^--?([^-=][^=]*)(=([\s\S]*))?$/.exec(argument);
    if (match === null) {
      onFault(new UsageError(`bad flag syntax: ${argument}`));
      continue;
    }
    const name = match[1] as string;
    if (['help', 'h', 'version', 'v'].includes(name)) {
      given.set(name.startsWith('h') ? 'help' : 'version', 'true');
      continue;
    }
    const flag = flagTable.find((one) => one.name === name);
    if (flag === undefined) {
      onFault(new UsageError(`flag provided but not defined: -${name}${suggestion(name)}`));
      // The word behind it is its value.
      if (match[2] === undefined && isWord(args[position + 1] ?? '--')) position += 1;
    } else if (match[2] !== undefined) given.set(name, match[3] as string);
    else if (flag.type === 'bool') given.set(name, 'true');
    else if (position + 1 < args.length) given.set(name, args[(position += 1)] as string);
    else onFault(new UsageError(`flag needs an argument: -${name} (${flag.doc})`));
  }
  return given;
}

function isWord(argument: string): boolean {
  return !argument.startsWith('-') || argument === '-';
}

/** op-conductor ignores a word that is no flag, and every flag after it. */
function stray(word: string, before: string | undefined, commands: readonly string[]): UsageError {
  const flag = flagTable.find((one) => one.type === 'bool' && `--${one.name}` === before?.replace(/^--?/, '--'));
  const meant = nearest(word, commands);
  const hint =
    flag !== undefined
      ? `to give a boolean a value, write ${before}=${word}`
      : meant === null
        ? 'flags begin with --'
        : `did you mean ${meant}?`;
  return new UsageError(`"${word}" is neither a flag nor a command (${hint})`);
}

/** The flag's value where it was given, undefined where the default holds. */
function valueOf(
  flag: FlagDefinition,
  argument: string | undefined,
  variable: string | undefined,
  entry: (ConfigEntry & { readonly path: string }) | undefined,
): FlagValue | undefined {
  // What cannot be read is refused even where something else wins.
  const fromFile = entry === undefined ? undefined : fileValue(flag, entry);
  const fromEnvironment = variable === undefined ? undefined : environmentValue(flag, variable);
  return argument === undefined ? (fromEnvironment ?? fromFile) : argumentValue(flag, argument);
}

function fileValue(flag: FlagDefinition, { text, line, path }: ConfigEntry & { readonly path: string }): FlagValue {
  try {
    return argumentValue(flag, text);
  } catch (thrown) {
    throw new UsageError(`--config: ${path}, line ${line}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function defaults(): ParsedFlags['values'] {
  return Object.fromEntries(
    flagTable.map((flag) => [flag.name, readValue(flag, flag.fallback)]),
  ) as ParsedFlags['values'];
}

/** Whether a flag or a variable has a value for it; an empty variable of a number has none. */
function isGiven(
  name: FlagName,
  given: ReadonlyMap<string, string>,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (given.has(name)) return true;
  const variable = env[envNameOf(name)];
  const flag = flagTable.find((one) => one.name === name);
  if (variable === undefined || flag === undefined) return false;
  try {
    return environmentValue(flag, variable) !== undefined;
  } catch {
    // Told as a fault of its own.
    return true;
  }
}

/** Variables that tell the start script of op-conductor's container something, not the process. */
function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set<string>(flagTable.map((flag) => envNameOf(flag.name)));
  return Object.keys(env).filter((name) => name.startsWith(`${envPrefix}_`) && !known.has(name));
}

function suggestion(name: string): string {
  const meant = nearest(
    name,
    flagTable.map((flag) => flag.name),
  );
  return meant === null ? '' : ` (did you mean --${meant}?)`;
}
