import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import { noNodeTroubles } from '../node-troubles.ts';
import type { World } from '../world.ts';
import { recoverModeIsGivenBack } from './recover-mode-law.ts';

/** What is said when a node has been in recover mode for ten seconds, or as long as it says, beside a conductor in this role; `change` makes it another run. */
function complaintsAbout(
  role: string,
  change: (node: { isUp: boolean; sequencing: { isRecovering: boolean } }) => void,
  forMs = 10_000,
  isSpoilingFull = false,
) {
  const complaints: string[] = [];
  const oracle = recoverModeIsGivenBack(
    (complaint) => void (complaints.length === 0 && complaints.push(complaint)),
    () => undefined,
  );
  const node = {
    isUp: true,
    faults: noNodeTroubles(),
    l1: { forkedFrom: null, seen: Infinity },
    client: { isHonest: true, isSyncing: false, needsRestart: false, faults: {} },
    sequencing: { isRecovering: true },
  };
  const machine = { id: 's0', index: 0, life: 1, worldMs: 0, nowMs: 0, node };
  const spoiled = { isSpoiling: () => false, isSpoilingFull: () => isSpoilingFull };
  oracle.watch?.({ spoiled, configuration: { blockSeconds: 1 } } as unknown as World);
  for (let ms = 0; ms <= forMs; ms += 100) {
    machine.worldMs = machine.nowMs = ms;
    if (ms === 2000) change(node);
    oracle.observed?.(machine as unknown as Machine, { role } as never);
  }
  return complaints;
}

const asItIs = (): void => undefined;

test('a node in recover mode beside a conductor that does not lead breaks it', () => {
  expect(complaintsAbout('follower', asItIs)).toEqual([
    's0 does not lead, and its node has been in recover mode for 3100 ms',
  ]);
});

test('beside one that leads it does not, nor where it is given back, nor where the node cannot be told', () => {
  expect(complaintsAbout('leader', asItIs)).toEqual([]);
  expect(complaintsAbout('follower', (node) => void (node.sequencing.isRecovering = false))).toEqual([]);
  expect(complaintsAbout('follower', (node) => void (node.isUp = false))).toEqual([]);
});

test('under one that leads it does where its builder has been sound for longer than it takes until full blocks are tried', () => {
  expect(complaintsAbout('leader', asItIs, 35_000)).toEqual([]);
  expect(complaintsAbout('leader', asItIs, 36_000)).toEqual([
    'the builder of s0, which leads, is sound, and its node has been in recover mode for 35100 ms',
  ]);
  expect(complaintsAbout('leader', asItIs, 36_000, true)).toEqual([]);
});
