/**
 * Reads YAML written by authors (the head of a page, a menu) against a schema. Problems are sentences
 * with the line of the key they are about, and all of them at once; of what is no YAML the first, for others follow from it.
 */
import { isNode, LineCounter, parseDocument, visit, type Alias, type Document } from 'yaml';
import type { ZodType } from 'zod';
import type { Problem } from './problems.ts';

export interface YamlPart {
  readonly file: string;
  /** Line of the file on which the text begins. */
  readonly firstLine: number;
  readonly text: string;
}

export interface YamlReading<T> {
  /** null with at least one problem. */
  readonly value: T | null;
  readonly problems: readonly Problem[];
  /** Line of the file on which the node at a path stands. */
  lineOf(path: readonly PropertyKey[]): number;
}

/** The schema's messages must be whole sentences. */
export function readYamlPart<T>(part: YamlPart, schema: ZodType<T>): YamlReading<T> {
  const lines = new LineCounter();
  const document = parseDocument(part.text, { lineCounter: lines });
  const lineAt = (offset: number): number => part.firstLine + Math.max(lines.linePos(offset).line, 1) - 1;
  const lineOf = (path: readonly PropertyKey[]): number => lineAt(offsetOf(document, path));
  const { file } = part;
  const refused = (offset: number, message: string): YamlReading<T> => {
    const problem = { file, line: lineAt(offset), message: `This is not YAML: ${sentence(message)}` };
    return { value: null, problems: [problem], lineOf };
  };
  const [broken] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (broken !== undefined) return refused(broken.pos[0], broken.message);
  const unresolved = unresolvedAlias(document);
  if (unresolved !== null) return refused(unresolved.range?.[0] ?? 0, `There is no anchor &${unresolved.source}.`);
  const result = schema.safeParse(document.toJS() ?? undefined);
  if (result.success) return { value: result.data, problems: [], lineOf };
  const problems = result.error.issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    return { file, line: lineOf(path), message: issue.message };
  });
  return { value: null, problems, lineOf };
}

function unresolvedAlias(document: Document): Alias | null {
  let found: Alias | null = null;
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document) !== undefined) return undefined;
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

/** Where the deepest existing node of a path stands. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function sentence(message: string): string {
  const first = message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '';
  return first.endsWith('.') ? first : `${first}.`;
}
