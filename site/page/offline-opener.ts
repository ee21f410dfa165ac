/** The button that keeps the site on this device. What it does is loaded when it is pressed; whether it was is asked of the browser. */

export function installOffline(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-offline]');
  if (button === null) return;
  // Only secure contexts have it.
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (serviceWorker === undefined) {
    button.hidden = true;
    return;
  }
  void tellKept(button, serviceWorker);
  button.addEventListener('click', () => void import('./offline.ts').then(({ keepOrForget }) => keepOrForget(button)));
}

async function tellKept(button: HTMLButtonElement, serviceWorker: ServiceWorkerContainer): Promise<void> {
  const registration = await serviceWorker.getRegistration();
  if (registration?.active == null) return;
  const { showKept } = await import('./offline.ts');
  showKept(button);
}
