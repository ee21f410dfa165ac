/**
 * References of options from content/data/NAME-options.yaml: flags of a program, or keys of a file when there is no
 * `prefix` for variables. First a list that readers narrow down by typing, then a heading per option.
 */
import GithubSlugger from 'github-slugger';
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, table } from './mdx-text.ts';

interface Option {
  readonly name: string;
  /** Without the prefix, where it does not follow from the name. */
  readonly variable?: string;
  readonly required?: boolean;
  /** What may be given, as Markdown. */
  readonly value: string;
  readonly default?: string;
  readonly example?: string;
  /** What the standard configuration demands, as Markdown. */
  readonly standard?: string;
  readonly text: string;
}

interface Group {
  readonly id: string;
  readonly title: string;
  readonly text?: string;
  readonly options: readonly Option[];
}

interface Options extends Dated {
  /** Of the variables; absent for keys of a file. */
  readonly prefix?: string;
  readonly groups: readonly (Group | { readonly shared: string })[];
}

/** Attribute `of`: the program. */
export const optionList: Generator = ({ of = '' }) => {
  const data = readOptions(of);
  const header = data.prefix === undefined ? ['Key', 'Default'] : ['Flag', 'Variable', 'Default'];
  const rows = groupsOf(data).flatMap(({ options }) =>
    options.map((option) => {
      const title = titleOf(data, option);
      const link = `[${code(title)}](#${new GithubSlugger().slug(title)})`;
      return [link, ...variableOf(data, option).map(code), defaultOf(option)];
    }),
  );
  return `<TableFilter label="Filter options">\n\n${table(header, rows)}\n\n</TableFilter>\n\n${sourceNote(data)}`;
};

/** Attribute `of`: the program. Groups become headings of the third level, options of the fourth. */
export const optionReference: Generator = ({ of = '' }) => {
  const data = readOptions(of);
  return groupsOf(data)
    .flatMap(({ title, text, options }) => [
      `### ${title}`,
      ...(text === undefined ? [] : [text]),
      ...options.map((option) => describe(data, option)),
    ])
    .join('\n\n');
};

function readOptions(of: string): Options {
  if (!/^[a-z][a-z0-9-]*$/.test(of)) throw new Error('options needs `of`, the name before -options.yaml');
  return readContentData<Options>(`${of}-options.yaml`);
}

function groupsOf({ groups }: Options): Group[] {
  return groups.map((group) => {
    if (!('shared' in group)) return group;
    const shared = readContentData<Options>('op-service-options.yaml').groups.find(
      (one): one is Group => 'id' in one && one.id === group.shared,
    );
    if (shared === undefined) throw new Error(`op-service-options.yaml has no group ${group.shared}`);
    return shared;
  });
}

function describe(data: Options, option: Option): string {
  const facts = [
    ...variableOf(data, option).map((name) => `- **Variable:** ${code(name)}`),
    `- **Value:** ${option.value}`,
    `- **Default:** ${defaultOf(option)}`,
  ];
  if (option.required === true) facts.push('- **Required:** yes');
  if (option.example !== undefined) facts.push(`- **Example:** ${code(exampleOf(data, option, option.example))}`);
  if (option.standard !== undefined) facts.push(`- **Standard configuration:** ${option.standard}`);
  return [`#### ${code(titleOf(data, option))}`, option.text, facts.join('\n')].join('\n\n');
}

function titleOf({ prefix }: Options, { name }: Option): string {
  return prefix === undefined ? name : `--${name}`;
}

function exampleOf(data: Options, option: Option, example: string): string {
  return data.prefix === undefined ? example : `${titleOf(data, option)}=${example}`;
}

function variableOf({ prefix }: Options, { name, variable }: Option): string[] {
  if (prefix === undefined) return [];
  return [`${prefix}_${variable ?? name.toUpperCase().replace(/[-.]/g, '_')}`];
}

/** A value and, after a comma, what it means; words alone are no code. */
function defaultOf({ default: value }: Option): string {
  if (value === undefined) return 'none';
  const [first = '', ...rest] = value.split(', ');
  return [first.includes(' ') ? first : code(first), ...rest].join(', ');
}
