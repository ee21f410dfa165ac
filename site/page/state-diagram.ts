/**
 * Makes the drawing of a conductor's states answer: a state that is pressed, or reached by keyboard, shows its exits
 * in the drawing and in words below it. Keyboard: Tab and arrows move between the states, Enter shows or hides the
 * exits, Escape hides them, T opens the table. The facts are those of the table under the drawing; without this
 * script each state is a link to its row.
 */

interface Box {
  readonly link: SVGAElement;
  readonly x: number;
  readonly y: number;
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function installStateDiagram(figure: HTMLElement): void {
  const boxes = [...figure.querySelectorAll<SVGAElement>('a[data-state]')].map((link): Box => {
    const { x, y, width, height } = link.getBBox();
    return { link, x: x + width / 2, y: y + height / 2 };
  });
  const words = document.createElement('p');
  words.role = 'status';
  words.dataset['exits'] = '';
  words.textContent = 'Press a state to see its exits. Arrow keys move between states, T opens the table.';
  figure.querySelector('svg')?.after(words);

  const show = (link: SVGAElement | null): void => {
    for (const box of boxes) {
      if (box.link === link) box.link.setAttribute('aria-current', 'true');
      else box.link.removeAttribute('aria-current');
    }
    const state = link?.dataset['state'];
    for (const exit of figure.querySelectorAll<SVGGElement>('g[data-from]')) {
      if (state === undefined) delete exit.dataset['is'];
      else exit.dataset['is'] = exit.dataset['from'] === state ? 'exit' : 'faint';
    }
    words.textContent = link === null ? '' : describe(figure, link);
  };

  for (const box of boxes) {
    const { link } = box;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      show(link.hasAttribute('aria-current') ? null : link);
    });
    link.addEventListener('focus', () => {
      if (link.matches(':focus-visible')) show(link);
    });
    link.addEventListener('keydown', (event) => {
      const direction = arrows[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (direction !== undefined) {
        nearest(boxes, box, direction)?.link.focus();
      } else if (event.key === 'Escape') show(null);
      else if (event.key === 't' || event.key === 'T') openTable(figure);
      else return;
      event.preventDefault();
    });
  }
}

/** The box that is nearest in a direction, in the same row or column. */
function nearest(boxes: readonly Box[], from: Box, [dx, dy]: readonly [number, number]): Box | null {
  let best: Box | null = null;
  let bestDistance = Infinity;
  for (const box of boxes) {
    const along = (box.x - from.x) * dx + (box.y - from.y) * dy;
    const across = Math.abs((box.x - from.x) * dy) + Math.abs((box.y - from.y) * dx);
    if (along <= 1 || across > 1 || along >= bestDistance) continue;
    best = box;
    bestDistance = along;
  }
  return best;
}

/** What the row of a state says, as a sentence. */
function describe(figure: HTMLElement, link: SVGAElement): string {
  const row = figure.querySelector(`tr[id="${CSS.escape(link.href.baseVal.slice(1))}"]`);
  const [name, is, meaning, exits] = [...(row?.children ?? [])].map((cell) => cell.textContent.trim());
  return `${name}: ${is}. ${meaning} Exits: ${exits}.`;
}

function openTable(figure: HTMLElement): void {
  const table = figure.querySelector('details');
  if (table === null) return;
  table.open = true;
  table.querySelector('summary')?.focus();
}
