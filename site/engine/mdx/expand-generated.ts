/**
 * Replaces every line `<Generated from="name" key="value" />` by the MDX that the function of that
 * name writes. It happens to the text, before it is parsed, so that nothing later can tell generated
 * from authored words; lines remember where they came from. What is written may hold such lines again.
 */
import type { Generator } from '../generated/generator.ts';
import type { Problem } from '../problems.ts';
import { linesOutsideFences } from './fences.ts';

export interface ExpandedText {
  readonly text: string;
  /** The line of the file, from 1, for a line of the text, from 1. */
  sourceLine(line: number): number;
  readonly problems: readonly Problem[];
}

const ELEMENT = /^(\s*)<Generated((?:\s+[A-Za-z][\w-]*="[^"]*")+)\s*\/>\s*$/;
const ATTRIBUTE = /([A-Za-z][\w-]*)="([^"]*)"/g;

/** How deep generated text may ask for more of it; a page that holds itself would have no end. */
const DEPTH_MAX = 3;

export function expandGenerated(
  file: string,
  text: string,
  generators: Readonly<Record<string, Generator>>,
  depth = 0,
): ExpandedText {
  const lines: string[] = [];
  const origins: number[] = [];
  const problems: Problem[] = [];
  const written = text.split('\n');
  const outside = linesOutsideFences(written);
  for (const [index, line] of written.entries()) {
    const element = outside[index] === true ? ELEMENT.exec(line) : null;
    const made = element === null ? line : generate(element, { file, line: index + 1, generators, problems, depth });
    for (const part of made.split('\n')) {
      lines.push(part);
      origins.push(index + 1);
    }
  }
  return { text: lines.join('\n'), sourceLine: (line) => origins[line - 1] ?? origins.at(-1) ?? 1, problems };
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly generators: Readonly<Record<string, Generator>>;
  readonly problems: Problem[];
  readonly depth: number;
}

/** The MDX for one element, as deeply indented as the element was. */
function generate(element: RegExpExecArray, place: Place): string {
  const { file, line, generators, problems, depth } = place;
  const { from, ...attributes } = Object.fromEntries(
    Array.from((element[2] ?? '').matchAll(ATTRIBUTE), (match) => [match[1] ?? '', match[2] ?? '']),
  );
  const complain = (message: string): string => {
    problems.push({ file, line, message });
    return '';
  };
  if (depth >= DEPTH_MAX)
    return complain(`<Generated> stands in generated text ${DEPTH_MAX} times over; does it hold itself?`);
  if (from === undefined || !Object.hasOwn(generators, from)) {
    const names = Object.keys(generators).join(', ');
    return complain(
      `<Generated> names ${JSON.stringify(from ?? '')} in \`from\`; there is ${names === '' ? 'none yet' : names}.`,
    );
  }
  try {
    const written = expandGenerated(file, generators[from]?.(attributes) ?? '', generators, depth + 1);
    problems.push(...written.problems.map((problem) => ({ ...problem, line })));
    const indent = element[1] ?? '';
    return written.text
      .trimEnd()
      .split('\n')
      .map((part) => (part === '' ? part : indent + part))
      .join('\n');
  } catch (error) {
    return complain(
      `<Generated from=${JSON.stringify(from)}> failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
