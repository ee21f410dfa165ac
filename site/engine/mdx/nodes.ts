/**
 * Markdown's syntax tree with MDX, as far as the engine looks at it.
 */
import type { Program } from './literals.ts';

export interface Place {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

export interface Attribute {
  readonly type: 'mdxJsxAttribute' | 'mdxJsxExpressionAttribute';
  readonly name?: string;
  /** Text; an object for `{…}`; null for a name alone. */
  readonly value?: string | null | object;
  readonly position?: Node['position'];
}

export interface Node {
  type: string;
  name?: string | null;
  attributes?: Attribute[];
  children?: Node[];
  value?: string;
  depth?: number;
  url?: string;
  alt?: string | null;
  /** Of references and definitions. */
  readonly identifier?: string;
  lang?: string | null;
  meta?: string | null;
  data?: { hProperties?: Record<string, string>; readonly estree?: Program };
  readonly position?: { readonly start: Place; readonly end: Place };
}

export function isElement(node: Node): boolean {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement';
}

/** The text of an attribute; null when it is absent or an expression. */
export function attributeOf(node: Node, name: string): string | null {
  const value = node.attributes?.find((attribute) => attribute.name === name)?.value;
  return typeof value === 'string' ? value : null;
}

export function setAttribute(node: Node, name: string, value: string | null): void {
  const others = (node.attributes ?? []).filter((attribute) => attribute.name !== name);
  node.attributes = [...others, { type: 'mdxJsxAttribute', name, value }];
}

/** An element that the engine puts in the place of a node; null stands for a flag. */
export function elementInPlaceOf(node: Node, name: string, attributes: Readonly<Record<string, string | null>>): Node {
  return {
    type: 'mdxJsxFlowElement',
    name,
    attributes: Object.entries(attributes).map(([key, value]) => ({ type: 'mdxJsxAttribute', name: key, value })),
    children: [],
    ...(node.position === undefined ? {} : { position: node.position }),
  };
}

/** All words below a node, code among them. */
export function textOf(node: Node): string {
  if (node.type === 'image') return node.alt ?? '';
  if (node.value !== undefined) return node.type.startsWith('mdx') ? '' : node.value;
  return (node.children ?? []).map(textOf).join('');
}
