/**
 * Opens a diagram in a dialog: twice its size where the window has room, and never smaller than it was laid out, with
 * scrolling where it has not. Escape and the button close it, and the focus returns.
 */

const SCALE_MAX = 2;
/** Of the window, without the dialog's edges and button. */
const SHARE_ACROSS = 0.9;
const SHARE_DOWN = 0.8;

export function installEnlarge(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest('[data-enlarge]') : null;
    const figure = button?.closest<HTMLElement>('[data-diagram]');
    const drawing = figure?.querySelector('svg');
    if (figure != null && drawing != null) open(figure, drawing);
  });
}

function open(figure: HTMLElement, drawing: SVGSVGElement): void {
  const dialog = document.createElement('dialog');
  dialog.ariaLabel = figure.dataset['diagram'] ?? '';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  dialog.append(close, enlarged(drawing));
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => dialog.remove());
  figure.append(dialog);
  dialog.showModal();
}

function enlarged(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  // The names are those of the drawing on the page: no id stands there twice.
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id');
  const { width, height } = drawing.viewBox.baseVal;
  const scale = Math.min((SHARE_ACROSS * innerWidth) / width, (SHARE_DOWN * innerHeight) / height, SCALE_MAX);
  copy.setAttribute('width', String(Math.round(width * Math.max(1, scale))));
  copy.setAttribute('height', String(Math.round(height * Math.max(1, scale))));
  return copy;
}
