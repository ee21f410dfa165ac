/** The laws of overrides: while an operator has one node sequence without the log, nobody else publishes, and nobody interferes. */
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { Call } from '../observer.ts';
import { changesTheNode } from './changes-of-nodes.ts';
import type { Law } from './oracle.ts';
import { isToldToEnd } from './told-to-end.ts';
import { UNDER_WAY_MAX_MS } from './under-way.ts';

/**
 * From the answer to an override to its end a conductor neither starts nor stops its sequencer, which is the operator's, nor
 * changes its node or client otherwise, nor hands leadership over when it ends, and says that it leads, whoever does: op-node asks before it
 * starts and stops (rule 27). What it had decided on in the turn in which it read of the override goes out before that answer.
 */
export const overriddenStandsStill: Law = (broken) => {
  const overridden = new Set<string>();
  /** Questions to one whose override has been answered and is not over. */
  const asked = new Map<string, Set<Call>>();
  /** Those that end, and no hand-over was asked for meanwhile, or shortly before. */
  const ending = new Set<string>();
  const toHandOverAtMs = new Map<string, number>();
  const calls = ({ id }: Machine, method: string): void => {
    if (asked.has(id)) broken(`${id} is overridden and calls ${method}`);
  };
  const isOver = ({ id }: Machine): void => {
    overridden.delete(id);
    asked.delete(id);
  };
  const lifeIsOver = (machine: Machine): void => {
    isOver(machine);
    ending.delete(machine.id);
    toHandOverAtMs.delete(machine.id);
  };
  return {
    started: lifeIsOver,
    ended: lifeIsOver,
    handles: ['drain', 'rpc'],
    handled: (machine, event) => {
      const { id, worldMs } = machine;
      if (isToldToEnd(event)) {
        if (worldMs - (toHandOverAtMs.get(id) ?? -Infinity) > UNDER_WAY_MAX_MS) ending.add(id);
      } else if (event.kind === 'rpc' && event.method.startsWith('conductor_transferLeader')) {
        toHandOverAtMs.set(id, worldMs);
        ending.delete(id);
      }
      if (event.kind !== 'rpc' || event.method !== 'conductor_overrideLeader') return;
      if (event.values[0] === true) overridden.add(id);
      else isOver(machine);
    },
    handsOver: (machine) => {
      if (ending.has(machine.id) && machine.conductor?.position().role === 'leader') calls(machine, 'TimeoutNow');
    },
    ordered: calls,
    asked: (machine, request) => {
      if (changesTheNode(request)) calls(machine, request.method);
    },
    called: (machine, call) => {
      if (call.method === 'conductor_overrideLeader' && call.values[0] !== true) asked.delete(machine.id);
      if (call.method === 'conductor_leader') asked.get(machine.id)?.add(call);
    },
    answered: ({ id }, call, outcome) => {
      if (outcome.kind !== 'result') return;
      if (call.method === 'conductor_overrideLeader' && overridden.has(id)) asked.set(id, asked.get(id) ?? new Set());
      if (asked.get(id)?.delete(call) === true && outcome.json !== 'true')
        broken(`${id} is overridden and says that it leads: ${outcome.json}`);
    },
  };
};

/** One override at a time, the others paused: only that node publishes, and what it published stays. */
export const overrideStandsAlone: Law = (broken) => {
  let machines: readonly Machine[] = [];
  const published: Block[] = [];
  return {
    watch: (world) => {
      machines = world.machines;
    },
    published: ({ id, node }, block) => {
      if (node.isUnconducted) published.push(block);
      for (const other of machines)
        if (other.id !== id && other.node.isUnconducted && other.node.isActive)
          broken(`${id} publishes block ${block.number} while ${other.id} is overridden`);
    },
    finish: ({ world: { blocks, machines: all } }) => {
      let head = blocks.genesis;
      for (const { node } of all) if (node.head.number > head.number && !blocks.isDead(node.head)) head = node.head;
      for (const block of published)
        if (!blocks.isDead(block) && !blocks.isAncestor(block, head))
          broken(`block ${block.number}, published under an override, is not below the final head ${head.number}`);
    },
  };
};
