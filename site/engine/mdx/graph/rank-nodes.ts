/**
 * The first half of a layered drawing (Sugiyama, Tagawa and Toda 1981): how far along the flow each node stands. Edges
 * that would close a circle run backwards, in the order in which they are written; two nodes that hang on the same
 * one and are joined both ways, or neither, stand side by side.
 */
import type { Graph, GraphEdge } from './read-graph.ts';

export interface Ranks {
  /** Of each node, from 0. */
  readonly ranks: readonly number[];
  /** Edges between neighbours of one rank. */
  readonly flat: ReadonlySet<GraphEdge>;
}

export function rankNodes({ nodes, edges }: Graph): Ranks {
  const siblings = edges.filter((edge) => edge.hasHeadAtStart === edge.hasHeadAtEnd && shareOrigin(edge, edges));
  const upright = edges.filter((edge) => !siblings.includes(edge));
  const first = ranksBy(nodes.length, upright);
  const flat = new Set(siblings.filter(({ from, to }) => first[from] === first[to]));
  const ranks =
    flat.size === siblings.length
      ? first
      : ranksBy(
          nodes.length,
          edges.filter((edge) => !flat.has(edge)),
        );
  return { ranks, flat };
}

function shareOrigin(edge: GraphEdge, edges: readonly GraphEdge[]): boolean {
  const originsOf = (node: number): number[] => edges.filter(({ to }) => to === node).map(({ from }) => from);
  const origins = originsOf(edge.from);
  return originsOf(edge.to).some((origin) => origins.includes(origin));
}

/** The longest way to each node; what gives to more nodes than it takes from stands just before the first of them. */
function ranksBy(count: number, edges: readonly GraphEdge[]): number[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  const before: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of edges) {
    const [low, high] = reaches(next, to, from) ? [to, from] : [from, to];
    next[low]?.push(high);
    before[high]?.push(low);
  }
  const ranks: number[] = Array.from({ length: count }, () => 0);
  const order = inOrder(next, before);
  for (const node of order) ranks[node] = Math.max(0, ...(before[node] ?? []).map((one) => (ranks[one] ?? 0) + 1));
  for (const node of order.toReversed()) {
    const after = next[node] ?? [];
    if (after.length > (before[node]?.length ?? 0))
      ranks[node] = Math.min(...after.map((one) => (ranks[one] ?? 0) - 1));
  }
  return ranks;
}

function reaches(next: readonly (readonly number[])[], start: number, goal: number): boolean {
  return start === goal || (next[start] ?? []).some((node) => reaches(next, node, goal));
}

/** Every node after those before it. */
function inOrder(next: readonly (readonly number[])[], before: readonly (readonly number[])[]): number[] {
  const waiting = before.map((nodes) => nodes.length);
  const order = waiting.flatMap((count, node) => (count === 0 ? [node] : []));
  for (const node of order)
    for (const after of next[node] ?? []) {
      waiting[after] = (waiting[after] ?? 0) - 1;
      if (waiting[after] === 0) order.push(after);
    }
  return order;
}
