/** Clients who ask conductors, of themselves and of the nodes behind them. */
import type { MethodName } from '#conductor/core/rpc/methods';
import type { ParamValue } from '#conductor/core/rpc/params';
import { kind, type Kind } from './fault.ts';
import type { Machine } from './machine.ts';

/** Between two questions of clients. */
const ASK_EVERY_MS = 70;
const questions: readonly MethodName[] = ['conductor_leader', 'conductor_active'];
/** Calls that are passed on to a node that is down, and between two of them. */
const PASSED_ON = 125;
const PASS_EVERY_MS = 8;
/** From when on after that it is asked again, so many times, with such pauses. */
const PASSED_AGAIN = { afterMs: 5000, times: 20, everyMs: 500 };
const passedOn: readonly [MethodName, readonly ParamValue[]][] = [
  ['optimism_syncStatus', []],
  ['eth_getBlockByNumber', ['latest', false]],
];

/** Clients call methods of its node and its client through a conductor. */
function askThrough(machine: Machine | null): void {
  if (machine === null || machine.isOpConductor) return;
  for (const [method, values] of passedOn) machine.call(method, values, () => undefined);
}

/** Questions at once to a conductor that is about to stand still, how often, and how long until the next of them. */
const AT_ONCE = 30;
const AT_ONCE_TIMES = 5;
const AT_ONCE_EVERY_MS = 2500;
/** It stands from when on after the questions, and for how long: longer than a lease. */
const STANDS_AFTER_MS = 1;
const STANDS_MS = 650;

export const askingFaults = {
  ask: kind(
    'none',
    'nobody',
    true,
    'clients ask all conductors in turn whether they lead, and whether they are active',
    (world, { at, forMs }) => {
      for (let turn = 0; turn * ASK_EVERY_MS < forMs; turn++)
        world.queue.after(turn * ASK_EVERY_MS, () => {
          for (const method of questions) world.machine(at + turn).call(method, [], () => undefined);
        });
    },
  ),
  askThrough: kind(
    'sequencer',
    'machine',
    true,
    'op-node {at} is down, and clients ask it through its conductor, again and again, and later through whoever leads',
    (world, { at }) => {
      const machine = world.machine(at);
      machine.node.down(1);
      for (let turn = 0; turn < PASSED_ON; turn++) world.queue.after(turn * PASS_EVERY_MS, () => askThrough(machine));
      return () => {
        machine.node.down(-1);
        const { afterMs, times, everyMs } = PASSED_AGAIN;
        for (let turn = 0; turn < times; turn++)
          world.queue.after(afterMs + turn * everyMs, () => {
            askThrough(machine);
            if (world.leader() !== machine) askThrough(world.leader());
          });
      };
    },
  ),
  askedInDoubt: kind(
    'quorum',
    'machine',
    true,
    'clients ask op-node {at} through its conductor, many at once, and it stands still for longer than a lease before it answers',
    (world, { at, forMs }) => {
      const machine = world.machine(at);
      for (let turn = 0; turn < AT_ONCE_TIMES && turn * AT_ONCE_EVERY_MS < forMs; turn++)
        world.queue.after(turn * AT_ONCE_EVERY_MS, () => {
          for (let call = 0; call < AT_ONCE; call++) askThrough(machine);
          world.queue.after(STANDS_AFTER_MS, () => machine.stand(1));
          world.queue.after(STANDS_AFTER_MS + STANDS_MS, () => machine.stand(-1));
        });
    },
  ),
} as const satisfies Readonly<Record<string, Kind>>;
