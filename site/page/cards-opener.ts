/** Listens for links that have a card; what shows it is loaded with the first. */
export function installCards(): void {
  const load = async () => import('./cards.ts');
  const linkAt = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('[data-card]') : null;
  const hide = (event: Event): void => {
    if (linkAt(event.target) !== null) void load().then(({ hideCard }) => hideCard());
  };
  for (const sign of ['pointerover', 'focusin']) {
    document.addEventListener(sign, (event) => {
      const link = linkAt(event.target);
      // A finger has no place to rest: it follows the link.
      if (link === null || (event instanceof PointerEvent && event.pointerType !== 'mouse')) return;
      void load().then(({ showCard }) => showCard(link, sign === 'focusin'));
    });
  }
  for (const sign of ['pointerout', 'focusout']) document.addEventListener(sign, hide);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide(event);
  });
}
