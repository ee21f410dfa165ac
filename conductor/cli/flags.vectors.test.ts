import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFlags } from './flags-parse.ts';
import { flagTable } from './flags.ts';
import { envNameOf } from './flags/definition.ts';

interface TheirFlag {
  readonly name: string;
  readonly env: readonly string[];
  readonly type: string;
  readonly default: string | number | boolean;
  readonly required: boolean;
}

const folder = process.env['VECTORS_DIR'] ?? join(import.meta.dirname, 'testdata');
const theirFlags = (JSON.parse(readFileSync(join(folder, 'flags.json'), 'utf8')) as { flags: TheirFlag[] }).flags;
const required = flagTable.filter((flag) => flag.isRequired).map((flag) => `--${flag.name}=1`);

/** Two texts of a type that mean different values. */
function samples(theirs: TheirFlag): readonly [string, string] {
  if (theirs.type === 'bool') return ['true', 'false'];
  if (theirs.type === 'duration') return ['1m30s', '250ms'];
  const choices = flagTable.find((flag) => flag.name === theirs.name)?.choices ?? [];
  if (theirs.type === 'string' || (theirs.type === 'text' && choices.length === 0)) return ['some text', 'other=text'];
  if (theirs.type === 'int' || theirs.type === 'uint64') return ['17', '0x12'];
  return [choices.at(0) as string, choices.at(-1) as string];
}

describe("op-conductor's flags", () => {
  test.each(theirFlags)('$name: variable, type, default and whether it is required', (theirs) => {
    const ours = flagTable.find((flag) => flag.name === theirs.name);
    expect(ours).toBeDefined();
    if (ours === undefined) return;
    expect([envNameOf(ours.name)]).toEqual(theirs.env);
    expect(ours.type).toBe(theirs.type === 'text' ? 'string' : theirs.type);
    expect(ours.isRequired).toBe(theirs.required);
    expect(ours.fallback).toBe(String(theirs.default));
  });

  test.each(theirFlags)('$name: the command line wins over the variable, the variable over the default', (theirs) => {
    const [a, b] = samples(theirs);
    const env = { [theirs.env[0] as string]: b };
    const read = (args: readonly string[], variables: Record<string, string>): unknown =>
      parseFlags([...required.filter((word) => !word.startsWith(`--${theirs.name}=`)), ...args], variables).values[
        theirs.name as keyof ReturnType<typeof parseFlags>['values']
      ];
    const fromArgument = read([`--${theirs.name}=${a}`], {});
    const fromVariable = read([], env);
    expect(fromArgument).not.toEqual(fromVariable);
    expect(read([`-${theirs.name}=${a}`], env)).toEqual(fromArgument);
    expect(read([`--${theirs.name}=${b}`, `--${theirs.name}=${a}`], {})).toEqual(fromArgument);
    if (theirs.type !== 'bool') expect(read([`--${theirs.name}`, a], env)).toEqual(fromArgument);
    if (!theirs.required) expect([fromArgument, fromVariable].some((value) => value !== read([], {}))).toBe(true);
  });
});
