/**
 * Tables, diagrams and code that may scroll sideways. What fits needs no stop of the Tab key, and a table that fits
 * lets its head stick to the page. Both the box and what is in it are watched: faces arrive late, windows change.
 */

export function installScrollers(): void {
  const boxes = document.querySelectorAll<HTMLElement>('[data-scrolls], [data-code] > pre');
  const boxOf = new Map<Element, HTMLElement>();
  const observer = new ResizeObserver((entries) => {
    // First all measuring, then all changes: else each change would cost a layout.
    const changed = [...new Set(entries.flatMap(({ target }) => boxOf.get(target) ?? []))];
    const fitting = changed.map((box) => box.scrollWidth <= box.clientWidth);
    changed.forEach((box, index) => mark(box, fitting[index] === true));
  });
  for (const box of boxes) {
    for (const part of [box, ...box.children]) {
      boxOf.set(part, box);
      observer.observe(part);
    }
  }
}

function mark(box: HTMLElement, fits: boolean): void {
  box.toggleAttribute('data-fits', fits);
  if (fits) box.removeAttribute('tabindex');
  else box.tabIndex = 0;
}
