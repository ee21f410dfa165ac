/** The reference of configuration options, from the conductor's own flag table: nothing is listed by hand. */
import { envNameOf, flagGroups, flagTable, ownFlagNames, type FlagDefinition } from '#conductor/cli/flags';
import GithubSlugger from 'github-slugger';
import { flagNotes } from './conductor-flag-notes.ts';
import type { Generator } from './generator.ts';
import { code, prose, sentence, table } from './mdx-text.ts';

type Flag = (typeof flagTable)[number];

/** A table per group: a link to each of its flags, and its default. */
export const conductorFlagIndex: Generator = () =>
  flagGroups
    .map((group) =>
      table(
        [group, 'Default'],
        flagsOf(group).map((flag) => [link(flag), flag.fallback === '' ? 'none' : code(flag.fallback)]),
      ),
    )
    .join('\n\n');

/** Links to the flags that must be given. */
export const conductorRequiredFlags: Generator = () =>
  flagTable
    .filter(({ isRequired }) => isRequired)
    .map((flag) => `- ${link(flag)}: ${prose(flag.doc)}`)
    .join('\n');

/** One heading per flag, group by group. */
export const conductorFlags: Generator = () => flagGroups.flatMap((group) => flagsOf(group).map(describe)).join('\n\n');

function flagsOf(group: string): Flag[] {
  return flagTable.filter((flag) => flag.group === group);
}

function link(flag: FlagDefinition): string {
  const title = `--${flag.name}`;
  return `[${code(title)}](#${new GithubSlugger().slug(title)})`;
}

function describe(flag: Flag): string {
  const facts = [
    `- **Variable:** ${code(envNameOf(flag.name))}`,
    `- **Value:** ${valueOf(flag)}`,
    `- **Default:** ${flag.fallback === '' ? 'none' : code(flag.fallback)}`,
    `- **Required:** ${flag.isRequired ? 'yes' : 'no'}`,
  ];
  if (ownFlagNames.has(flag.name)) facts.push('- **In op-conductor:** no');
  const parts = [
    `#### ${code(`--${flag.name}`)}`,
    prose(sentence(flag.doc)),
    facts.join('\n'),
    flagNotes[flag.name] ?? '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function valueOf({ type, choices }: FlagDefinition): string {
  if (choices !== undefined) return choices.map(code).join(', ');
  const kinds = {
    string: 'text',
    int: 'whole number',
    uint64: 'whole number, 0 or more',
    bool: '`true` or `false`',
    duration: 'duration such as `300ms`, `1.5s` or `2m`',
  } as const;
  return kinds[type];
}
