/** A change of leadership in sentences, for its page and for the report. */
import type { Failover } from '../../conductor/console/protocol.ts';
import { duration, plural } from './words.ts';

/** Without a full stop. */
export function changeWords({ kind, from, to }: Failover): string {
  if (kind === 'handed') return `${from} handed leadership over`;
  if (kind === 'lost') return `${from} was lost`;
  return `Leadership went from ${from} to ${to}, handed over or lost`;
}

/** Found by asking, the gap has bounds, and what was surely missed is the least. */
export function missedWords({ missedSlots, gapRangeMs }: Failover): string {
  if (missedSlots === null) return '';
  if (missedSlots === 0) return gapRangeMs === null ? 'No slot was missed.' : 'Maybe no slot was missed.';
  return `${gapRangeMs === null ? '' : 'At least '}${plural(missedSlots, 'slot', 'slots')} missed.`;
}

/** "Blocks 5 and 6 are 2.10 s apart". */
export function gapWords({ gapMs, gapRangeMs, lastBlock, firstBlock }: Failover): string {
  if (gapMs === null) return `No block has followed block ${lastBlock} yet.`;
  const bounds = gapRangeMs === null ? '' : `, between ${duration(gapRangeMs[0])} and ${duration(gapRangeMs[1])}`;
  return `Blocks ${lastBlock} and ${firstBlock} are ${duration(gapMs)} apart${bounds}.`;
}
