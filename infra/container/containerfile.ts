/**
 * Reads a Containerfile and carries out its file instructions without a builder: COPY and RUN in a folder per
 * stage, where this machine stands for the image that a stage begins with. For the tests of the image.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface Instruction {
  /** In upper case. */
  readonly name: string;
  /** --from=…, --chown=… and the like, without the dashes. */
  readonly options: Readonly<Record<string, string>>;
  /** What follows, on one line. */
  readonly rest: string;
}

/** All instructions in order; comments are gone and continued lines joined. */
export function parseContainerfile(text: string): Instruction[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n');
  return lines.map((line) => {
    const [name = '', ...words] = line.trim().split(/\s+/);
    const options: Record<string, string> = {};
    while (words[0]?.startsWith('--') === true) {
      const [key = '', ...value] = words.shift()!.slice(2).split('=');
      options[key] = value.join('=');
    }
    return { name: name.toUpperCase(), options, rest: words.join(' ') };
  });
}

/** The words of an exec form, ["…", "…"]; null for a shell form. */
export function execForm(rest: string): string[] | null {
  try {
    const words: unknown = JSON.parse(rest);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : null;
  } catch {
    return null;
  }
}

/** Builds all stages from `context` in folders under `work`; returns the root folder of the last. Throws with what failed. */
export function assembleImage(
  instructions: readonly Instruction[],
  { context, work }: { readonly context: string; readonly work: string },
): string {
  const stages = new Map<string, string>();
  let root = '';
  for (const { name, options, rest } of instructions) {
    if (name === 'FROM') {
      root = join(work, `stage-${stages.size}`);
      mkdirSync(root);
      stages.set(/ AS (\S+)$/i.exec(rest)?.[1] ?? '', root);
    } else if (name === 'COPY') {
      const source = options['from'] === undefined ? context : stages.get(options['from']);
      if (source === undefined) throw new Error(`COPY --from=${options['from']} names no stage`);
      copy(source, rest.split(' '), root);
    } else if (name === 'RUN') {
      run(rest, root);
    }
  }
  return root;
}

function copy(source: string, words: readonly string[], root: string): void {
  const target = join(root, words.at(-1)!);
  for (const word of words.slice(0, -1)) {
    const from = join(source, word);
    const isIntoFolder = words.at(-1)!.endsWith('/') && !word.endsWith('/');
    cpSync(from, isIntoFolder ? join(target, basename(word)) : target, { recursive: true });
  }
}

/** A command of the stage; absolute paths are those of the stage. */
function run(rest: string, root: string): void {
  const words = execForm(rest);
  if (words === null) throw new Error(`RUN ${rest} is not in exec form`);
  const [command = '', ...others] = words.map((word) => (word.startsWith('/') ? join(root, word) : word));
  const result = spawnSync(command, others, { encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`RUN ${rest} failed: ${result.error?.message ?? result.stderr}`);
}
