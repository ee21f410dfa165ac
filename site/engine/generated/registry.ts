/**
 * What `<Generated from="name" …/>` may name: functions that write MDX from tables and data, before
 * anything else looks at the page. Their headings, links and code are treated like authored ones.
 */

/** Attributes of the element, all text. Returns MDX; throws a sentence when it cannot. */
export type Generator = (attributes: Readonly<Record<string, string>>) => string;

export const generators: Readonly<Record<string, Generator>> = {};
