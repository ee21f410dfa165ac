/** The law of what voters tell of their own nodes (rule 6): proofs are made of nothing else, so each word has to be so. */
import { kindsOfBits, type ObservationKind } from '#conductor/core/evidence/observation';
import { prefixedHex } from '#conductor/core/payload/hex';
import type { Block } from '../blocks.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Law } from './oracle.ts';

/** How often words are looked at, and nodes beside what their conductors do. */
const LOOK_MS = 100;
/** Two block times, by a clock that runs twice as fast. */
const STOOD_BLOCKS = 1;

/** Where a node stood, and from when on. */
interface Stood {
  readonly head: Block;
  readonly sinceMs: number;
}

/**
 * A server says of a block only what its node and client have shown: `notTaken` where the node has stood on the parent for
 * long enough, `left` where it was on the block and is off it, `holds` and `valid` of what the client has, or had, and
 * `invalid` of what it refuses. The word of a client that was ever out of its mind is its own.
 */
export const observationsAreSo: Law = (broken, note) => {
  let world: World | null = null;
  let lookedAtMs = -Infinity;
  const stood = new Map<Machine, Stood[]>();
  const wasUnsound = new Set<Machine>();
  const told = new Set<string>();

  const isSo = (seen: World, machine: Machine, block: Block, kind: ObservationKind): boolean => {
    const { blocks, verdicts, configuration, nowMs } = seen;
    const history = stood.get(machine) ?? [];
    const isOn = ({ head }: Stood): boolean => blocks.isAncestor(block, head);
    const bit = 1 << machine.index;
    switch (kind) {
      case 'notTaken': {
        const stoodMs = history.map(({ head, sinceMs }, at) =>
          blocks.parentOf(block) === head ? (history[at + 1]?.sinceMs ?? nowMs) - sinceMs : 0,
        );
        return Math.max(0, ...stoodMs) >= STOOD_BLOCKS * 1000 * configuration.blockSeconds - LOOK_MS;
      }
      case 'left':
        return history.some((one, at) => isOn(one) && history.slice(at + 1).some((later) => !isOn(later)));
      case 'holds':
        return machine.node.client.hasHad(block) || history.some(isOn);
      case 'valid':
        return wasUnsound.has(machine) || (verdicts.refusersOf(block) & bit) === 0;
      case 'invalid':
        return wasUnsound.has(machine) || (verdicts.refusersOf(block, -Infinity) & bit) !== 0;
      case 'l1':
        return true;
    }
  };

  const lookAt = (machine: Machine): void => {
    const { head, client } = machine.node;
    const history = stood.get(machine) ?? [];
    if (history.at(-1)?.head !== head) history.push({ head, sinceMs: machine.worldMs });
    stood.set(machine, history);
    if (!client.isHonest || client.isSyncing || client.needsRestart) wasUnsound.add(machine);
  };

  const look = (seen: World): void => {
    for (const machine of seen.machines) lookAt(machine);
    for (const { conductor } of seen.machines)
      for (const { id, peerStatus } of conductor?.status().peers ?? [])
        for (const { hash, kinds } of peerStatus?.observations ?? []) {
          const key = `${id} ${prefixedHex(hash)} ${kinds}`;
          if (told.has(key)) continue;
          told.add(key);
          const machine = seen.machines.find((one) => one.id === id);
          const block = seen.blocks.find(prefixedHex(hash));
          if (machine === undefined || block === null) continue;
          for (const kind of kindsOfBits(kinds)) {
            note(`a server says of a block: ${kind}`);
            if (!isSo(seen, machine, block, kind))
              broken(`${id} says “${kind}” of block ${block.number} (${block.hash.slice(2, 8)}), and that is not so`);
          }
        }
  };

  return {
    watch: (watched) => {
      world = watched;
    },
    observed: (machine) => {
      lookAt(machine);
      const { worldMs } = machine;
      if (world === null || worldMs < lookedAtMs + LOOK_MS) return;
      lookedAtMs = worldMs;
      look(world);
    },
  };
};
