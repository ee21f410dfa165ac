/**
 * Pages use the site's words: what content/data/vocabulary.yaml avoids stands in no title, description or
 * sentence, but for its exceptions. Code is not looked at, so an old name that has to be told is set as code.
 */
import type { ContentGraph } from '../content-graph.ts';
import type { CompiledPage } from '../mdx/compile-page.ts';
import type { PageText } from '../page.ts';
import type { Problem } from '../problems.ts';
import type { Vocabulary, VocabularyEntry, VocabularyException } from '../vocabulary.ts';

export function checkVocabulary(graph: Pick<ContentGraph, 'pages'>, vocabulary: Vocabulary): Problem[] {
  const usual = findersOf(vocabulary.groups);
  const known = knownProblems.get(vocabulary) ?? new WeakMap<CompiledPage['texts'], readonly Problem[]>();
  knownProblems.set(vocabulary, known);
  return [...graph.pages.values()].flatMap((compiled) => {
    const problems = known.get(compiled.texts) ?? problemsOf(compiled, vocabulary, usual);
    known.set(compiled.texts, problems);
    return problems;
  });
}

/** A page that is compiled anew has other texts: while somebody writes, one page is looked through per edit. */
const knownProblems = new WeakMap<Vocabulary, WeakMap<CompiledPage['texts'], readonly Problem[]>>();

function problemsOf({ page, texts }: CompiledPage, vocabulary: Vocabulary, usual: readonly Finder[]): Problem[] {
  const allowed = allowedGroups(vocabulary, page.route);
  const finders = allowed.size === 0 ? usual : findersOf(vocabulary.groups.filter(({ title }) => !allowed.has(title)));
  const { title, description } = page.frontMatter;
  const head = [title, description].map((text) => ({ text, line: 1, lastLine: 1 }));
  return [...head, ...texts].flatMap((text) =>
    finders.flatMap((find) => find(text)).map((found) => ({ file: page.file, ...found })),
  );
}

/** Titles of the groups whose words a page may use. */
function allowedGroups({ exceptions = [] }: Vocabulary, route: string): Set<string> {
  const holds = ({ page }: VocabularyException): boolean =>
    page.endsWith('/*') ? route.startsWith(page.slice(0, -1)) : route === page;
  return new Set(exceptions.filter(holds).flatMap(({ groups }) => groups));
}

type Groups = Vocabulary['groups'];

function findersOf(groups: Groups): Finder[] {
  return [finderOf(groups, false), finderOf(groups, true)];
}

type Finder = (text: PageText) => Omit<Problem, 'file'>[];

/** Looks for all terms of one kind at once: those of an exact case, or those of any. */
function finderOf(groups: Groups, exactCase: boolean): Finder {
  const entries = new Map<string, VocabularyEntry>();
  const key = (term: string): string => (exactCase ? term : term.toLowerCase()).replaceAll(/\s+/g, ' ');
  for (const entry of groups.flatMap((group) => group.entries)) {
    if (entry.exactCase === exactCase) for (const term of entry.avoid) entries.set(key(term), entry);
  }
  if (entries.size === 0) return () => [];
  // The longest first: of two terms that begin alike, the whole one is meant.
  const terms = [...entries.keys()].toSorted((a, b) => b.length - a.length).map(patternOf);
  const pattern = new RegExp(
    String.raw`(?<![\p{L}\p{N}_-])(?:${terms.join('|')})(?![\p{L}\p{N}_-])`,
    exactCase ? 'gu' : 'giu',
  );
  return ({ text, line, lastLine }) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const entry = entries.get(key(found));
      if (entry === undefined) return [];
      const above = text.slice(0, index).split('\n').length - 1;
      const message = `“${key(found)}” is a word this site avoids. Instead: ${entry.use}. ${entry.why}`;
      return [{ line: Math.min(line + above, lastLine), message }];
    });
}

/** A space of a term is any white space of the page, a line's end too. */
function patternOf(term: string): string {
  return term
    .split(' ')
    .map((word) => RegExp.escape(word))
    .join(String.raw`\s+`);
}
