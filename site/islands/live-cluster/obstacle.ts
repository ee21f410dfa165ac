/** What stands in the way of a verb: the page greys it out, and the worker refuses it. */
import type { NodeFrame } from './protocol.ts';
import { verbs, type Verb, type VerbName } from './verbs.ts';

/** Why a verb cannot begin on such a server; null when it can. */
export function obstacle(verb: VerbName, { name, presence }: Pick<NodeFrame, 'name' | 'presence'>): string | null {
  const { fitsKilled = false }: Verb = verbs[verb];
  return presence === 'down' && !fitsKilled ? `The conductor of ${name} is down: restart it first.` : null;
}
