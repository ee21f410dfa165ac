/**
 * Holds what stands in angle brackets and braces to the rules of element-rules.ts. What is refused is taken out of
 * the tree, so that a draft of the page runs nothing either; literals in braces become the text that they are.
 */
import { elementRule, type ElementRule } from './element-rules.ts';
import { isComment, literalOf, type Program } from './literals.ts';
import { isElement, type Attribute, type Node } from './nodes.ts';

type Complain = (place: { readonly position?: Node['position'] | undefined }, message: string) => void;

/** Changes the tree; says what was wrong, with lines of the part. */
export function checkElements(tree: Node): { line: number; message: string }[] {
  const problems: { line: number; message: string }[] = [];
  check(tree, (place, message) => problems.push({ line: place.position?.start.line ?? 1, message }));
  return problems;
}

function check(node: Node, complain: Complain): void {
  if (isElement(node)) checkElement(node, complain);
  const children = node.children?.filter((child) => {
    if (!child.type.endsWith('Expression') || isComment(child.data?.estree)) return true;
    complain(
      child,
      'A page computes nothing: write what the braces stand for, or set them as code, or write `\\{` for a brace.',
    );
    return false;
  });
  if (children === undefined) return;
  node.children = children;
  for (const child of children) check(child, complain);
}

const ANY: ElementRule = { attributes: {}, required: [], isOpen: true };
/** React keeps these for itself. */
const RESERVED = new Set(['children', 'key', 'ref', 'dangerouslySetInnerHTML']);

function checkElement(node: Node, complain: Complain): void {
  const name = node.name ?? '';
  // Components that do not exist are named where all of them are known.
  const rule = elementRule(name) ?? (/^[A-Z]/.test(name) ? ANY : undefined);
  if (rule === undefined) {
    complain(node, `A page holds no <${name}>; site/engine/mdx/element-rules.ts lists the elements that it may hold.`);
    node.name = null;
    node.attributes = [];
    return;
  }
  const seen = new Set<string>();
  node.attributes = (node.attributes ?? []).flatMap((written) => {
    const key = written.name ?? '{…}';
    const { kept, message } = seen.has(key)
      ? { kept: null, message: `<${name}> has ${key} twice.` }
      : readAttribute(name, written, rule);
    seen.add(key);
    if (message !== null) complain(written.position === undefined ? node : written, message);
    return kept === null ? [] : [kept];
  });
  for (const required of rule.required) {
    const given = node.attributes.find((attribute) => attribute.name === required)?.value;
    if (!seen.has(required) || (typeof given === 'string' && given.trim() === '')) {
      complain(node, `<${name}> needs ${required}="…".`);
    }
  }
  if (rule.isEmpty && (node.children ?? []).length > 0) {
    complain(node, `<${name} /> holds nothing: close it at once.`);
    node.children = [];
  }
}

interface AttributeReading {
  /** null when it is refused, or is as good as not there. */
  readonly kept: Attribute | null;
  readonly message: string | null;
}

function readAttribute(element: string, written: Attribute, rule: ElementRule): AttributeReading {
  const { name, value } = written;
  const refused = (message: string): AttributeReading => ({ kept: null, message });
  const kind = name === undefined ? undefined : rule.attributes[name];
  if (name === undefined || RESERVED.has(name) || (kind === undefined && rule.isOpen !== true)) {
    const names = Object.keys(rule.attributes).join(', ');
    return refused(`<${element}> takes no ${name ?? '{…}'}${names === '' ? '' : `, only ${names}`}.`);
  }
  const literal = literalValue(value);
  if (literal === undefined)
    return refused(`${name} of <${element}> must be written out, as text in double quotes: a page computes nothing.`);
  if (kind === undefined) {
    // Texts in braces are texts: an address must not hide in them.
    return { kept: typeof literal === 'string' ? { ...written, value: literal } : written, message: null };
  }
  if (kind === 'flag') {
    if (typeof literal !== 'boolean') return refused(`${name} of <${element}> stands alone, without a value.`);
    return { kept: literal ? { ...written, value: null } : null, message: null };
  }
  if (typeof literal !== 'string' && typeof literal !== 'number')
    return refused(`${name} of <${element}> must be a text in double quotes.`);
  const text = String(literal);
  if (kind !== 'text' && !kind.includes(text))
    return refused(`${name} of <${element}> must be one of ${kind.join(', ')}, not ${JSON.stringify(text)}.`);
  return { kept: { ...written, value: text }, message: null };
}

/** A name alone is true; undefined for what is no literal. */
function literalValue(value: Attribute['value']): unknown {
  if (value === null || value === undefined) return true;
  if (typeof value === 'string') return value;
  return literalOf((value as { readonly data?: { readonly estree?: Program } }).data?.estree);
}
