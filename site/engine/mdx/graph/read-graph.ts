/**
 * Mermaid's flowcharts and state diagrams, as far as the pages use them: nodes of a few shapes, arrows, and the words
 * on both. What is not known here is a sentence for the author and never a guess.
 */
import { oneLine } from '../escape-text.ts';

export interface Graph {
  readonly direction: 'right' | 'down';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphNode {
  readonly text: string;
  /** `choice` in braces, `store` as a cylinder, `state` with round ends, `point` where states begin and end. */
  readonly shape: 'box' | 'choice' | 'store' | 'state' | 'point';
}

export interface GraphEdge {
  /** Positions of nodes. */
  readonly from: number;
  readonly to: number;
  /** Empty when it has no words. */
  readonly text: string;
  readonly isDashed: boolean;
  readonly hasHeadAtStart: boolean;
  readonly hasHeadAtEnd: boolean;
}

const HEADER = /^(?:(?:flowchart|graph)\s+(LR|TB|TD)|stateDiagram(?:-v2)?)$/;
const NODE = /([\w-]*\w)(?:\[\(([^)]*)\)\]|\["([^"]*)"\]|\[([^\]]*)\]|\{([^}]*)\}|\(([^)]*)\))?/y;
const LINK = /\s*(<?)(?:(-->|---|-\.->|-\.-)(?:\|([^|]*)\|)?|--\s+(.+?)\s+(-->|---)|-\.\s+(.+?)\s+(\.->|\.-))\s*/y;
const TRANSITION = /^(\S+)\s*-->\s*([^\s:]+)\s*(?::\s*(.*))?$/;

/** null when the first line is that of another kind; throws a sentence for the author. */
export function readGraph(lines: readonly string[]): Graph | null {
  const header = HEADER.exec(lines[0] ?? '');
  if (header === null) return null;
  const reader = new GraphReader();
  const isOfStates = header[0].startsWith('state');
  for (const line of lines.slice(1)) {
    const isRead = isOfStates ? reader.readTransition(line) : reader.readChain(line);
    if (!isRead) throw new Error(`“${line}” is not known here: a drawing has nodes, arrows and words on them.`);
  }
  if (reader.nodes.length === 0) throw new Error('nothing comes of it; it has no nodes.');
  const direction = header[1] === 'LR' || isOfStates ? 'right' : 'down';
  return { direction, nodes: reader.nodes, edges: reader.edges };
}

class GraphReader {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];
  readonly #ids: string[] = [];

  /** Nodes joined by arrows: `a[One] --> b -->|words| c`. */
  readChain(line: string): boolean {
    let at = 0;
    const next = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      const found = pattern.exec(line);
      at = found === null ? at : pattern.lastIndex;
      return found;
    };
    let from = this.#node(next(NODE));
    while (from !== null && at < line.length) {
      const link = next(LINK);
      const to = link === null ? null : this.#node(next(NODE));
      if (link === null || to === null || to === from) return false;
      const [, back, plainLine, word, lineWord, lineEnd, dashedWord, dashedEnd] = link;
      const arrow = plainLine ?? lineEnd ?? dashedEnd ?? '';
      this.edges.push({
        from,
        to,
        text: oneLine(word ?? lineWord ?? dashedWord ?? ''),
        isDashed: arrow.includes('.'),
        hasHeadAtStart: back === '<',
        hasHeadAtEnd: arrow.endsWith('>'),
      });
      from = to;
    }
    return from !== null;
  }

  /** `A --> B: words`, where `[*]` is the beginning on the left and the end on the right. */
  readTransition(line: string): boolean {
    const [, left, right, words] = TRANSITION.exec(line) ?? [];
    if (left === undefined || right === undefined || left === right) return false;
    const [from, to] = [this.#state(left, 'begin'), this.#state(right, 'end')];
    const text = oneLine(words ?? '');
    this.edges.push({ from, to, text, isDashed: false, hasHeadAtStart: false, hasHeadAtEnd: true });
    return true;
  }

  #state(name: string, point: string): number {
    return name === '[*]' ? this.#position(`[*] ${point}`, '', 'point') : this.#position(name, name, 'state');
  }

  #node(found: RegExpExecArray | null): number | null {
    if (found === null) return null;
    const [, id = '', store, quoted, boxed, choice, round] = found;
    const text = store ?? quoted ?? boxed ?? choice ?? round;
    const shape =
      store !== undefined ? 'store' : choice !== undefined ? 'choice' : round !== undefined ? 'state' : 'box';
    const position = this.#position(id, id, 'box');
    if (text !== undefined) this.nodes[position] = { text: oneLine(text.replaceAll('"', '')), shape };
    return position;
  }

  #position(id: string, text: string, shape: GraphNode['shape']): number {
    const known = this.#ids.indexOf(id);
    if (known !== -1) return known;
    this.#ids.push(id);
    return this.nodes.push({ text, shape }) - 1;
  }
}
