/**
 * The help page of `conductor run`: the flag table by groups, each flag with its meaning, its variable and
 * its default, wrapped to the terminal. Only a word that is longer than a line breaks the width.
 */
import { flagTable, ownFlagNames } from './flags.ts';
import { envNameOf, flagGroups, type FlagDefinition } from './flags/definition.ts';
import { wordWrap } from './terminal/word-wrap.ts';

const columnsMin = 40;
/** Longer lines are tiring to read, however wide the terminal. */
const columnsMax = 100;
const indent = ' '.repeat(6);
const commandColumn = 16;

export interface HelpOptions {
  readonly version: string;
  readonly commands: readonly { readonly name: string; readonly doc: string }[];
  /** Width of the terminal; 80 is usual where there is none. */
  readonly columns: number;
}

/** The whole page, ending in a line feed. */
export function helpText({ version, commands, columns }: HelpOptions): string {
  const width = Math.min(Math.max(columns, columnsMin), columnsMax);
  const lines = [
    ...wordWrap(
      `conductor ${version}: keeps a rollup's sequencer highly available (drop-in for op-conductor)`,
      '',
      width,
    ),
    '',
    'Usage: conductor [flags]              run the conductor beside a sequencer',
    '       conductor <command> [options]  conductor <command> --help says more',
    '',
    'Commands:',
    ...commands.flatMap(({ name, doc }) => described(name, doc, width)),
    '',
    ...wordWrap(
      'Every flag can be given as the environment variable below it. Flags win over variables, variables over ' +
        'the file of --config, and that over defaults. --flag value and --flag=value are the same; booleans need the second form. Durations are like ' +
        '300ms, 1.5s or 2m. Flags marked + are not known to op-conductor.',
      '',
      width,
    ),
  ];
  for (const group of flagGroups) {
    lines.push('', `${group}:`);
    for (const flag of flagTable) if (flag.group === group) lines.push(...describe(flag, width));
  }
  return `${lines.join('\n')}\n`;
}

function described(name: string, doc: string, width: number): string[] {
  const [first = '', ...others] = wordWrap(doc, ' '.repeat(commandColumn), width);
  return [`  ${name.padEnd(commandColumn - 3)} ${first.trimStart()}`, ...others];
}

function describe(flag: FlagDefinition, width: number): string[] {
  const mark = ownFlagNames.has(flag.name) ? '+' : ' ';
  const value = flag.type === 'bool' ? '' : ` <${flag.choices?.join('|') ?? flag.type}>`;
  const [first = '', ...others] = wordWrap(`--${flag.name}${value}`, indent, width);
  const note = flag.isRequired ? ', required' : flag.fallback === '' ? '' : `, default ${flag.fallback}`;
  return [
    `${mark} ${first.trimStart()}`,
    ...others,
    ...wordWrap(`${flag.doc}.`, indent, width),
    ...wordWrap(`${envNameOf(flag.name)}${note}`, indent, width),
  ];
}
