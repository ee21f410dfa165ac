/**
 * The flag table: every setting of `conductor run` (flags/), op-conductor's first and in its order, in which mistakes are
 * told, then ours. Each is a flag (--name) and an environment variable (OP_CONDUCTOR_NAME); the flag wins over the
 * variable, the variable over the default. Help, the docs' reference and the tests are made from this table.
 */
import type { FlagDefinition } from './flags/definition.ts';
import { ownFlags } from './flags/own.ts';
import { requiredFlags } from './flags/required.ts';
import { rollupFlags } from './flags/rollup.ts';
import { runningFlags } from './flags/running.ts';
import { telemetryFlags } from './flags/telemetry.ts';

const rows = [...requiredFlags, ...runningFlags, ...telemetryFlags, ...rollupFlags, ...ownFlags] as const;

/** Names of all flags. */
export type FlagName = (typeof rows)[number]['name'];

/** Every flag; the help page shows them by group. */
export const flagTable: readonly (FlagDefinition & { readonly name: FlagName })[] = rows;

/** Names of flags that op-conductor does not have. */
export const ownFlagNames: ReadonlySet<string> = new Set(ownFlags.map(({ name }) => name));
