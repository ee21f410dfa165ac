/**
 * Completion scripts for bash, zsh and fish, made from the flag table and the commands, so that none is
 * ever behind. They are static text: completing a word does not start the conductor.
 */

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** One flag as a shell completes it. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  readonly doc: string;
  readonly takesValue: boolean;
  /** Words it takes; where there are none, a value may be a file. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly doc: string;
  /** Words it takes beside flags. */
  readonly arguments: readonly string[];
  readonly flags: readonly CompletedFlag[];
}

export interface CompletionSpec {
  readonly commands: readonly CompletedCommand[];
  /** Flags without a command. */
  readonly flags: readonly CompletedFlag[];
}

/** The script of a shell, ending in a line feed. */
export function completionScript(shell: Shell, spec: CompletionSpec): string {
  return { bash, zsh, fish }[shell](spec);
}

function bash({ commands, flags }: CompletionSpec): string {
  const names = commands.map((command) => command.name).join(' ');
  const words = (list: readonly CompletedFlag[]): string => list.map((flag) => flag.name).join(' ');
  const perCommand = commands.map(
    (command) => `    ${command.name}) words="${[...command.arguments, words(command.flags)].join(' ').trim()}" ;;`,
  );
  return `# bash completion for conductor; source it, or put it where bash-completion looks.
_conductor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words
  # Bash splits --flag=value into three words.
  if [[ $current == = ]]; then current=
  elif [[ $previous == = ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$previous" in
${bashValues([...flags, ...commands.flatMap((command) => command.flags)])}
  esac
  case "\${COMP_WORDS[1]}" in
${perCommand.join('\n')}
    *) words="${words(flags)}" ;;
  esac
  if [[ $COMP_CWORD == 1 ]]; then words="${names} $words"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _conductor conductor
`;
}

/** After a flag that takes a value: its words, or none, which lets bash offer files. */
function bashValues(flags: readonly CompletedFlag[]): string {
  const unique = new Map(flags.filter((flag) => flag.takesValue).map((flag) => [flag.name, flag]));
  const chosen = [...unique.values()].filter((flag) => flag.choices.length > 0);
  const free = [...unique.values()].filter((flag) => flag.choices.length === 0);
  const lines = chosen.map(
    ({ name, choices }) => `    ${name}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$current")); return ;;`,
  );
  return [...lines, `    ${free.map((flag) => flag.name).join('|')}) return ;;`].join('\n');
}

function zsh({ commands, flags }: CompletionSpec): string {
  const argument = ({ name, doc, takesValue, choices }: CompletedFlag): string => {
    const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
    return `'${name}${takesValue ? '=' : ''}[${zshText(doc)}]${takesValue ? value : ''}'`;
  };
  const list = (flagList: readonly CompletedFlag[], words: readonly string[]): string =>
    [...flagList.map(argument), ...(words.length > 0 ? [`'1:argument:(${words.join(' ')})'`] : [])].join(' \\\n      ');
  const cases = commands.map(
    (command) => `    ${command.name}) shift words; (( CURRENT-- )); _arguments \\
      ${list(command.flags, command.arguments)} ;;`,
  );
  return `#compdef conductor
# zsh completion for conductor; source it, or put it into a folder of $fpath as _conductor.
_conductor() {
  local -a commands=(
${commands.map(({ name, doc }) => `    '${name}:${zshText(doc)}'`).join('\n')}
  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then _describe command commands; return; fi
  case $words[2] in
${cases.join('\n')}
    *) _arguments \\
      ${list(flags, [])} ;;
  esac
}
if [[ $funcstack[1] == _conductor ]]; then _conductor "$@"; else compdef _conductor conductor; fi
`;
}

/** Inside quotes and brackets. */
function zshText(text: string): string {
  return text.replaceAll("'", "'\\''").replaceAll(/[[\]:]/g, '\\$&');
}

function fish({ commands, flags }: CompletionSpec): string {
  const names = commands.map((command) => command.name).join(' ');
  const flagLine = (condition: string, { name, doc, takesValue, choices }: CompletedFlag): string => {
    const value = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : takesValue ? ' -r' : '';
    return `complete -c conductor -n '${condition}' -l ${name.slice(2)}${value} -d '${fishText(doc)}'`;
  };
  const lines = [
    '# fish completion for conductor; source it, or put it into ~/.config/fish/completions/conductor.fish.',
    'complete -c conductor -f',
    ...commands.map(
      ({ name, doc }) => `complete -c conductor -n __fish_use_subcommand -a ${name} -d '${fishText(doc)}'`,
    ),
    ...flags.map((flag) => flagLine(`not __fish_seen_subcommand_from ${names}`, flag)),
  ];
  for (const command of commands) {
    const condition = `__fish_seen_subcommand_from ${command.name}`;
    if (command.arguments.length > 0)
      lines.push(`complete -c conductor -n '${condition}' -a '${command.arguments.join(' ')}'`);
    lines.push(...command.flags.map((flag) => flagLine(condition, flag)));
  }
  return `${lines.join('\n')}\n`;
}

function fishText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
