/**
 * Tables, diagrams and code that may scroll sideways. What fits needs no stop of the Tab key, and a table that fits
 * lets its head stick to the page; one that does not is kept within the window (mdx/Table.module.css). Both the box and
 * what is in it are watched: faces arrive late, windows change.
 */

export function installScrollers(): void {
  const boxes = document.querySelectorAll<HTMLElement>('[data-scrolls], [data-code] > pre');
  const boxOf = new Map<Element, HTMLElement>();
  /**
   * The width at which what counted as fitting did not. A box is laid out otherwise when it scrolls, and may then fit:
   * taken at its word it would go to and fro for ever.
   */
  const tooNarrow = new Map<HTMLElement, number>();

  const measure = (changed: readonly HTMLElement[]): void => {
    // First all measuring, then all changes: else each change would cost a layout.
    const fitting = changed.map((box) => {
      const width = box.clientWidth;
      const overflows = box.scrollWidth > width;
      if (overflows && box.hasAttribute('data-fits')) tooNarrow.set(box, width);
      return !overflows && width > (tooNarrow.get(box) ?? 0);
    });
    changed.forEach((box, index) => mark(box, fitting[index] === true));
  };

  const observer = new ResizeObserver((entries) =>
    measure([...new Set(entries.flatMap(({ target }) => boxOf.get(target) ?? []))]),
  );
  for (const box of boxes) {
    for (const part of [box, ...box.children]) {
      boxOf.set(part, box);
      observer.observe(part);
    }
  }
  document.fonts.addEventListener('loadingdone', () => {
    const narrow = [...tooNarrow.keys()];
    tooNarrow.clear();
    measure(narrow);
  });
}

function mark(box: HTMLElement, fits: boolean): void {
  box.toggleAttribute('data-fits', fits);
  box.toggleAttribute('data-overflows', !fits);
  if (fits) box.removeAttribute('tabindex');
  else box.tabIndex = 0;
}
