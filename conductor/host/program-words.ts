/**
 * The words that this program was started with. Manifests of op-conductor's image, which has no entry point, begin with the
 * name of that program; beside the entry point of ours it is one word more.
 */

/** Name of op-conductor's program. */
const replaced = 'op-conductor';

/** The words after the program's name, whoever wrote it. */
export function programWords(argv: readonly string[]): readonly string[] {
  const words = argv.slice(2);
  return words[0]?.split('/').at(-1) === replaced ? words.slice(1) : words;
}
