/**
 * Goes through a sequence one message at a time: what has happened is drawn, what comes is faint, and the sentence of
 * the moment stands below. Keyboard: the buttons, and the arrow keys while one of them has the focus.
 */
import { make } from './make.ts';

export function installStepThrough(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-step-through]') : null;
    const figure = button?.closest<HTMLElement>('[data-diagram]');
    if (button != null && figure != null) begin(figure, button);
  });
}

function begin(figure: HTMLElement, opener: HTMLElement): void {
  const strokes = [...figure.querySelectorAll<HTMLElement | SVGElement>('svg:has(+ ol) > g')];
  const items = [...figure.querySelectorAll<HTMLElement>('svg + ol > li')];
  let at = 0;
  const back = make('button', { type: 'button' }, 'Back');
  const next = make('button', { type: 'button' }, 'Next');
  const all = make('button', { type: 'button' }, 'Show all');
  const words = make('span', { role: 'status' });
  const bar = make('p', { className: 'step-through' }, back, next, all, words);

  const show = (): void => {
    for (const parts of [strokes, items])
      parts.forEach((part, index) => (part.dataset['moment'] = momentOf(index, at)));
    words.textContent = `${at + 1} of ${items.length}. ${items[at]?.textContent ?? ''}`;
    back.disabled = at === 0;
    next.disabled = at === items.length - 1;
  };
  const go = (by: number): void => {
    at = Math.max(0, Math.min(items.length - 1, at + by));
    show();
  };
  back.addEventListener('click', () => go(-1));
  next.addEventListener('click', () => go(1));
  bar.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowRight') go(1);
    else if (key === 'ArrowLeft') go(-1);
  });
  all.addEventListener('click', () => {
    for (const part of [...strokes, ...items]) delete part.dataset['moment'];
    bar.remove();
    opener.hidden = false;
    opener.focus();
  });
  opener.hidden = true;
  figure.querySelector('figcaption')?.before(bar);
  show();
  next.focus();
}

function momentOf(index: number, at: number): 'past' | 'now' | 'later' {
  if (index === at) return 'now';
  return index < at ? 'past' : 'later';
}
