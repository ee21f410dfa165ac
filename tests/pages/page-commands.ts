/**
 * The commands of a page as its readers see them: read from the MDX after everything generated has been
 * written into it, with the output that the page shows below each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generators } from '../../site/engine/generated/registry.ts';
import { expandGenerated } from '../../site/engine/mdx/expand-generated.ts';
import { fencesOf, type Fence } from './fences.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Languages of fences that hold commands. */
const SHELLS = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

/** A command with its name from `run="…"`; the name is null where the author forgot it. */
export interface PageCommand {
  readonly name: string | null;
  readonly command: string;
  /** What the page shows below it; '' for a command that prints nothing. */
  readonly shown: string;
}

/** A page, or several that are one in what they teach, by the paths of their MDX within the repository. */
export class CommandPage {
  readonly commands: readonly PageCommand[];
  /** The MDX with everything generated in it, page after page. */
  readonly text: string;
  readonly #blocks: readonly Fence[];

  constructor(...paths: readonly string[]) {
    this.text = paths.map(expanded).join('\n');
    this.#blocks = paths.flatMap((path) => fencesOf(expanded(path)));
    this.commands = this.#blocks.flatMap((block, at) => {
      if (!SHELLS.has(block.lang)) return [];
      const next = this.#blocks[at + 1];
      return [{ name: block.meta.run, command: block.text, shown: next?.meta.output === true ? next.text : '' }];
    });
  }

  /** Throws where the page has no command of that name, or two. */
  command(name: string): PageCommand {
    const found = this.commands.filter((one) => one.name === name);
    if (found.length !== 1) throw new Error(`the page has ${found.length} commands with run="${name}"`);
    return found[0] as PageCommand;
  }

  /** The text of the block with that title, as in title="conductor.yaml". */
  file(title: string): string {
    const found = this.#blocks.filter(({ meta }) => meta.title === title);
    if (found.length !== 1) throw new Error(`the page has ${found.length} blocks with title="${title}"`);
    return (found[0] as Fence).text;
  }
}

function expanded(path: string): string {
  const { text, problems } = expandGenerated(path, readFileSync(join(ROOT, path), 'utf8'), generators);
  if (problems.length > 0)
    throw new Error(problems.map(({ line, message }) => `${path}:${line}: ${message}`).join('\n'));
  return text;
}
