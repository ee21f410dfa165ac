import { describe, expect, it } from 'vitest';
import { BadSeals } from './bad-seals.ts';
import { block } from './testing/world.ts';

/** A block that counts as one that its client takes. */
const sound = { number: 0n, isValidated: true };
const nobody = { canHandOver: false, mayRecover: true, mayRetry: true };
const somebody = { canHandOver: true, mayRecover: true, mayRetry: true };

describe('a sequencer that builds invalid blocks (rule 29)', () => {
  it('first its job is dropped, then it loses the lead', () => {
    const seals = new BadSeals(1000);
    expect(seals.refused(block(5n), 1, somebody, 0)).toBe('dropJob');
    expect(seals.refused(block(5n, 1, 5n), 3, somebody, 100)).toBe('handOver');
  });

  it('one that was committed is not tried again where somebody else can lead', () => {
    const seals = new BadSeals(1000);
    expect(seals.refused(block(5n), 1, { ...somebody, mayRetry: false }, 0)).toBe('handOver');
    expect(new BadSeals(1000).refused(block(5n), 1, { ...nobody, mayRetry: false }, 0)).toBe('dropJob');
  });

  it('a block that takes the place of a bad one may be as bad, until it is validated or the next one follows', () => {
    const after = (number: bigint, isValidated: boolean): string => {
      const seals = new BadSeals(1000);
      seals.refused(block(5n), 1, nobody, 0);
      seals.committed({ number, isValidated }, 500);
      return seals.refused(block(number, 1), 3, nobody, 2000);
    };
    expect(after(5n, false)).toBe('recover');
    expect(after(5n, true)).toBe('dropJob');
    expect(after(6n, false)).toBe('dropJob');
  });

  it('the same block of a new job counts, of the same job it does not', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, somebody, 0);
    expect(seals.refused(block(5n), 1, somebody, 50)).toBe('none');
    expect(seals.refused(block(5n), 3, somebody, 100)).toBe('handOver');
  });

  it('whose builder gives the same block for another job waits less long for the others’ turns to be over', () => {
    const seals = new BadSeals(1000);
    expect(seals.turnMs(block(5n), 1)).toBe(10_000);
    seals.refused(block(5n), 1, nobody, 0);
    expect([seals.turnMs(block(5n), 1), seals.turnMs(block(5n, 1, 5n), 3), seals.turnMs(null, 3)]).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect(seals.turnMs(block(5n), 3)).toBe(4000);
  });

  it('a block that is committed between two bad ones begins the count anew', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, somebody, 0);
    seals.committed(sound, 500);
    expect(seals.refused(block(7n), 3, somebody, 2000)).toBe('dropJob');
  });

  it('with nobody to hand over to recover mode is on for one block, then for longer', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    expect(seals.refused(block(5n), 3, nobody, 100)).toBe('recover');
    expect(seals.isRecovering(150)).toBe(true);
    seals.committed(sound, 200);
    expect(seals.isRecovering(200)).toBe(false);
    seals.refused(block(6n), 5, nobody, 1200);
    expect(seals.refused(block(6n), 7, nobody, 1300)).toBe('recover');
    seals.committed(sound, 1400);
    expect(seals.isRecovering(1400)).toBe(true);
    expect(seals.nextChangeMs(1400)).toBe(31_300);
    seals.committed(sound, 31_000);
    expect(seals.isRecovering(31_300)).toBe(false);
  });

  it('full blocks are tried every 30 s, however long the fault lasts', () => {
    const seals = new BadSeals(1000);
    let nowMs = 0;
    for (let epoch = 1; nowMs < 3_600_000; epoch += 4) {
      seals.refused(block(5n), epoch, nobody, nowMs);
      expect(seals.refused(block(5n), epoch + 2, nobody, nowMs + 100)).toBe('recover');
      seals.committed(sound, nowMs + 200);
      nowMs = Math.max(nowMs + 200, seals.isRecovering(nowMs + 200) ? seals.nextChangeMs(nowMs + 200) : 0) + 1000;
      expect(seals.isRecovering(nowMs)).toBe(false);
      expect(nowMs).toBeLessThan(33_000 * Math.ceil(epoch / 4));
      seals.committed(sound, nowMs);
    }
  });

  it('soon after recover mode it is used again, for longer, and leadership stays', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    seals.refused(block(5n), 3, nobody, 100);
    seals.committed(sound, 200);
    seals.refused(block(6n), 5, somebody, 1200);
    expect(seals.refused(block(6n), 7, somebody, 1300)).toBe('recover');
  });

  it('where empty blocks are refused as well leadership goes on, as soon as there is somebody', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    expect(seals.refused(block(5n), 3, nobody, 100)).toBe('recover');
    expect(seals.refused(block(5n, 1, 5n), 5, somebody, 200)).toBe('dropLater');
    expect(seals.refused(block(5n, 1, 5n), 7, nobody, 700)).toBe('dropLater');
    expect(seals.refused(block(5n, 1, 5n), 9, somebody, 1200)).toBe('handOver');
  });

  it('a block that came of recover mode begins that count anew, too', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    seals.refused(block(5n), 3, nobody, 100);
    seals.committed(sound, 200);
    seals.refused(block(6n), 5, nobody, 1200);
    expect(seals.refused(block(6n), 7, nobody, 1300)).toBe('recover');
    expect(seals.refused(block(6n, 1, 6n), 9, somebody, 1400)).toBe('dropLater');
    seals.committed(sound, 1500);
    expect(seals.refused(block(7n), 11, somebody, 2500)).toBe('dropLater');
    expect(seals.refused(block(7n), 13, somebody, 2600)).toBe('handOver');
  });

  it('what is refused in recover mode makes it no longer', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    for (let job = 3; job < 20; job += 2) seals.refused(block(5n), job, nobody, 100 * job);
    seals.committed(sound, 2000);
    expect(seals.isRecovering(2000)).toBe(false);
  });

  it('recover mode does not outlast the leadership', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    seals.refused(block(5n), 3, nobody, 100);
    seals.leadershipChanged();
    expect(seals.isRecovering(150)).toBe(false);
  });

  it('nor does recover mode that is on for a time', () => {
    const seals = new BadSeals(1000);
    seals.refused(block(5n), 1, nobody, 0);
    seals.refused(block(5n), 3, nobody, 100);
    seals.committed(sound, 200);
    seals.refused(block(6n), 5, nobody, 1200);
    seals.refused(block(6n), 7, nobody, 1300);
    expect(seals.isRecovering(5000)).toBe(true);
    seals.leadershipChanged();
    expect([seals.isRecovering(5000), seals.nextChangeMs(5000)]).toEqual([false, Infinity]);
  });

  it('where recover mode may not be used the job is dropped again and again', () => {
    const seals = new BadSeals(1000);
    const none = { canHandOver: false, mayRecover: false, mayRetry: true };
    expect(seals.refused(block(5n), 1, none, 0)).toBe('dropJob');
    expect(seals.refused(block(5n), 3, none, 100)).toBe('dropLater');
    expect(seals.isRecovering(150)).toBe(false);
  });
});
