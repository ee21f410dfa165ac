import { expect, test } from 'vitest';
import { StartFailures } from './start-failures.ts';

test('a node that could not be started is unfit at first, then doubtful, and fit again after a minute or a start', () => {
  const failures = new StartFailures(3000);
  failures.failed(false, 1000);
  expect(failures.trouble(1000)).toBe('none');
  failures.failed(false, 4000);
  const later = (ms: number): string => failures.trouble(4000 + ms);
  expect([0, 9999, 10_000, 59_999, 60_000].map((ms) => later(ms))).toEqual([
    'unfit',
    'unfit',
    'doubtful',
    'doubtful',
    'none',
  ]);
  failures.started();
  expect(later(0)).toBe('none');
});

test('a node that hands leadership on after it has failed for long enough is unfit from then on, without one more try', () => {
  const failures = new StartFailures(3000);
  failures.failed(false, 1000);
  failures.handedOn(4100);
  expect(failures.trouble(4100)).toBe('unfit');
  expect(failures.hasFailed(9000)).toBe(false);
  failures.started();
  failures.failed(false, 10_000);
  failures.handedOn(11_000);
  expect(failures.trouble(11_000)).toBe('none');
});

test('a node on another branch is unfit for all of the time', () => {
  const failures = new StartFailures(3000);
  failures.failed(true, 1000);
  expect([failures.trouble(50_000), failures.trouble(61_000)]).toEqual(['unfit', 'none']);
});

test('a node that was on another branch is fit again when it is on the chain, and one that failed there is not', () => {
  const failures = new StartFailures(3000);
  failures.failed(true, 1000, '0x01');
  expect(failures.wasOnOtherBranch).toBe(true);
  failures.backOnChain();
  expect([failures.wasOnOtherBranch, failures.trouble(1000)]).toEqual([false, 'none']);
  // One that does not take the committed chain stands on it all the same.
  failures.failed(true, 1500);
  failures.backOnChain();
  expect(failures.trouble(50_000)).toBe('unfit');
  failures.started();
  failures.failed(false, 2000);
  failures.failed(false, 5000);
  failures.backOnChain();
  expect([failures.wasOnOtherBranch, failures.trouble(5000)]).toEqual([false, 'unfit']);
});

test('a node whose client disputed the chain is fit again when it holds the newest block, and one that failed otherwise is not', () => {
  const failures = new StartFailures(3000);
  failures.failed(true, 1000);
  failures.onTip();
  expect(failures.trouble(1000)).toBe('none');
  failures.failed(false, 2000);
  failures.failed(false, 5000);
  failures.onTip();
  expect(failures.trouble(5000)).toBe('unfit');
});

test('whose node stands where this one was on another branch is no better off, until that is over', () => {
  const failures = new StartFailures(3000);
  const onIt = (): boolean[] => ['0x01', '0x02', null].map((head) => failures.isFailedHead(head));
  failures.failed(false, 1000, '0x01');
  expect(onIt()).toEqual([false, false, false]);
  failures.failed(true, 1000, '0x01');
  expect(onIt()).toEqual([true, false, false]);
  failures.failed(true, 2000);
  expect(onIt()).toEqual([false, false, false]);
  failures.failed(true, 3000, '0x02');
  failures.leadershipChanged();
  expect(onIt()).toEqual([false, false, false]);
});

test('a node that is on the chain again, and cannot be started for another reason, is tried for as long as any other', () => {
  const failures = new StartFailures(3000);
  failures.failed(true, 1000);
  expect(failures.hasFailed(1000)).toBe(true);
  failures.failed(false, 2000);
  expect([failures.hasFailed(3999), failures.hasFailed(4000)]).toEqual([false, true]);
});

test('a node that was on another branch and was started since is tried anew when it stops', () => {
  const failures = new StartFailures(3000);
  failures.failed(true, 1000);
  failures.started();
  expect(failures.hasFailed(600_000)).toBe(false);
  failures.handedOn(600_000);
  expect(failures.trouble(600_000)).toBe('none');
});

test('a node that needs what another has is not tried any longer, until it may be; peers are told for as long as of any failure', () => {
  const failures = new StartFailures(5000);
  failures.failed(true, 1000, null, true);
  expect([failures.hasFailed(1000), failures.isBelowLog]).toEqual([true, true]);
  expect([failures.trouble(10_999), failures.trouble(11_000)]).toEqual(['unfit', 'doubtful']);
  failures.triedOn();
  expect([failures.hasFailed(1000), failures.hasFailed(6000), failures.isBelowLog]).toEqual([false, true, false]);
});
