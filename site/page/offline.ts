/**
 * Keeps the site on this device, or forgets it. The button says which it would do, the words beside it what became of
 * it. Loaded when the button is pressed, and for readers who keep the site.
 */
import { forgetOthers, type Progress } from '../offline/kept-files.ts';

const WORKER = '/offline.js';
const CHANNEL = 'offline';
const KEEP = 'Keep this site offline';
const FORGET = 'Forget the offline copy';

export function showKept(button: HTMLButtonElement): void {
  button.textContent = FORGET;
  say(button, 'Kept: pages and search work without a network.');
}

export async function keepOrForget(button: HTMLButtonElement): Promise<void> {
  button.disabled = true;
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration?.active == null) {
      await keep(button);
      showKept(button);
    } else {
      await registration.unregister();
      await forgetOthers(null, { caches });
      button.textContent = KEEP;
      say(button, 'Forgotten.');
    }
  } catch (error) {
    console.error(error);
    say(button, 'It could not be kept: the network failed, or this browser has no room. Try again.');
  } finally {
    button.disabled = false;
  }
}

/** Resolves when everything is there; rejects when something could not be had. */
async function keep(button: HTMLButtonElement): Promise<void> {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<Progress>) => {
    say(button, `Keeping: ${Math.floor((100 * data.done) / data.all)} %`);
  });
  say(button, 'Keeping …');
  try {
    const registration = await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    if (worker === null) throw new Error('the browser has started no service worker');
    await activated(worker);
  } finally {
    channel.close();
  }
}

function activated(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('the service worker could not keep every file'));
    };
    worker.addEventListener('statechange', look);
    look();
  });
}

function say(button: HTMLButtonElement, words: string): void {
  const status = button.parentElement?.querySelector('[role=status]');
  if (status != null) status.textContent = words;
}
