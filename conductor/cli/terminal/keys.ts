/** Key presses out of the bytes of a terminal in raw mode. A chunk may hold several. */

/** What a key asks for. */
export type KeyAction =
  | { readonly kind: 'select'; readonly index: number }
  | { readonly kind: 'move'; readonly by: -1 | 1 }
  | { readonly kind: 'kill' | 'kill-sequencer' | 'freeze' | 'restart' | 'pause' | 'transfer' }
  | { readonly kind: 'seal-invalid' | 'cut-power' | 'help' | 'quit' };

const ARROWS: Readonly<Record<string, -1 | 1>> = { A: -1, D: -1, B: 1, C: 1 };
const LETTERS: Readonly<Record<string, KeyAction>> = {
  '\u0003': { kind: 'quit' },
  q: { kind: 'quit' },
  k: { kind: 'kill' },
  s: { kind: 'kill-sequencer' },
  f: { kind: 'freeze' },
  r: { kind: 'restart' },
  p: { kind: 'pause' },
  t: { kind: 'transfer' },
  i: { kind: 'seal-invalid' },
  c: { kind: 'cut-power' },
  h: { kind: 'help' },
  '?': { kind: 'help' },
};
/** An escape sequence (CSI or SS3) or one character. */
const ESCAPE = '\u001B';
const KEY = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*|O)([A-Za-z~])|[\\s\\S]`, 'g');

/** The actions in a chunk, in order; keys without a meaning are skipped. */
export function readKeys(chunk: string): KeyAction[] {
  const actions: KeyAction[] = [];
  for (const [key, final] of chunk.matchAll(KEY)) {
    const by = final === undefined ? undefined : ARROWS[final];
    const letter = final === undefined ? LETTERS[key.toLowerCase()] : undefined;
    if (by !== undefined) actions.push({ kind: 'move', by });
    else if (letter !== undefined) actions.push(letter);
    else if (/^[1-9]$/.test(key)) actions.push({ kind: 'select', index: Number(key) - 1 });
  }
  return actions;
}
