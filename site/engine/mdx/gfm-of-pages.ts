/**
 * GitHub's Markdown for pages: tables, footnotes, strikethrough, task lists, and no links made of bare addresses. To
 * look at every word for the beginning of an address, and at every text for a name with an @, is a fifth of the time
 * that parsing takes, and pages write their links out.
 */
import remarkGfm from 'remark-gfm';

/** What a plugin leaves with unified for the parser; the parts of it that are looked at here. */
interface ParserData {
  micromarkExtensions?: SyntaxExtension[];
  fromMarkdownExtensions?: (TreeExtension | TreeExtension[])[];
}

interface SyntaxExtension {
  /** By the code of the first letter. */
  readonly text?: Readonly<Record<string, Construct | Construct[]>>;
}

interface Construct {
  readonly name?: string;
}

interface TreeExtension {
  readonly transforms?: unknown;
}

/** What micromark calls them: wwwAutolink, protocolAutolink, emailAutolink. */
const MADE_LINKS = /Autolink$/;

/** A plugin for unified. */
export const gfmOfPages = attach;

function attach(this: { data(): object }): void {
  remarkGfm.call(this as never);
  const data = this.data() as ParserData;
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map(withoutMadeLinks);
  // The extension of made links is the only one that goes through the whole tree again.
  data.fromMarkdownExtensions = (data.fromMarkdownExtensions ?? []).map((extensions) =>
    [extensions].flat().filter(({ transforms }) => transforms === undefined),
  );
}

function withoutMadeLinks(extension: SyntaxExtension): SyntaxExtension {
  const text = Object.entries(extension.text ?? {}).map(
    ([code, constructs]) => [code, [constructs].flat().filter(({ name = '' }) => !MADE_LINKS.test(name))] as const,
  );
  return { ...extension, text: Object.fromEntries(text) };
}
