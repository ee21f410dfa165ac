/** Copy buttons: the text of a code block, or the page's Markdown twin. The button says what came of it. */

/** How long a button says so, in ms. */
const SAID_MS = 2_000;

export function installCopy(): void {
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy], [data-copy-page]') : null;
    if (button !== null) void copy(button);
  });
}

async function copy(button: HTMLElement): Promise<void> {
  const words = button.dataset['words'] ?? button.textContent;
  button.dataset['words'] = words;
  try {
    await navigator.clipboard.writeText(await textFor(button));
    say(button, 'Copied');
  } catch {
    say(button, 'Could not copy');
  }
  setTimeout(() => {
    button.textContent = words;
  }, SAID_MS);
}

async function textFor(button: HTMLElement): Promise<string> {
  const address = button.dataset['copyPage'];
  if (address === undefined) return (button.closest('[data-code]')?.querySelector('pre')?.textContent ?? '').trimEnd();
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  return response.text();
}

/** On the button for those who see it, in a status for those who hear it. */
function say(button: HTMLElement, words: string): void {
  button.textContent = words;
  const status = document.querySelector('[data-status]') ?? document.body.appendChild(newStatus());
  status.textContent = '';
  requestAnimationFrame(() => {
    status.textContent = words;
  });
}

function newStatus(): HTMLElement {
  const status = document.createElement('p');
  status.className = 'unseen';
  status.role = 'status';
  status.dataset['status'] = '';
  return status;
}
