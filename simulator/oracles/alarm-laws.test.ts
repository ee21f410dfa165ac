import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import { whatIsSickStands } from './alarm-laws.ts';

const SICK = 'the execution client takes none of the committed blocks that its node was given: restart it';

/** What is said of an alarm so long after the client got to its block; `before` has it go there. */
function complaintsAfter(ms: number, message = SICK): readonly string[] {
  const complaints: string[] = [];
  const oracle = whatIsSickStands(
    (complaint) => complaints.push(complaint),
    () => undefined,
  );
  const machine = { id: 's1', nowMs: 1000, node: { client: { head: { number: 6 } } } };
  const seen = machine as unknown as Machine;
  oracle.observed?.(seen, {} as never);
  machine.node.client.head = { number: 7 };
  machine.nowMs = 9000;
  oracle.observed?.(seen, {} as never);
  machine.nowMs += ms / 2;
  oracle.observed?.(seen, {} as never);
  machine.nowMs += ms / 2;
  oracle.said?.(seen, 'error', message);
  return complaints;
}

test('an alarm about a client that has just moved breaks it, and one about a client that stands does not', () => {
  expect(complaintsAfter(1000)).toEqual(['s1 calls its client sick, which got to block 7 1000 ms ago']);
  expect(complaintsAfter(2000)).toEqual([]);
});

/** What is said of a client that falls a second ago, after it stood for long, and is back after `awayMs`. */
function complaintsAboutFall(awayMs: number): readonly string[] {
  const complaints: string[] = [];
  const oracle = whatIsSickStands(
    (complaint) => complaints.push(complaint),
    () => undefined,
  );
  const [seven, two] = [{ number: 7 }, { number: 2 }];
  const machine = { id: 's1', nowMs: 1000, node: { client: { head: seven } } };
  const seen = machine as unknown as Machine;
  for (const [atMs, head] of [
    [1000, seven],
    [9000, two],
    [9000 + awayMs, seven],
  ] as const) {
    machine.nowMs = atMs;
    machine.node.client.head = head;
    oracle.observed?.(seen, {} as never);
  }
  machine.nowMs = 10_000;
  oracle.said?.(seen, 'error', SICK);
  return complaints;
}

test('a client that has fallen, and is back where it was before anybody could look, has stood', () => {
  expect(complaintsAboutFall(200)).toEqual([]);
  expect(complaintsAboutFall(500)).toEqual(['s1 calls its client sick, which got to block 7 500 ms ago']);
});

test('other lines of the log are not looked at', () => {
  expect(complaintsAfter(0, 'the execution client has dropped blocks')).toEqual([]);
});
