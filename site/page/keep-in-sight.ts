/** An item that comes into sight is put this far from the list's edge, in parts of the list's height. */
const MARGIN = 0.25;

/** Scrolls a list so that one of its items is in sight; the page itself never moves, as it may with scrollIntoView. */
export function keepInSight(list: Element, item: Element): void {
  const { top, bottom } = item.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top) list.scrollTop -= frame.top - top + frame.height * MARGIN;
  else if (bottom > frame.bottom) list.scrollTop += bottom - frame.bottom + frame.height * MARGIN;
}
