/**
 * The card of a link: what it leads to, in a sentence, below it while one points at it or has the focus on it. It says
 * nothing that is not behind the link, so it is no stop of the Tab key. Keyboard: Esc hides it.
 */
import { make } from './make.ts';

/** Long enough not to flicker when a pointer crosses the text. */
const AFTER_MS = 300;
const MARGIN_PX = 8;

let card: HTMLElement | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows it soon, unless it is hidden before. */
export function showCard(link: HTMLElement, isNow: boolean): void {
  hideCard();
  timer = setTimeout(() => put(link), isNow ? 0 : AFTER_MS);
}

export function hideCard(): void {
  clearTimeout(timer);
  document.querySelector('[aria-describedby="card"]')?.removeAttribute('aria-describedby');
  card?.remove();
  card = null;
}

function put(link: HTMLElement): void {
  const text = link.dataset['card'] ?? '';
  const [name = '', ...rest] = text.split(': ');
  card = make(
    'div',
    { id: 'card', className: 'link-card', role: 'tooltip' },
    make('strong', {}, name),
    ` ${rest.join(': ')}`,
  );
  // Within the text, as everything that is read.
  (link.closest('main') ?? document.body).append(card);
  link.setAttribute('aria-describedby', 'card');
  const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
  const { width, height } = card.getBoundingClientRect();
  const left = Math.max(MARGIN_PX, Math.min(at.left, document.documentElement.clientWidth - width - MARGIN_PX));
  const isBelow = at.bottom + height + MARGIN_PX <= innerHeight;
  card.style.left = `${left + scrollX}px`;
  card.style.top = `${(isBelow ? at.bottom : at.top - height) + scrollY}px`;
}
