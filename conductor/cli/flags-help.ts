/** The help page of `conductor run`: the flag table by groups, with variables and defaults. */
import { envNameOf, flagGroups, flagTable, ownFlagNames, type FlagDefinition } from './flags.ts';

const nameColumn = 34;

/** The whole page, ending in a line feed. */
export function helpText(
  version: string,
  commands: readonly { readonly name: string; readonly doc: string }[],
): string {
  const lines = [
    `conductor ${version}: keeps a rollup's sequencer highly available (drop-in for op-conductor)`,
    '',
    'Usage: conductor [flags]              run the conductor beside a sequencer',
    '       conductor <command> [options]  (conductor <command> --help says more)',
    '',
    'Commands:',
    ...commands.map((command) => `  ${command.name.padEnd(16)}${command.doc}`),
    '',
    'Every flag can be given as the environment variable in brackets. Flags win over variables.',
    'Durations are like 300ms, 1.5s or 2m. Flags marked + are not known to op-conductor.',
  ];
  for (const group of flagGroups) {
    lines.push('', `${group}:`);
    for (const flag of flagTable) if (flag.group === group) lines.push(...describe(flag));
  }
  return `${lines.join('\n')}\n`;
}

function describe(flag: FlagDefinition): string[] {
  const mark = ownFlagNames.has(flag.name) ? '+' : ' ';
  const value = flag.type === 'bool' ? '' : ` <${flag.type}>`;
  const name = `--${flag.name}${value}`;
  const notes = [
    flag.isRequired ? 'required' : flag.fallback === '' ? '' : `default ${flag.fallback}`,
    flag.choices === undefined ? '' : flag.choices.join('|'),
  ].filter((note) => note !== '');
  const doc = `${flag.doc}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
  const head =
    name.length < nameColumn - 1
      ? [`${mark} ${name.padEnd(nameColumn)}${doc}`]
      : [`${mark} ${name}`, `  ${''.padEnd(nameColumn)}${doc}`];
  return [...head, `  ${''.padEnd(nameColumn)}[${envNameOf(flag.name)}]`];
}
