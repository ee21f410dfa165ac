import { expect, test } from 'vitest';
import { block } from '../control/testing/world.ts';
import type { BlockRef } from '../node/calls.ts';
import type { Giving } from './give.ts';
import { Memory } from './memory.ts';
import { StuckClient } from './stuck-client.ts';

/** A client whose process ends and comes back again and again, and that executes nothing on the head it comes back to. */
class Client {
  readonly memory = new Memory();
  readonly wasRestarted: boolean[] = [];
  readonly #stuck: StuckClient;
  #nowMs = 0;

  constructor() {
    this.#stuck = new StuckClient(this.memory, { isUnderWay: false } as Giving, {
      nowMs: () => this.#nowMs,
      mayAct: () => true,
      stuck: (_head, _tip, { wasRestarted }) => void this.wasRestarted.push(wasRestarted),
      heldUp: () => undefined,
    });
  }

  /** Looks find it there for three seconds. */
  stands(head: BlockRef, isBelow: boolean): void {
    this.memory.client = head;
    for (let look = 0; look < 12; look += 1) {
      this.#nowMs += 250;
      const seen = { isSettled: !isBelow, safeNumber: null, observations: [] };
      this.#stuck.looked(
        { ...seen, below: isBelow ? head.hash : null, needsSync: isBelow ? 'restart' : null },
        block(9n),
      );
    }
  }
}

test.each([
  ['a restart that has helped says nothing of the next time on the same head', true, [false, false, false, false]],
  ['restarts that help nothing are said to be in vain after two', false, [false, false, true, true]],
])('%s', (_, helps, expected) => {
  const client = new Client();
  for (let time = 0; time < expected.length; time += 1) {
    client.stands(block(0n), true);
    client.memory.timesGone += 1;
    if (helps) client.stands(block(9n), false);
    else client.stands(block(0n), false);
  }
  expect(client.wasRestarted).toEqual(expected);
});
