/**
 * From the text of a flag or a variable to a value of the flag's type, and what is said of a text that is none: as
 * op-conductor's flag library has it, and what would have been right.
 */
import { ConfigError } from '#conductor/core/errors';
import { parseBool, parseDurationMs, parseInteger, parseUnsigned, type Reading } from './flag-values.ts';
import { envNameOf, type FlagDefinition } from './flags/definition.ts';

/** Durations are milliseconds. */
export type FlagValue = string | number | boolean;

/** A command line or variable that cannot be read, rather than one whose setting cannot work. */
export class UsageError extends ConfigError {
  readonly isUsage = true;
}

/** The value of a text behind a flag; throws UsageError in the words of op-conductor’s flag library. */
export function argumentValue(flag: FlagDefinition, text: string): FlagValue {
  const value = readValue(flag, text);
  if (!isFault(flag, value)) return value;
  const what = flag.type === 'bool' ? 'invalid boolean value' : 'invalid value';
  const link = flag.type === 'bool' ? 'for' : 'for flag';
  const isOutOfRange = value === 'range' && flag.type !== 'duration';
  const fault =
    flag.choices === undefined ? (isOutOfRange ? 'value out of range' : 'parse error') : unknownChoice(flag, text);
  throw new UsageError(`${what} ${JSON.stringify(text)} ${link} -${flag.name}: ${fault}, ${expectation(flag)}`);
}

/** The value of a variable, undefined where an empty one sets nothing; throws UsageError likewise. */
export function environmentValue(flag: FlagDefinition, text: string): FlagValue | undefined {
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

/** The value of a text, or which kind of fault it has. */
export function readValue(flag: FlagDefinition, text: string): Reading<FlagValue> {
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
      return choiceOf(flag, text.toLowerCase()) ?? 'syntax';
  }
}

function choiceOf({ choices, aliases }: FlagDefinition, word: string): string | undefined {
  return choices?.includes(word) === true ? word : aliases?.[word];
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
