/** A path whose largest packet is smaller than both ends believe, and nobody tells them: a black hole for packets of full size. */
import { between, during, kind, type Kind } from './fault.ts';

export const holeFaults = {
  hole: kind(
    'quorum',
    'pair',
    true,
    'packets of full size from {at} to {to} vanish, and small ones get through',
    between(({ world: { links }, a, b }) => {
      links.hole(a.index, b.index, 1);
      return () => links.hole(a.index, b.index, -1);
    }),
  ),
  holes: kind(
    'quorum',
    'machine',
    true,
    'packets of full size from {at} vanish, and small ones get through',
    during((machine, by, { machines, links }) => {
      for (const other of machines) if (other !== machine) links.hole(machine.index, other.index, by);
    }),
  ),
} as const satisfies Readonly<Record<string, Kind>>;
