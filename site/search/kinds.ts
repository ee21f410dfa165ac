/** What a section is about, by the look of its heading: readers tell a flag from a method before they read either. */
import type { HitKind } from './answer.ts';

const KINDS: readonly (readonly [kind: HitKind, look: RegExp])[] = [
  ['flag', /^(?:`)?--[a-z]/],
  ['alert', /^Conductor[A-Z]\w+$/],
  ['metric', /^(?:op|process|go)_[a-z_]+$/],
  ['method', /^(?:[a-z][a-z0-9]*_[a-zA-Z]\w*|rpc\.discover)$/],
  ['error', /^(?:-32\d{3}|-40100|[a-z]+(?: [a-z]+)* error)\b/],
];
const ADDRESS = /^0x[0-9a-f]{40}$/i;

export function kindOf({ slug, heading }: { readonly slug: string; readonly heading: string }, query: string): HitKind {
  if (ADDRESS.test(query.trim())) return 'address';
  if (slug === '') return 'page';
  return KINDS.find(([, look]) => look.test(heading.trim()))?.[0] ?? 'section';
}
