/**
 * What stands in braces in a page, as far as it is allowed: literals in attributes, and comments. The parser has
 * made a syntax tree (ESTree) of it; nothing is ever run.
 */
export interface Program {
  readonly body: readonly Syntax[];
}

/** A node of the syntax tree, of any type. */
export interface Syntax {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Whether nothing but comments stands in the braces. */
export function isComment(program: Program | undefined): boolean {
  return program?.body.length === 0;
}

/** The value of a text, number, boolean, null, list or object written out; undefined for everything else. */
export function literalOf(program: Program | undefined): unknown {
  const [statement, ...others] = program?.body ?? [];
  if (statement?.type !== 'ExpressionStatement' || others.length > 0) return undefined;
  return valueOf(statement['expression'] as Syntax);
}

function valueOf(node: Syntax | null): unknown {
  switch (node?.type) {
    case 'Literal':
      return isPlain(node['value']) ? node['value'] : undefined;
    case 'TemplateLiteral':
      return templateText(node);
    case 'UnaryExpression': {
      const value = valueOf(node['argument'] as Syntax);
      return node['operator'] === '-' && typeof value === 'number' ? -value : undefined;
    }
    case 'ArrayExpression': {
      const values = (node['elements'] as readonly (Syntax | null)[]).map(valueOf);
      return values.includes(undefined) ? undefined : values;
    }
    case 'ObjectExpression': {
      const entries = (node['properties'] as readonly Syntax[]).map(entryOf);
      return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
    }
    default:
      return undefined;
  }
}

/** Not so regular expressions and whole numbers with an n. */
function isPlain(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function templateText({ expressions, quasis }: Syntax): string | undefined {
  const [text] = quasis as readonly { readonly value: { readonly cooked?: string | null } }[];
  return (expressions as readonly Syntax[]).length === 0 ? (text?.value.cooked ?? undefined) : undefined;
}

function entryOf(property: Syntax): [string, unknown] {
  const key = property['key'] as Syntax | undefined;
  const isPair = property.type === 'Property' && property['kind'] === 'init' && property['computed'] === false;
  if (!isPair || property['method'] === true || property['shorthand'] === true) return ['', undefined];
  return [String(key?.['name'] ?? key?.['value']), valueOf(property['value'] as Syntax)];
}
