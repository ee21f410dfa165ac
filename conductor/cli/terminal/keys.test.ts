import { describe, expect, it } from 'vitest';
import { readKeys } from './keys.ts';

describe('keys', () => {
  it('reads several presses of one chunk in order', () => {
    expect(readKeys('2k\u001B[Bq')).toEqual([
      { kind: 'select', index: 1 },
      { kind: 'kill' },
      { kind: 'move', by: 1 },
      { kind: 'quit' },
    ]);
  });

  it('takes both arrow encodings, capital letters and Ctrl-C', () => {
    expect(readKeys('\u001BOA\u001B[1;2BK\u0003')).toEqual([
      { kind: 'move', by: -1 },
      { kind: 'move', by: 1 },
      { kind: 'kill' },
      { kind: 'quit' },
    ]);
  });

  it('does not mistake other sequences or characters for keys', () => {
    expect(readKeys('\u001B[3~\u001B[15~\u001Bxyz0é\u001B')).toEqual([]);
  });

  it('knows what is done to the whole cluster', () => {
    expect(readKeys('ic')).toEqual([{ kind: 'seal-invalid' }, { kind: 'cut-power' }]);
  });
});
