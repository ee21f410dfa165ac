/** What operators and clients do. */
import { emergency } from './emergency.ts';
import { OPERATORS, kind, type Kind } from './fault.ts';
import { OutAndBack } from './out-and-back.ts';
import { overrideLeader } from './override.ts';

/** Between two reads of a client. */
const READ_EVERY_MS = 150;

/** A server, or its vote, is taken out, and added again when the event is over and that was answered. */
function outAndBack(isDemoted: boolean): Kind['act'] {
  return (world, { at }) => {
    const machine = world.machine(at);
    const leader = world.leader();
    if (!world.mayLeave(machine)) return;
    const operator = new OutAndBack(world, machine);
    if (leader !== null) operator.takeOut(leader, isDemoted);
    return operator.goOn;
  };
}

export const operations = {
  pause: kind('none', 'machine', true, 'an operator pauses {at}', (world, { at }) => {
    const machine = world.machine(at);
    world.operate(machine, 'conductor_pause', []);
    return () => world.callUntilDone(machine, 'conductor_resume', []);
  }),
  transfer: kind('none', OPERATORS, false, 'an operator hands leadership on', (world) => {
    const leader = world.leader();
    if (leader !== null) world.operate(leader, 'conductor_transferLeader', []);
  }),
  transferTo: kind('none', OPERATORS, false, 'an operator hands leadership to {at}', (world, { at }) => {
    const leader = world.leader();
    const { id, address } = world.machine(at);
    if (leader !== null) world.operate(leader, 'conductor_transferLeaderToServer', [id, address, 0n]);
  }),
  remove: kind('quorum', OPERATORS, true, 'an operator removes {at} and adds it again', outAndBack(false)),
  demote: kind('quorum', OPERATORS, true, 'an operator demotes {at} and promotes it again', outAndBack(true)),
  burst: kind(
    'none',
    'nobody',
    true,
    'entries without payloads are written through whoever leads, {n} / 20 a second',
    (world, event) => {
      const count = Math.ceil(((1 + event.amount / 20) * event.forMs) / 1000);
      // A leader that does not know yet that it is deposed gets some, too.
      const append = (): void => {
        for (const machine of world.machines) if (machine.conductor?.position().role === 'leader') machine.append();
      };
      for (let at = 0; at < count; at++) world.queue.after((event.forMs * at) / count, append);
    },
  ),
  read: kind(
    'none',
    'nobody',
    true,
    'clients read the log through all conductors in turn, from {at} on',
    (world, { at, forMs }) => {
      for (let turn = 0; turn * READ_EVERY_MS < forMs; turn++)
        world.queue.after(turn * READ_EVERY_MS, () => world.observer.readBegins(world.machine(at + turn)));
    },
  ),
  override: kind(
    'none',
    OPERATORS,
    true,
    'an operator pauses all and has {at} sequence without the log',
    overrideLeader,
  ),
  emergency: kind(
    'none',
    OPERATORS,
    true,
    'all conductors but {at} are lost, and an operator has it sequence alone',
    emergency,
  ),
} as const satisfies Readonly<Record<string, Kind>>;
