/**
 * What happens in the search dialog: questions go to the worker, answers are drawn, one of the results is chosen.
 * Keyboard: ↓ and ↑ choose, going round; Enter follows the chosen result, with Ctrl or ⌘ in a new tab; Ctrl C or ⌘ C
 * with nothing selected copies its name; Tab goes on to Close and to the parts of the site; Esc closes.
 */
import type { Hit, SearchAnswer } from '../../search/answer.ts';
import { drawBeginning, drawFailure, drawWaiting } from './beginning.ts';
import { addRecent, forgetRecent, readRecent } from './recent-searches.ts';
import { drawAnswer, optionId } from './results.ts';
import { SearchClient } from './search-client.ts';
import { searchShell, type Shell } from './shell.ts';
import { statusOf, type Loading } from './status.ts';

class SearchDialog {
  readonly #shell: Shell;
  readonly #client: SearchClient;
  #area: string | null = null;
  #answer: SearchAnswer | null = null;
  #loading: Loading = 'loading';
  #reason = '';
  #chosen = 0;

  constructor(shell: Shell, url: string) {
    this.#shell = shell;
    this.#client = new SearchClient({
      url,
      open: () => new Worker(new URL('../../search/search.worker.ts', import.meta.url), { type: 'module' }),
      listener: {
        ready: () => this.#set('ready'),
        answered: (answer) => this.#show(answer),
        failed: (reason) => this.#set('failed', reason),
      },
    });
    const { input, body } = shell;
    input.addEventListener('input', () => this.#ask());
    input.addEventListener('keydown', (event) => this.#press(event));
    body.addEventListener('pointermove', (event) => this.#point(event.target));
    body.addEventListener('click', (event) => this.#click(event));
    this.#client.start();
    this.#ask();
  }

  #set(loading: Loading, reason = ''): void {
    this.#loading = loading;
    this.#reason = reason;
    // Names that matched are better than nothing.
    if (loading === 'failed' && this.#answer?.query !== this.#shell.input.value) this.#answer = null;
    if (loading === 'failed' || this.#answer === null) this.#draw();
  }

  #show(answer: SearchAnswer): void {
    // What was chosen among names stays chosen when the texts have answered, too.
    const chosen = this.#answer?.query === answer.query && this.#chosen > 0 ? this.#hit?.href : undefined;
    this.#answer = answer;
    this.#chosen = Math.max(
      0,
      answer.results.flatMap(({ hits }) => hits).findIndex(({ href }) => href === chosen),
    );
    this.#draw();
    if (this.#chosen === 0) this.#shell.body.scrollTo({ top: 0 });
  }

  #ask(query = this.#shell.input.value, area = this.#area): void {
    const { input } = this.#shell;
    if (input.value !== query) input.value = query;
    this.#area = area;
    if (query.trim() === '') {
      this.#client.forget();
      this.#answer = null;
    } else if (this.#loading !== 'failed') this.#client.ask({ query, ...(area === null ? {} : { area }) });
    if (this.#answer === null) this.#draw();
    else this.#say();
  }

  #retry(): void {
    this.#set('loading');
    this.#client.start();
    this.#ask();
  }

  #draw(): void {
    const { input, body } = this.#shell;
    const options = this.#options;
    body.replaceChildren(...this.#content());
    input.ariaExpanded = String(options > 0);
    if (options > 0) input.setAttribute('aria-controls', 'search-results');
    else input.removeAttribute('aria-controls');
    this.#mark();
    this.#say();
  }

  #content(): Node[] {
    const query = this.#shell.input.value;
    const focused = (does: () => void) => (): void => {
      does();
      this.#shell.input.focus();
    };
    const failure = this.#loading === 'failed' ? [drawFailure(this.#reason, () => this.#retry())] : [];
    if (this.#answer !== null) {
      const actions = {
        onArea: (area: string | null) => this.#ask(query, area),
        onEverywhere: focused(() => this.#ask(query, null)),
      };
      return [...drawAnswer(this.#answer, actions), ...failure];
    }
    if (failure.length > 0) return failure;
    if (query.trim() !== '') return [drawWaiting()];
    return [
      drawBeginning(readRecent(localStorage), {
        onAsk: (asked) => focused(() => this.#ask(asked))(),
        onForget: focused(() => {
          forgetRecent(localStorage);
          this.#draw();
        }),
      }),
    ];
  }

  get #hit(): Hit | undefined {
    return this.#answer?.results.flatMap(({ hits }) => hits)[this.#chosen];
  }

  get #options(): number {
    return this.#answer?.results.reduce((sum, { hits }) => sum + hits.length, 0) ?? 0;
  }

  #option(position: number): HTMLElement | null {
    return this.#shell.body.querySelector<HTMLElement>(`#${optionId(position)}`);
  }

  #choose(position: number): void {
    this.#chosen = position;
    this.#mark();
  }

  #mark(): void {
    const { body, input } = this.#shell;
    for (const option of body.querySelectorAll('[role=option]')) {
      option.setAttribute('aria-selected', String(option.id === optionId(this.#chosen)));
    }
    if (this.#options > 0) input.setAttribute('aria-activedescendant', optionId(this.#chosen));
    else input.removeAttribute('aria-activedescendant');
  }

  #press(event: KeyboardEvent): void {
    const options = this.#options;
    if (event.isComposing || options === 0) return;
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const moved = { ArrowDown: 1, ArrowUp: options - 1 }[key];
    if (moved !== undefined) {
      this.#choose((this.#chosen + moved) % options);
      this.#option(this.#chosen)?.scrollIntoView({ block: 'nearest' });
    } else if (key === 'Enter') {
      this.#option(this.#chosen)?.dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
      );
    } else if (key === 'c' && (ctrlKey || metaKey) && !this.#hasSelection()) this.#copy();
    else return;
    event.preventDefault();
  }

  #hasSelection(): boolean {
    const { selectionStart, selectionEnd } = this.#shell.input;
    return selectionStart !== selectionEnd;
  }

  /** The name of the chosen result; of an address what was typed. */
  #copy(): void {
    const hit = this.#hit;
    if (hit === undefined) return;
    const name = hit.kind === 'address' ? this.#shell.input.value.trim() : hit.heading;
    void navigator.clipboard.writeText(name).then(
      () => this.#sayCopied(name),
      () => (this.#shell.status.textContent = `${name} could not be copied.`),
    );
  }

  #sayCopied(name: string): void {
    this.#shell.status.textContent = `${name} copied.`;
    this.#option(this.#chosen)?.setAttribute('data-copied', '');
  }

  #point(target: EventTarget | null): void {
    const option = target instanceof Element ? target.closest('[role=option]') : null;
    if (option === null || option.ariaSelected === 'true') return;
    this.#choose([...this.#shell.body.querySelectorAll('[role=option]')].indexOf(option));
  }

  #click(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const title = event.target.closest<HTMLElement>('[data-page-href]');
    if (title !== null) return this.#follow(title.dataset['pageHref'] ?? '');
    const option = event.target.closest<HTMLAnchorElement>('a[role=option]');
    if (option === null) return;
    addRecent(localStorage, this.#shell.input.value);
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.#shell.dialog.close();
    goTo(option.href);
  }

  /** The title above the results of a page, for those who point at it; by keys the results are enough. */
  #follow(href: string): void {
    addRecent(localStorage, this.#shell.input.value);
    this.#shell.dialog.close();
    location.assign(href);
  }

  #say(): void {
    this.#shell.status.textContent = statusOf({
      query: this.#shell.input.value,
      answer: this.#answer,
      loading: this.#loading,
      reason: this.#reason,
    });
  }
}

/** Goes there. On the same page the heading takes the focus, so that the next Tab goes on from it. */
function goTo(href: string): void {
  location.assign(href);
  const { origin, pathname, hash } = new URL(href, location.href);
  if (origin !== location.origin || pathname !== location.pathname || hash === '') return;
  const heading = document.getElementById(decodeURIComponent(hash.slice(1)));
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

let dialog: SearchDialog | null = null;

/** Brings the dialog to life, once: its worker starts and fetches the headings. */
export function startSearch(): void {
  dialog ??= new SearchDialog(searchShell(), document.body.dataset['searchIndex'] ?? '');
}
