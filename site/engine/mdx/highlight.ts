/**
 * Colours code when the site is built: one Shiki highlighter for all pages. Its theme gives each kind
 * of token a number instead of a colour, and the number becomes a class, so that the colours are the
 * stylesheet's, by day and by night.
 */
import {
  bundledLanguages,
  createHighlighter,
  type BundledLanguage,
  type Highlighter as Shiki,
  type LanguageRegistration,
  type ThemeRegistrationRaw,
} from 'shiki';
import { escapeText } from './escape-text.ts';

/** Class (without `sx-`) → TextMate scopes. Later ones win where both fit equally well. */
const CLASSES: Readonly<Record<string, readonly string[]>> = {
  punctuation: ['punctuation', 'meta.brace', 'keyword.operator'],
  name: [
    'variable.other.property',
    'support.type.property-name',
    'entity.name.tag',
    'entity.other.attribute-name',
    'variable.parameter',
    'meta.object-literal.key',
  ],
  variable: ['variable.other.normal.shell', 'variable.other.bracket.shell', 'punctuation.definition.variable'],
  function: ['entity.name.function', 'support.function', 'entity.name.command'],
  type: [
    'entity.name.type',
    'support.type',
    'support.class',
    'entity.name.class',
    'storage.type.contract',
    'storage.type.struct',
  ],
  keyword: ['keyword', 'storage', 'keyword.control', 'keyword.operator.new', 'keyword.operator.expression'],
  number: ['constant', 'constant.numeric', 'constant.language'],
  string: ['string', 'punctuation.definition.string', 'string.unquoted.argument.shell', 'constant.character.escape'],
  option: ['constant.other.option', 'string.unquoted.argument constant.other.option'],
  comment: ['comment', 'punctuation.definition.comment'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
};

const NAMES = Object.keys(CLASSES);
/** Shiki wants colours: the class's number in the lowest byte. */
const colourOf = (index: number): string => `#0000${(index + 1).toString(16).padStart(2, '0')}`;
const PLAIN_LANGUAGES = new Set(['text', 'txt', 'plain']);

const theme: ThemeRegistrationRaw = {
  name: 'classes',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: [
    { settings: { foreground: '#000000' } },
    ...NAMES.map((name, index) => ({ scope: [...(CLASSES[name] ?? [])], settings: { foreground: colourOf(index) } })),
  ],
};

export interface Highlighter {
  knows(lang: string): boolean;
  /**
   * One `<span class="line">` per line with tokens as `<span class="sx-…">`; every line ends in a
   * line feed. `marked` are numbers of lines, from 1. The language must be known.
   */
  highlight(text: string, lang: string, marked: ReadonlySet<number>): Promise<string>;
}

/** Languages that MDX and Markdown are made of outside of fences. */
const OUTSIDE_OF_FENCES = ['html', 'tsx', 'yaml'];
const FENCE = /^\s*(?:`{3,}|~{3,})\s*([\w-]+)/gm;

/** Languages are loaded when the first block of theirs appears. */
export async function createCodeHighlighter(): Promise<Highlighter> {
  const withLanguages = (...langs: BundledLanguage[]): Promise<Shiki> => createHighlighter({ themes: [theme], langs });
  const shared = await withLanguages();
  const isBundled = (lang: string): lang is BundledLanguage => Object.hasOwn(bundledLanguages, lang);
  const mixed = new Map<string, Promise<Shiki>>();
  const grammarsOf = async (lang: BundledLanguage): Promise<LanguageRegistration[]> =>
    (await bundledLanguages[lang]()).default;
  /** Those of `known` that a text has inside of it. */
  const languagesIn = async (text: string, known: readonly string[]): Promise<BundledLanguage[]> => {
    const fences = Array.from(text.matchAll(FENCE), ([, lang = '']) => lang);
    const grammars = await Promise.all([...OUTSIDE_OF_FENCES, ...fences].filter(isBundled).map(grammarsOf));
    const names = new Set(grammars.map((registrations) => registrations.at(-1)?.name ?? ''));
    return [...names].filter((name) => known.includes(name)).filter(isBundled);
  };
  // Markdown, for one, colours the languages inside of it that happen to be loaded: it has a highlighter with just those
  // of its text, or its colours would depend on what this thread was given before. All there are would take a second.
  const highlighterFor = async (text: string, lang: BundledLanguage): Promise<Shiki> => {
    const optional = (await grammarsOf(lang)).flatMap(({ embeddedLangsLazy = [] }) => embeddedLangsLazy);
    if (optional.length === 0) {
      await shared.loadLanguage(lang);
      return shared;
    }
    const langs = [lang, ...(await languagesIn(text, optional)).toSorted()];
    const known = mixed.get(langs.join(' ')) ?? withLanguages(...langs);
    mixed.set(langs.join(' '), known);
    return known;
  };
  return {
    knows: (lang) => PLAIN_LANGUAGES.has(lang) || isBundled(lang),
    async highlight(text, lang, marked) {
      if (!isBundled(lang))
        return text
          .split('\n')
          .map((line, index) => lineHtml(escapeText(line), marked.has(index + 1)))
          .join('');
      const shiki = await highlighterFor(text, lang);
      // Without its limit of half a second per line, after which a busy machine would leave the rest without colours.
      const lines = shiki.codeToTokensBase(text, { lang, theme, tokenizeTimeLimit: 0 });
      return lines.map((tokens, index) => lineHtml(tokensHtml(tokens), marked.has(index + 1))).join('');
    },
  };
}

function lineHtml(inner: string, isMarked: boolean): string {
  return `<span class="${isMarked ? 'line marked' : 'line'}">${inner}\n</span>`;
}

/** Neighbours of one class share a span; blanks belong to whatever stands before them. */
function tokensHtml(tokens: readonly { readonly content: string; readonly color?: string }[]): string {
  const runs: { className: string; text: string }[] = [];
  for (const { content, color } of tokens) {
    const className = classOf(color);
    const last = runs.at(-1);
    if (last !== undefined && (last.className === className || content.trim() === '')) last.text += content;
    else runs.push({ className, text: content });
  }
  return runs
    .map(({ className, text }) =>
      className === '' ? escapeText(text) : `<span class="sx-${className}">${escapeText(text)}</span>`,
    )
    .join('');
}

function classOf(color: string | undefined): string {
  return NAMES[Number.parseInt(color?.slice(-2) ?? '0', 16) - 1] ?? '';
}
