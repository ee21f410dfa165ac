/**
 * The manual page conductor(1), from the tables of flags and commands, in man(7): what a package installs, and what
 * `conductor man` prints for those who copied the binary.
 */
import { conductorPage } from './documentation.ts';
import { flagTable, ownFlagNames } from './flags.ts';
import { envNameOf, flagGroups, type FlagDefinition } from './flags/definition.ts';

export interface ManPageOptions {
  readonly version: string;
  readonly commands: readonly { readonly name: string; readonly doc: string }[];
}

/** The whole page, ending in a line feed; ASCII. */
export function manPage({ version, commands }: ManPageOptions): string {
  const lines = [
    `.TH CONDUCTOR 1 "" "conductor ${plain(version)}" "User Commands"`,
    // Ragged: long names of flags cannot be spread over a line.
    '.ad l',
    ...section('NAME', `conductor \\- ${plain("keeps a rollup's sequencer highly available")}`),
    ...section('SYNOPSIS', '.B conductor\n[\\fIoptions\\fR]', '.br', '.B conductor\n\\fIcommand\\fR [\\fIoptions\\fR]'),
    ...section(
      'DESCRIPTION',
      plain(
        'Without a command it runs beside the op-node and the execution client of one sequencer, in a cluster that elects which of them builds blocks. It takes the place of op-conductor. `conductor COMMAND --help` says more of a command.',
      ),
    ),
    ...section('COMMANDS', ...commands.flatMap(({ name, doc }) => tagged(`\\fB${plain(name)}\\fR`, doc))),
    ...section(
      'OPTIONS',
      plain(
        'Each is a flag, a variable of the environment and a name in the file of --config. The flag wins over the variable, the variable over the file, the file over the default. Durations are like 300ms, 1.5s or 2m.',
      ),
    ),
    ...flagGroups.flatMap((group) => [
      `.SS ${group}`,
      ...flagTable.filter((flag) => flag.group === group).flatMap(describe),
    ]),
    ...section(
      'SIGNALS',
      ...tagged('SIGTERM, SIGINT', 'hands leadership over, stops the sequencer and ends; a second one ends at once'),
      ...tagged(
        'SIGHUP',
        'reads tokens, secrets, certificates and the file of --config again, of which the log level is applied',
      ),
    ),
    ...section(
      'EXIT STATUS',
      ...tagged('0', 'an end in order'),
      ...tagged('1', 'it could not start, or its store failed'),
      ...tagged('2', 'its end was forced; of a command: it was called wrongly'),
    ),
    ...section(
      'FILES',
      ...tagged('/etc/conductor/conductor.env', 'variables of the service, where the package is installed'),
      ...tagged('/var/lib/conductor', 'its store there'),
    ),
    ...section('SEE ALSO', plain(conductorPage)),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, ...lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines];
}

/** `tag` is roff. */
function tagged(tag: string, doc: string): string[] {
  return ['.TP', tag, plain(doc)];
}

function describe(flag: FlagDefinition): string[] {
  const value = flag.type === 'bool' ? '' : ` \\fI${plain(flag.choices?.join('|') ?? flag.type)}\\fR`;
  const facts = [
    flag.isRequired ? 'required' : '',
    flag.fallback === '' ? '' : `default ${flag.fallback}`,
    ownFlagNames.has(flag.name) ? 'not known to op-conductor' : '',
  ].filter((fact) => fact !== '');
  const doc = `${flag.doc}.${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
  return [...tagged(`\\fB\\-\\-${plain(flag.name)}\\fR${value}`, doc), '.br', plain(envNameOf(flag.name))];
}

/** Text as roff: nothing in it is a request, hyphens are minus signs, what is not ASCII is named by its number. */
function plain(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/[^\x20-\x7e]/gu, (one) => `\\[u${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
