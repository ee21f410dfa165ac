/** Reads parsed flag values by their type, and refuses settings that cannot work. */
import { ConfigError } from '#conductor/core/errors';
import type { FlagName } from '#conductor/cli/flags';
import type { ParsedFlags } from '#conductor/cli/flags-parse';

export type Values = ParsedFlags['values'];

export function text(values: Values, name: FlagName): string {
  return values[name] as string;
}

export function number(values: Values, name: FlagName): number {
  return values[name] as number;
}

export function flag(values: Values, name: FlagName): boolean {
  return values[name] as boolean;
}

/** A port to listen on; 0 lets the system choose. */
export function checkPort(values: Values, name: FlagName, message: string): void {
  const port = number(values, name);
  if (port < 0 || port > 65_535) invalid(`${message}: --${name} is ${port}, want 0 to 65535`);
}

/** Something that must be given is not: it follows where a flag is missing or cannot be read. */
export class AbsentSettingError extends ConfigError {
  readonly isAbsence = true;
}

/** Throws AbsentSettingError in op-conductor's words. */
export function absent(message: string): never {
  throw new AbsentSettingError(`invalid config: ${message}`);
}

/** Throws ConfigError in op-conductor's words. */
export function invalid(message: string): never {
  throw new ConfigError(`invalid config: ${message}`);
}
