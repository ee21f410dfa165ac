/** The dialog before there is an answer: recent searches and what can be typed; or why there will be no answer. */
import { make } from '../make.ts';

const EXAMPLES = [
  ['a method', 'conductor_addServerAsVoter'],
  ['a flag or variable', '--raft.bootstrap'],
  ['an error message', 'refusing to proxy request'],
  ['a question', 'how long does a withdrawal take'],
] as const;

export interface BeginningActions {
  readonly onAsk: (query: string) => void;
  readonly onForget: () => void;
}

export function drawBeginning(recent: readonly string[], { onAsk, onForget }: BeginningActions): HTMLElement {
  const ask = (query: string): HTMLElement => button(query, () => onAsk(query));
  const beginning = make('div', { className: 'search-beginning' });
  if (recent.length > 0) {
    const forget = button('Forget these', onForget);
    forget.className = 'search-forget';
    beginning.append(make('section', {}, make('h2', {}, 'Recent'), list(recent.map((query) => [ask(query)])), forget));
  }
  const examples = EXAMPLES.map(([kind, query]) => [`${kind}: `, ask(query)]);
  beginning.append(make('section', {}, make('h2', {}, 'Search for'), list(examples)));
  return beginning;
}

export function drawFailure(reason: string, onRetry: () => void): HTMLElement {
  const advice = 'If trying again does not help, reload the page: the site may have changed since it was opened.';
  return make(
    'div',
    { className: 'search-nothing' },
    make('p', {}, `Search could not be loaded. ${reason}`),
    make('p', {}, advice),
    button('Try again', onRetry),
  );
}

export function drawWaiting(): HTMLElement {
  return make('p', { className: 'search-remark' }, 'Reading the headings…');
}

function button(words: string, onClick: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button' }, words);
  made.addEventListener('click', onClick);
  return made;
}

function list(items: readonly (readonly (Node | string)[])[]): HTMLElement {
  return make('ul', {}, ...items.map((item) => make('li', {}, ...item)));
}
