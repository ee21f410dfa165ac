/**
 * What must be equal in two runs of the same command: everything but hashes, times and block numbers, which
 * are replaced by what kind of thing they are.
 */

const kinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/0x[0-9a-f]{64}\b/gi, '<hash>'],
  [/0x[0-9a-f]{17,}\b/gi, '<bytes>'],
  [/0x[0-9a-f]{1,16}\b/gi, '<quantity>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/g, '<time>'],
  // Fields that count or tell the time; how many peers and which membership depends on the moment.
  [/("(?:connected|number|timestamp|time|version|sequenceNumber)": ?)\d+/g, '$1<number>'],
  [/\b(latest is|block|height|head|\w+_block_number) \d+/g, '$1 <number>'],
  [/^\d+$/gm, '<number>'],
];

/** The text with everything volatile named by its kind. */
export function shapeOf(output: string): string {
  return kinds.reduce((text, [pattern, kind]) => text.replace(pattern, kind), output.trimEnd());
}
