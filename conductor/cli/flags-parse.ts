/**
 * From the command line and the environment to typed values, as Go's flag package reads them:
 * -name and --name, --name=value or --name value, booleans alone or with =. Command line over
 * environment over default; an empty variable counts as not set; unknown flags are refused.
 */
import { ConfigError } from '#conductor/errors';
import { parseBool, parseDurationMs, parseInteger, parseUnsigned } from './flag-values.ts';
import { envNameOf, envPrefix, flagTable, type FlagDefinition, type FlagName } from './flags.ts';

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

/** Throws ConfigError for the first thing that is wrong. */
export function parseFlags(args: readonly string[], env: Readonly<Record<string, string | undefined>>): ParsedFlags {
  const given = readArguments(args);
  if (given.has('help') || given.has('version')) {
    return {
      values: defaults(),
      unknownVariables: [],
      wantsHelp: given.has('help'),
      wantsVersion: given.has('version'),
    };
  }
  const values: Record<string, FlagValue> = defaults();
  const missing: string[] = [];
  for (const flag of flagTable) {
    const fromArguments = given.get(flag.name);
    const fromEnvironment = env[envNameOf(flag.name)];
    if (fromArguments !== undefined) values[flag.name] = argumentValue(flag, fromArguments);
    else if (fromEnvironment !== undefined && fromEnvironment !== '')
      values[flag.name] = environmentValue(flag, fromEnvironment);
    else if (flag.isRequired) missing.push(flag.name);
  }
  if (missing.length > 0) {
    const list = missing.map((name) => `flag ${name} is required (--${name} or ${envNameOf(name)})`).join('; ');
    throw new ConfigError(`missing required flags: ${list}`);
  }
  return {
    values: values as ParsedFlags['values'],
    unknownVariables: unknownVariables(env),
    wantsHelp: false,
    wantsVersion: false,
  };
}

/** Texts by flag name; the last of equal flags counts. */
function readArguments(args: readonly string[]): Map<string, string> {
  const given = new Map<string, string>();
  for (let position = 0; position < args.length; position += 1) {
    const argument = args[position] as string;
    const match = /^--?([^-=][^=]*)(=([\s\S]*))?$/.exec(argument);
    if (match === null) {
      throw new ConfigError(`"${argument}" is neither a flag nor a command; see --help`);
    }
    const name = match[1] as string;
    if (name === 'help' || name === 'h' || name === 'version' || name === 'v') {
      given.set(name.startsWith('h') ? 'help' : 'version', 'true');
      continue;
    }
    const flag = flagTable.find((one) => one.name === name);
    if (flag === undefined)
      throw new ConfigError(`flag provided but not defined: -${name}${suggestion(name)}; see --help`);
    if (match[2] !== undefined) given.set(name, match[3] as string);
    else if (flag.type === 'bool') given.set(name, 'true');
    else if (position + 1 < args.length) given.set(name, args[(position += 1)] as string);
    else throw new ConfigError(`flag needs an argument: -${name} (${flag.doc})`);
  }
  return given;
}

function argumentValue(flag: FlagDefinition, text: string): FlagValue {
  const value = readValue(flag, text);
  if (value !== undefined) return value;
  const what = flag.type === 'bool' ? 'invalid boolean value' : 'invalid value';
  const link = flag.type === 'bool' ? 'for' : 'for flag';
  throw new ConfigError(`${what} "${text}" ${link} -${flag.name}: ${expectation(flag, text)}`);
}

function environmentValue(flag: FlagDefinition, text: string): FlagValue {
  const value = readValue(flag, text);
  if (value !== undefined) return value;
  throw new ConfigError(
    `could not parse "${text}" as ${flag.type} value from environment variable "${envNameOf(flag.name)}" for flag ${flag.name}: ${expectation(flag, text)}`,
  );
}

function readValue(flag: FlagDefinition, text: string): FlagValue | undefined {
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
      return flag.choices.includes(text.toLowerCase()) ? text.toLowerCase() : undefined;
  }
}

function expectation(flag: FlagDefinition, text: string): string {
  switch (flag.type) {
    case 'bool':
      return 'parse error, want 1, t, true, 0, f or false';
    case 'int':
      return 'parse error, want a whole number';
    case 'uint64':
      return 'parse error, want a whole number of at least 0 without a unit';
    case 'duration':
      return 'parse error, want a number with a unit, like 300ms, 1.5s or 2m';
    case 'string':
      return `unknown ${text}, want one of ${(flag.choices ?? []).join(', ')}`;
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

/** The closest flag that shares its last word, if any. */
function suggestion(name: string): string {
  const words = name.split(/[.-]/);
  const similar = flagTable.find((flag) => flag.name.split(/[.-]/).at(-1) === words.at(-1));
  return similar === undefined ? '' : ` (did you mean --${similar.name}?)`;
}
