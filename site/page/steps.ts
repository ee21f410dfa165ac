/**
 * Steppers that remember what is done. Stored under the page's route and the stepper's id as the slugs of steps
 * done, so that a step keeps its tick when others are inserted before it. What is done for each server is stored under
 * the server's id, too.
 */
import { readStored, store } from './storage.ts';

/** What is done, as far as the page still has it; anything but a list of slugs counts as nothing done. */
export function readProgress(stored: string | null, slugs: readonly string[]): ReadonlySet<string> {
  const done = (stored ?? '').split(' ');
  return new Set(slugs.filter((slug) => done.includes(slug)));
}

/** As text to store; null when nothing is done. */
export function writeProgress(done: ReadonlySet<string>): string | null {
  return done.size === 0 ? null : [...done].join(' ');
}

export function progressInWords(done: number, of: number): string {
  if (done === 0) return '';
  return done === of ? `All ${of} steps done` : `${done} of ${of} steps done`;
}

/** Sent to a stepper when it is about another server, which its `data-server` names. */
export const STEPS_CHANGED = 'stepschanged';

/** How far one is with a server. */
export function stepsDone(stepper: HTMLElement, server: string): { readonly done: number; readonly of: number } {
  const slugs = stepsOf(stepper).map(slugOf);
  return { done: readProgress(readStored(keyOf(stepper, server)), slugs).size, of: slugs.length };
}

export function installSteps(): void {
  for (const stepper of document.querySelectorAll<HTMLElement>('[data-steps]')) installStepper(stepper);
}

function installStepper(stepper: HTMLElement): void {
  const key = (): string => keyOf(stepper, stepper.dataset['server']);
  const steps = stepsOf(stepper);
  const slugs = steps.map(slugOf);
  const reset = stepper.querySelector<HTMLElement>('[data-steps-reset]');
  const words = stepper.querySelector('[data-steps-progress]');

  const show = (done: ReadonlySet<string>): void => {
    for (const step of steps) {
      const isDone = done.has(slugOf(step));
      step.toggleAttribute('data-done', isDone);
      const tick = step.querySelector<HTMLInputElement>('input[type=checkbox]');
      if (tick !== null) tick.checked = isDone;
    }
    if (words !== null) words.textContent = progressInWords(done.size, slugs.length);
    if (reset !== null) reset.hidden = done.size === 0;
  };
  const stored = (): ReadonlySet<string> => readProgress(readStored(key()), slugs);

  stepper.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const ticked = steps.filter((step) => step.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked);
    const done = new Set(ticked.map(slugOf));
    store(key(), writeProgress(done));
    show(done);
  });
  reset?.addEventListener('click', () => {
    store(key(), null);
    show(new Set());
    steps[0]?.querySelector('input')?.focus();
  });
  window.addEventListener('storage', (event) => {
    if (event.key === key()) show(stored());
  });
  stepper.addEventListener(STEPS_CHANGED, () => show(stored()));
  show(stored());
}

function keyOf(stepper: HTMLElement, server: string | undefined): string {
  const of = server === undefined ? '' : `@${server}`;
  return `steps:${location.pathname.replace(/\/$/, '')}#${stepper.dataset['steps'] ?? ''}${of}`;
}

function stepsOf(stepper: HTMLElement): HTMLElement[] {
  return [...stepper.querySelectorAll<HTMLElement>('[data-step]')].filter(
    (step) => step.closest('[data-steps]') === stepper,
  );
}

function slugOf(step: HTMLElement): string {
  return step.dataset['step'] ?? '';
}
