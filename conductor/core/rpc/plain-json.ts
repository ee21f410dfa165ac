/**
 * The same as reading and writing with exact-json, at the speed of the engine's own parser, for texts where
 * both agree: a block of a hundred thousand transactions is tens of megabytes. Whatever could differ (long or
 * broken numbers, escapes, keys that are numbers, deep nesting) is left to exact-json.
 */
import { escapeHtml } from './message.ts';

/** Deepest nesting followed; a block's deepest is four. */
const NESTING_MAX = 32;
/** A number that is longer than JavaScript keeps, or has an exponent. */
const UNUSUAL_NUMBER = /[:,[\s]-?\d(?:[\d.]{14}|[\d.]*[eE])/;

/** An object as text with its keys in order, and texts escaped as Go does; null when only exact-json can tell. */
export function sortedObject(text: string): string | null {
  if (text.includes('\\') || UNUSUAL_NUMBER.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const sorted = sort(value, 0);
    return sorted === undefined ? null : escapeHtml(JSON.stringify(sorted));
  } catch {
    return null; // Not JSON.
  }
}

/** The same value with the keys of objects in order; undefined where that cannot be. */
function sort(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > NESTING_MAX) return undefined;
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    for (let index = 0; index < items.length; index += 1) {
      const item = sort(items[index], depth + 1);
      if (item === undefined) return undefined;
      items[index] = item;
    }
    return items;
  }
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).toSorted()) {
    // Keys that are numbers come first in any object, and this one sets a prototype.
    const member = /^\d|^__proto__$/.test(key) ? undefined : sort((value as Record<string, unknown>)[key], depth + 1);
    if (member === undefined) return undefined;
    sorted[key] = member;
  }
  return sorted;
}
