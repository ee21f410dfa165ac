/**
 * A mutant as a text: what it breaks and who catches it in its head, then what it changes in the source, as a diff
 * without line numbers. It is applied when a file is loaded; nothing on disk changes, and the code has no switch for it.
 */

/** Text of one source file that is replaced. It occurs there exactly once. */
export interface Hunk {
  /** From the repository's root. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** 'scramble': many short faults of the log; 'storm': fewer and longer ones of everything; 'single': one after the other; 'overridden': an operator overrides the leader; 'disagreement': log, nodes, clients and L1 disagree. */
export interface Aim {
  readonly runs: 'scramble' | 'storm' | 'single' | 'overridden' | 'disagreement' | 'hardship';
  /** Settings of the runs, by name; they, too, are known to whoever makes the runs. */
  readonly settings: Readonly<Record<string, number>>;
  /** Names of kinds of events; they are known to whoever makes the runs. */
  readonly kinds: readonly string[];
}

/**
 * Who has to notice a mutant: the test of that title, where placeholders of `test.each` stand for anything; a law of the
 * simulator, in random runs; or that law, in the exhaustive search of a scope.
 */
export type Catcher =
  | { readonly by: 'test'; readonly file: string; readonly title: string }
  | { readonly by: 'simulation' }
  | { readonly by: 'search'; readonly scope: string; readonly law: string };

export interface Mutant {
  /** Letters, digits and hyphens; the name of its file. */
  readonly id: string;
  /** The rules, known failures or sections of the thesis that it breaks; at least one. */
  readonly subjects: readonly string[];
  /** The law that holds no longer, or what goes wrong, in a sentence. */
  readonly why: string;
  /** At least one, and each of them alone. */
  readonly caughtBy: readonly Catcher[];
  /** It puts back what the service we replace did. */
  readonly isPolicy: boolean;
  /** Runs and kinds of events that bring it to light, where all kinds of runs would take long. */
  readonly aim: Aim | null;
  /** Why no run can tell it from the original; null for all that should be caught. */
  readonly equivalent: string | null;
  readonly hunks: readonly Hunk[];
}

/** The text is no mutant, or does not fit the source. */
export class PatchError extends Error {
  override readonly name = 'PatchError';
}

const KEYS = new Set(['id', 'subjects', 'why', 'caught by', 'policy', 'aim', 'equivalent']);

/** Reads what README.md describes; throws PatchError with a sentence. `name` is that of the file. */
export function parseMutant(name: string, text: string): Mutant {
  const [head = '', ...files] = text.split(/^@@ /m);
  const { fields, catchers } = parseHead(name, head);
  const subjects = (fields.get('subjects') ?? '').split(',').map((one) => one.trim());
  const id = fields.get('id') ?? '';
  if (!/^[a-z0-9-]+$/.test(id))
    throw new PatchError(`${name}: the id is missing, or not of letters, digits and hyphens`);
  if (subjects.includes('') || !fields.has('why')) throw new PatchError(`${name}: subjects and why are needed`);
  if (catchers.length === 0) throw new PatchError(`${name}: "caught by" is needed: a test, simulation or search`);
  const policy = fields.get('policy') ?? 'no';
  if (policy !== 'yes' && policy !== 'no') throw new PatchError(`${name}: policy is yes or no`);
  const hunks = files.map((part) => parseHunk(name, part));
  if (hunks.length === 0) throw new PatchError(`${name}: nothing is changed; a change begins with "@@ " and a file`);
  return {
    id,
    subjects,
    why: fields.get('why')!,
    caughtBy: catchers.map((catcher) => parseCatcher(name, catcher)),
    isPolicy: policy === 'yes',
    aim: fields.has('aim') ? parseAim(name, fields.get('aim')!) : null,
    equivalent: fields.get('equivalent') ?? null,
    hunks,
  };
}

/** The lines before the first change; only "caught by" may be there more than once. */
function parseHead(name: string, head: string): { fields: ReadonlyMap<string, string>; catchers: readonly string[] } {
  const fields = new Map<string, string>();
  const catchers: string[] = [];
  for (const line of head.split('\n').filter((one) => one.trim() !== '')) {
    const [, key, value] = /^([a-z ]+): (.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined || !KEYS.has(key))
      throw new PatchError(`${name}: "${line.slice(0, 60)}" is none of ${[...KEYS].join(', ')}`);
    if (fields.has(key)) throw new PatchError(`${name}: ${key} is there twice`);
    if (key === 'caught by') catchers.push(value.trim());
    else fields.set(key, value.trim());
  }
  return { fields, catchers };
}

/** "simulation", "search crash: one vote per term", or "conductor/a.test.ts: the title of the test" */
function parseCatcher(name: string, text: string): Catcher {
  if (text === 'simulation') return { by: 'simulation' };
  const [, scope, law] = /^search ([a-z0-9]+): (.+)$/.exec(text) ?? [];
  if (scope !== undefined && law !== undefined) return { by: 'search', scope, law };
  const [, file, title] = /^([\w/.-]+\.test\.tsx?): (.+)$/.exec(text) ?? [];
  if (file !== undefined && title !== undefined) return { by: 'test', file, title };
  throw new PatchError(
    `${name}: caught by is simulation, "search SCOPE: LAW" or "FILE.test.ts: TITLE", not "${text.slice(0, 60)}"`,
  );
}

/** As it is written. */
export function catcherText(catcher: Catcher): string {
  switch (catcher.by) {
    case 'test':
      return `${catcher.file}: ${catcher.title}`;
    case 'simulation':
      return 'simulation';
    case 'search':
      return `search ${catcher.scope}: ${catcher.law}`;
  }
}

/** "storm crash, lostGossip", or "scramble servers=5 trailingLogs=0 burst, exile" */
function parseAim(name: string, text: string): Aim {
  const [, runs, set = '', list = ''] =
    /^(scramble|storm|single|overridden|disagreement|hardship)((?: [a-zA-Z]+=\d{1,9})*) ([a-zA-Z0-9, ]+)$/.exec(text) ??
    [];
  if (runs === undefined)
    throw new PatchError(
      `${name}: an aim is scramble, storm, single, overridden, disagreement or hardship, settings like servers=5, and kinds of events with commas between them`,
    );
  const settings = [...set.matchAll(/([a-zA-Z]+)=(\d+)/g)].map(([, key, value]) => [key!, Number(value)] as const);
  return {
    runs: runs as Aim['runs'],
    settings: Object.fromEntries(settings),
    kinds: list.split(',').map((one) => one.trim()),
  };
}

function parseHunk(name: string, part: string): Hunk {
  const [file = '', ...rest] = part.trimEnd().split('\n');
  if (!/^conductor\/[\w/.-]+\.ts$/.test(file) || file.includes('..'))
    throw new PatchError(`${name}: "${file.slice(0, 60)}" is no source file of conductor/`);
  const find: string[] = [];
  const replace: string[] = [];
  for (const line of rest) {
    const content = line.slice(1);
    if (line === '' || line.startsWith(' ')) {
      find.push(content);
      replace.push(content);
    } else if (line.startsWith('-')) find.push(content);
    else if (line.startsWith('+')) replace.push(content);
    else
      throw new PatchError(`${name}: a line of a change begins with "-", "+" or a space, not "${line.slice(0, 20)}"`);
  }
  const hunk = { file, find: find.join('\n'), replace: replace.join('\n') };
  if (hunk.find.trim() === '' || hunk.find === hunk.replace)
    throw new PatchError(`${name}: a change of ${file} is empty`);
  return hunk;
}

/** The source of `file` with the mutant in it; throws PatchError where a text is not there exactly once. */
export function applyMutant({ id, hunks }: Mutant, file: string, source: string): string {
  let text = source;
  for (const hunk of hunks.filter((one) => one.file === file)) {
    const parts = text.split(hunk.find);
    if (parts.length !== 2) throw new PatchError(`${id}: ${file} holds the text to replace ${parts.length - 1} times`);
    text = parts.join(hunk.replace);
  }
  return text;
}
