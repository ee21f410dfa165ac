/** The reference of configuration options, from the conductor's own flag table: nothing is listed by hand. */
import { flagTable, ownFlagNames } from '#conductor/cli/flags';
import { envNameOf, flagGroups, type FlagDefinition } from '#conductor/cli/flags/definition';
import GithubSlugger from 'github-slugger';
import { flagNotes } from './conductor-flag-notes.ts';
import type { Generator } from './generator.ts';
import { conductorRoutes, relinked } from './conductor-reference-links.ts';
import { code, prose, sentence, table } from './mdx-text.ts';
import { badgesOf } from './row-badges.ts';

type Flag = (typeof flagTable)[number];

/** One line per flag, with the anchor under which it is linked; the name leads to the reference. */
export const conductorFlagTable: Generator = () => {
  const rows = flagGroups
    .flatMap((group) => flagsOf(group))
    .map((flag) => [named(flag), fallbackOf(flag), lineOf(flag)]);
  return `<TableFilter label="Filter options">\n\n${table(['Flag', 'Default', 'What it does'], rows)}\n\n</TableFilter>`;
};

/** The reference: a heading per group, below it one per flag. */
export const conductorFlags: Generator = () => {
  const parts = flagGroups.flatMap((group) => [`### ${group}`, ...flagsOf(group).map(describe)]);
  return relinked(parts.join('\n\n'), conductorRoutes.flags);
};

function flagsOf(group: string): Flag[] {
  return flagTable.filter((flag) => flag.group === group);
}

/** The name with its anchor, as a link to the reference. */
function named(flag: FlagDefinition): string {
  const title = `--${flag.name}`;
  const anchor = new GithubSlugger().slug(title);
  return `<span id="${anchor}">[${code(title)}](${conductorRoutes.flags}#${anchor})</span>`;
}

function fallbackOf({ fallback, isRequired }: FlagDefinition): string {
  const value = fallback === '' ? 'none' : code(fallback);
  return isRequired ? `${value}, **required**` : value;
}

/** What the flag is for, in one line: what stands after a colon or semicolon is in the reference. */
function lineOf({ doc }: FlagDefinition): string {
  const [first = doc] = doc.split(/; |: /);
  return prose(sentence(first));
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
    badgesOf({ name: `--${flag.name}`, isOwn: ownFlagNames.has(flag.name), ...sinceOf(flag) }),
    prose(sentence(flag.doc)),
    facts.join('\n'),
    flagNotes[flag.name] ?? '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function sinceOf({ since }: FlagDefinition): { readonly since?: string } {
  return since === undefined ? {} : { since };
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
