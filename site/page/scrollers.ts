/**
 * Tables, diagrams and code that may scroll sideways. What fits needs no stop of the Tab key, and a table that fits
 * lets its head stick to the page. Both the box and what is in it are watched: faces arrive late, windows change.
 */

export function installScrollers(): void {
  const boxes = document.querySelectorAll<HTMLElement>('[data-scrolls], [data-code] > pre');
  const boxOf = new Map<Element, HTMLElement>();
  const observer = new ResizeObserver((entries) => {
    for (const box of new Set(entries.map(({ target }) => boxOf.get(target)))) if (box !== undefined) fit(box);
  });
  for (const box of boxes) {
    for (const part of [box, ...box.children]) {
      boxOf.set(part, box);
      observer.observe(part);
    }
  }
}

function fit(box: HTMLElement): void {
  const fits = box.scrollWidth <= box.clientWidth;
  box.toggleAttribute('data-fits', fits);
  if (fits) box.removeAttribute('tabindex');
  else box.tabIndex = 0;
}
