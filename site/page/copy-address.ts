/** Puts a copy button behind every address that stands in a table. Loaded only by pages that have some. */

const COPIED_MS = 1500;

export function addCopyButtons(addresses: Iterable<HTMLElement>): void {
  for (const address of addresses) address.after(newButton(address.textContent ?? ''));
}

function newButton(address: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-address';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${address}`);
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(address).then(
      () => say(button, 'Copied'),
      () => say(button, 'Select it and press Ctrl C'),
    );
  });
  return button;
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS);
}
