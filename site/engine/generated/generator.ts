/**
 * Text that pages do not write themselves: `<Generated from="name" … />` on a line of its own is replaced by
 * the MDX that the generator of that name returns, before anything else reads the page.
 */

/** The attributes of the element, `from` left out. */
export type GeneratorAttributes = Readonly<Record<string, string>>;

/** Returns MDX. Throws an error whose message is a sentence for the author. */
export type Generator = (attributes: GeneratorAttributes) => string;
