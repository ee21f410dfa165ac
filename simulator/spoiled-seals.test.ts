import { describe, expect, it } from 'vitest';
import { Blocks } from './blocks.ts';
import { SpoiledSeals, type Job } from './spoiled-seals.ts';
import { Verdicts } from './verdicts.ts';

function made() {
  const blocks = new Blocks(1);
  const verdicts = new Verdicts(blocks, 3);
  const spoiled = new SpoiledSeals(blocks, verdicts, 3);
  const jobOf = (id: string, isFull = true): Job => ({
    id,
    parent: blocks.genesis,
    origin: { number: 0, hash: '', parentHash: '', timestamp: 0 },
    block: blocks.build(blocks.genesis, 0),
    isFull,
  });
  const isBad = (server: number, job: Job): boolean => !verdicts.isSound(spoiled.seal(server, job));
  return { spoiled, verdicts, jobOf, isBad };
}

describe('builders that seal invalid blocks', () => {
  it('a seal that was spoiled once is sound the next time', () => {
    const { spoiled, verdicts, jobOf, isBad } = made();
    const job = jobOf('a');
    spoiled.spoilNext(2, verdicts.everybody);
    expect([isBad(0, job), isBad(1, job), isBad(0, job)]).toEqual([true, true, false]);
    expect(spoiled.seal(0, job)).toBe(job.block);
  });

  it('a sticky builder gives the same bad block for the same job, and a sound one for another', () => {
    const { spoiled, jobOf, isBad } = made();
    const job = jobOf('a');
    spoiled.spoilJobs(0, 1);
    const bad = spoiled.seal(0, job);
    expect(bad).not.toBe(job.block);
    expect([spoiled.seal(0, jobOf('a')), spoiled.seal(0, job)]).toEqual([bad, bad]);
    expect([isBad(0, jobOf('b')), isBad(1, jobOf('a'))]).toEqual([false, false]);
  });

  it('a builder whose full blocks are bad seals empty ones that are not', () => {
    const { spoiled, jobOf, isBad } = made();
    spoiled.spoilAll(1, 1);
    expect([isBad(1, jobOf('a')), isBad(1, jobOf('a', false)), isBad(0, jobOf('a'))]).toEqual([true, false, false]);
    spoiled.spoilAll(1, -1);
    expect(isBad(1, jobOf('b'))).toBe(false);
  });
});
