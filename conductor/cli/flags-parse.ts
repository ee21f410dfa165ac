/**
 * From the command line and the environment to typed values, as op-conductor's flag library reads them:
 * -name and --name, --name=value or --name value, booleans alone or with =; the last of equal flags counts.
 * Command line over environment over default. An empty variable is a text, false, or (numbers) not set.
 */
import { ConfigError } from '#conductor/core/errors';
import { parseBool, parseDurationMs, parseInteger, parseUnsigned, type Reading } from './flag-values.ts';
import { flagTable, type FlagName } from './flags.ts';
import { envNameOf, envPrefix, type FlagDefinition } from './flags/definition.ts';
import { nearest } from './nearest.ts';

/** Durations are milliseconds. */
export type FlagValue = string | number | boolean;

export interface ParsedFlags {
  /** A value for every flag. */
  readonly values: Readonly<Record<FlagName, FlagValue>>;
  /** Variables with our prefix that name no flag: worth a warning. */
  readonly unknownVariables: readonly string[];
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/** A command line or variable that cannot be read, rather than one whose setting cannot work. */
export class UsageError extends ConfigError {
  readonly isUsage = true;
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
    return { values: values as ParsedFlags['values'], unknownVariables: [], wantsHelp, wantsVersion };
  const missing: string[] = [];
  for (const flag of flagTable) {
    try {
      const value = valueOf(flag, given.get(flag.name), env[envNameOf(flag.name)]);
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
    wantsHelp,
    wantsVersion,
  };
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
): FlagValue | undefined {
  // A variable that cannot be read is refused even where the command line wins.
  const fromEnvironment = variable === undefined ? undefined : environmentValue(flag, variable);
  return argument === undefined ? fromEnvironment : argumentValue(flag, argument);
}

function argumentValue(flag: FlagDefinition, text: string): FlagValue {
  const value = readValue(flag, text);
  if (!isFault(flag, value)) return value;
  const what = flag.type === 'bool' ? 'invalid boolean value' : 'invalid value';
  const link = flag.type === 'bool' ? 'for' : 'for flag';
  const isOutOfRange = value === 'range' && flag.type !== 'duration';
  const fault =
    flag.choices === undefined ? (isOutOfRange ? 'value out of range' : 'parse error') : unknownChoice(flag, text);
  throw new UsageError(`${what} ${JSON.stringify(text)} ${link} -${flag.name}: ${fault}, ${expectation(flag)}`);
}

function environmentValue(flag: FlagDefinition, text: string): FlagValue | undefined {
  if (text === '' && flag.choices === undefined && flag.type === 'string') return '';
  if (text === '') return flag.type === 'bool' ? false : undefined;
  const value = readValue(flag, text);
  if (!isFault(flag, value)) return value;
  const [quoted, source] = [JSON.stringify(text), `environment variable "${envNameOf(flag.name)}"`];
  throw new UsageError(
    flag.choices === undefined
      ? `could not parse ${quoted} as ${flag.type} value from ${source} for flag ${flag.name}: ${goFault(flag, quoted, value)}, ${expectation(flag)}`
      : `could not parse ${quoted} from ${source} as value for flag ${flag.name}: ${unknownChoice(flag, text)}, ${expectation(flag)}`,
  );
}

function readValue(flag: FlagDefinition, text: string): Reading<FlagValue> {
  switch (flag.type) {
    case 'bool':
      return parseBool(text);
    case 'int':
      return parseInteger(text);
    case 'uint64':
      return parseUnsigned(text);
    case 'duration':
      return parseDurationMs(text);
    case 'string':
      if (flag.choices === undefined || text === flag.fallback) return text;
      return flag.choices.includes(text.toLowerCase()) ? text.toLowerCase() : 'syntax';
  }
}

/** A text may read 'syntax' itself; only a word that is none of the choices is at fault. */
function isFault(flag: FlagDefinition, value: Reading<FlagValue>): value is 'syntax' | 'range' {
  if (flag.type === 'string') return flag.choices !== undefined && value === 'syntax';
  return value === 'syntax' || value === 'range';
}

/** What Go's own reader says of a text from the environment. */
function goFault(flag: FlagDefinition, quoted: string, fault: 'syntax' | 'range'): string {
  if (flag.type === 'duration') {
    return /^"[+-]?[\d.]+"$/.test(quoted)
      ? `time: missing unit in duration ${quoted}`
      : `time: invalid duration ${quoted}`;
  }
  const reader = { bool: 'ParseBool', int: 'ParseInt', uint64: 'ParseUint', string: '' }[flag.type];
  return `strconv.${reader}: parsing ${quoted}: ${fault === 'range' ? 'value out of range' : 'invalid syntax'}`;
}

function unknownChoice(flag: FlagDefinition, text: string): string {
  if (flag.name === 'log.level') return `unknown level: ${text}`;
  if (flag.name === 'log.format') return `unrecognized log-format: "${text}"`;
  return flag.name === 'pprof.type' ? `unknown profile type: "${text}"` : `unknown value: "${text}"`;
}

function expectation(flag: FlagDefinition): string {
  switch (flag.type) {
    case 'bool':
      return 'want 1, t, true, 0, f or false';
    case 'int':
      return 'want a whole number';
    case 'uint64':
      return 'want a whole number of at least 0 without a unit';
    case 'duration':
      return 'want a number with a unit, like 300ms, 1.5s or 2m';
    case 'string':
      return `want one of ${(flag.choices ?? []).join(', ')}`;
  }
}

function defaults(): ParsedFlags['values'] {
  return Object.fromEntries(
    flagTable.map((flag) => [flag.name, readValue(flag, flag.fallback)]),
  ) as ParsedFlags['values'];
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
