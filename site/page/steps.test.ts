import { describe, expect, it } from 'vitest';
import { progressInWords, readProgress, writeProgress } from './steps.ts';

const slugs = ['deploy', 'pause', 'resume'];

describe('progress of a stepper', () => {
  it('what is written is read back', () => {
    const done = new Set(['deploy', 'resume']);
    expect(readProgress(writeProgress(done), slugs)).toEqual(done);
  });

  it('nothing done is not stored', () => {
    expect(writeProgress(new Set())).toBeNull();
    expect(readProgress(null, slugs)).toEqual(new Set());
  });

  it('steps that the page no longer has are forgotten, new ones are not done', () => {
    expect(readProgress('deploy gone', ['new', ...slugs])).toEqual(new Set(['deploy']));
  });

  it.each(['', ' ', '[]', '{"deploy":true}', 'DEPLOY', 'undefined'])(
    '%j in the store counts as nothing done',
    (text) => {
      expect(readProgress(text, slugs)).toEqual(new Set());
    },
  );

  it('says how far one has come', () => {
    expect(progressInWords(0, 3)).toBe('');
    expect(progressInWords(2, 3)).toBe('2 of 3 steps done');
    expect(progressInWords(3, 3)).toBe('All 3 steps done');
  });
});
