/** Buttons of code blocks with long lines: pressed, the lines are broken at the block's edge; pressed again, they are not. */
export function installWrap(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-wrap]') : null;
    if (button !== null) button.ariaPressed = button.ariaPressed === 'true' ? 'false' : 'true';
  });
}
