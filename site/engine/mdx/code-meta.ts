/**
 * What stands after the language on a fence: `title="op-node.yaml" {2,4-6} prompt output run="page/call"`, in any order.
 */
export interface CodeMeta {
  readonly title: string | null;
  /** Highlighted lines, from 1. */
  readonly marked: ReadonlySet<number>;
  readonly prompt: boolean;
  readonly output: boolean;
  /** Name under which what the commands print is recorded; the process tests of tests/pages run them. */
  readonly run: string | null;
  /** Words that mean nothing. */
  readonly unknown: readonly string[];
}

const PART = /title="([^"]*)"|run="([^"]*)"|\{([\d,\s-]+)\}|(\S+)/g;
const MARKED_LINES_MAX = 10_000;

export function readCodeMeta(meta: string): CodeMeta {
  let title: string | null = null;
  let run: string | null = null;
  const marked = new Set<number>();
  const flags = new Set<string>();
  for (const [, named, recorded, ranges, word] of meta.matchAll(PART)) {
    if (named !== undefined) title = named;
    else if (recorded !== undefined) run = recorded;
    else if (ranges !== undefined) for (const line of linesOf(ranges)) marked.add(line);
    else if (word !== undefined) flags.add(word);
  }
  const unknown = [...flags].filter((flag) => flag !== 'prompt' && flag !== 'output');
  return { title, marked, prompt: flags.has('prompt'), output: flags.has('output'), run, unknown };
}

function linesOf(ranges: string): number[] {
  return ranges.split(',').flatMap((range) => {
    const [first = NaN, last = first] = range.split('-').map(Number);
    const count = Math.min(last - first + 1, MARKED_LINES_MAX);
    return count > 0 ? Array.from({ length: count }, (_, index) => first + index) : [];
  });
}
