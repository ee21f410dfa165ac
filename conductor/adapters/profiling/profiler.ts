/**
 * What Bun can tell about where time and memory go, in the forms that browsers' developer tools open: a
 * sampled CPU profile and a snapshot of the heap. One at a time, because each costs speed or stops the loop.
 */
import { heapStats } from 'bun:jsc';
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest CPU profile. Its samples are kept in memory until it ends. */
export const cpuProfileMsMax = 60_000;
/** Largest heap of which a snapshot is made: it stops the process for about 10 ms per megabyte. */
export const heapBytesMax = 256 * 1024 * 1024;

/** `busy`: another is being made. `heap-too-large`: see heapBytesMax. */
export type Profile =
  | { readonly kind: 'made'; readonly text: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'heap-too-large' };

export class Profiler {
  #isBusy = false;

  /** Samples this process's own code for `ms` (at most cpuProfileMsMax) or until the signal; JSON of a .cpuprofile. */
  async cpu(ms: number, signal: AbortSignal): Promise<Profile> {
    return this.#alone(async () => {
      const session = new Session();
      session.connect();
      try {
        await session.post('Profiler.enable');
        await session.post('Profiler.start');
        await sleep(Math.min(ms, cpuProfileMsMax), undefined, { signal }).catch(() => undefined);
        const { profile } = await session.post('Profiler.stop');
        return { kind: 'made', text: JSON.stringify(profile) };
      } finally {
        session.disconnect();
      }
    });
  }

  /** Everything on the heap, secrets too; JSON of a .heapsnapshot. Stops the process while it is made. */
  async heap(): Promise<Profile> {
    return this.#alone(async () =>
      heapStats().heapSize > heapBytesMax
        ? { kind: 'heap-too-large' }
        : { kind: 'made', text: Bun.generateHeapSnapshot('v8') },
    );
  }

  async #alone(make: () => Promise<Profile>): Promise<Profile> {
    if (this.#isBusy) return { kind: 'busy' };
    this.#isBusy = true;
    try {
      return await make();
    } finally {
      this.#isBusy = false;
    }
  }
}
