/** The pieces of state that admin methods may change, as the audit log tells them before and after. */
import type { ReadHost } from './reads.ts';

/** Each with its present value. */
export const adminStates = {
  paused: (host: ReadHost) => String(host.control.isPaused),
  stopped: (host: ReadHost) => String(host.control.isStopped),
  overridden: (host: ReadHost) => String(host.isOverridden()),
  version: (host: ReadHost) => String(host.status().configuration.index),
  leader: (host: ReadHost) => host.status().leaderId ?? 'none',
  givenUp: (host: ReadHost) => {
    const { givenUp } = host.clusterNodes();
    return givenUp === null ? 'none' : `${givenUp.number} ${givenUp.hash}`;
  },
} as const;

export type AdminState = keyof typeof adminStates;
