/** A node in words, for the picture and for the table. */
import type { NodeFrame } from './protocol.ts';
import { verbs } from './verbs.ts';

export interface NodeWords {
  /** "head 42, sequencing"; a sequencer whose conductor does not answer commits nothing. */
  readonly head: string;
  /** What is wrong with it, and what a reader does to it. */
  readonly troubles: readonly string[];
}

export function nodeWords({ head, sequencer, presence, isHealthy, verbs: done }: NodeFrame): NodeWords {
  const words: string[] = done.map((verb) => verbs[verb].state).filter((state) => state !== null);
  if (presence === 'frozen' && !done.includes('freeze')) words.unshift('frozen');
  if (presence === 'up' && !isHealthy) words.push('unhealthy');
  const doing = sequencer !== 'active' ? '' : presence === 'up' ? ', sequencing' : ', cannot commit';
  return {
    head: `head ${head}${doing}`,
    troubles: words,
  };
}
