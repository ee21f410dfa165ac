/** What a row of the flag table is, the groups of the help page, and the variable that belongs to a flag. */

/** Value kinds, in Go's syntax: booleans 1, t, true, 0, f, false in any case; durations like 1.5s or 2m. */
export type FlagType = 'string' | 'int' | 'uint64' | 'bool' | 'duration';

export interface FlagDefinition {
  readonly name: string;
  readonly type: FlagType;
  /** Default, as it would be written on the command line. */
  readonly fallback: string;
  /** Must be given, even where there is a default (op-conductor has two such flags). */
  readonly isRequired: boolean;
  readonly group: FlagGroup;
  readonly doc: string;
  /** Allowed words, compared in any case. */
  readonly choices?: readonly string[];
  /** Other words for choices, likewise. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The release that brought it; left out for those of the first. */
  readonly since?: string;
}

export const flagGroups = [
  'Configuration',
  'Consensus',
  'Raft',
  'Sequencer',
  'Control',
  'Health',
  'RPC',
  'Logging',
  'Metrics',
  'Tracing',
  'Profiling',
  'Rollup',
  'Flashblocks',
] as const;
export type FlagGroup = (typeof flagGroups)[number];

export const envPrefix = 'OP_CONDUCTOR';

/** The variable of a flag: upper case, dots and dashes as underscores, prefixed. */
export function envNameOf(flagName: string): string {
  return `${envPrefix}_${flagName.toUpperCase().replace(/[.-]/g, '_')}`;
}

/** Rows by the type of the value: a name, its default, its group, and what help and pages say of it. */
export const textFlag = rowsOf('string');
export const intFlag = rowsOf('int');
export const uint64Flag = rowsOf('uint64');
export const boolFlag = rowsOf('bool');
export const durationFlag = rowsOf('duration');

function rowsOf(type: FlagType) {
  return <const Name extends string>(name: Name, fallback: string, group: FlagGroup, doc: string) => ({
    name,
    type,
    fallback,
    isRequired: false,
    group,
    doc,
  });
}
