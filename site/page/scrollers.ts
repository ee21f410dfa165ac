/**
 * Tables, diagrams and code that may scroll sideways. What fits needs no stop of the Tab key, and a table that fits
 * lets its head stick to the page.
 */

export function installScrollers(): void {
  const boxes = document.querySelectorAll<HTMLElement>('[data-scrolls], [data-code] > pre');
  const fit = (box: HTMLElement): void => {
    const fits = box.scrollWidth <= box.clientWidth;
    box.toggleAttribute('data-fits', fits);
    if (fits) box.removeAttribute('tabindex');
    else box.tabIndex = 0;
  };
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target instanceof HTMLElement) fit(target);
  });
  for (const box of boxes) observer.observe(box);
}
