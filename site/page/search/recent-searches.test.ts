import { describe, expect, test } from 'vitest';
import { addRecent, forgetRecent, readRecent, RECENT_MAX, type SearchStorage } from './recent-searches.ts';

function storage(held: Record<string, string> = {}): SearchStorage {
  return {
    getItem: (key) => held[key] ?? null,
    setItem: (key, value) => {
      held[key] = value;
    },
    removeItem: (key) => {
      delete held[key];
    },
  };
}

const refusing: SearchStorage = {
  getItem: () => {
    throw new Error('denied');
  },
  setItem: () => {
    throw new Error('denied');
  },
  removeItem: () => {
    throw new Error('denied');
  },
};

describe('recent searches', () => {
  test('newest first, each once whatever its case, no more than fit', () => {
    const kept = storage();
    for (const query of ['fees', ' raft   bootstrap ', 'Fees', '']) addRecent(kept, query);
    expect(readRecent(kept)).toEqual(['Fees', 'raft bootstrap']);
    for (let count = 0; count < 20; count += 1) addRecent(kept, `query ${count}`);
    expect(readRecent(kept)).toHaveLength(RECENT_MAX);
    expect(readRecent(kept)[0]).toBe('query 19');
    forgetRecent(kept);
    expect(readRecent(kept)).toEqual([]);
  });

  test.each(['{', '{}', '[1,null,"fees"]', `["${'x'.repeat(500)}","fees"]`])(
    'storage that holds %s is no harm',
    (text) => {
      expect(readRecent(storage({ 'recent-searches': text })).every((query) => query === 'fees')).toBe(true);
    },
  );

  test('a browser that refuses storage loses nothing but the memory', () => {
    expect(addRecent(refusing, 'fees')).toEqual(['fees']);
    expect(readRecent(refusing)).toEqual([]);
    forgetRecent(refusing);
  });
});
