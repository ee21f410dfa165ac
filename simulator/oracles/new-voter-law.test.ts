import { describe, expect, test } from 'vitest';
import { EntryType, Suffrage, type Server } from '#conductor/core/raft/types';
import { encodeConfiguration } from '#conductor/core/wire/configuration';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { Oracle } from './oracle.ts';
import { newVoterHoldsTheLog } from './new-voter-law.ts';

const member = (id: string, suffrage: Suffrage = Suffrage.voter, address = `${id}:1`): Server => ({
  id,
  address,
  suffrage,
});

/** s0 leads s1, at index 1000; s2 joins, and has as much of the log as it is given. */
function led(lastIndex: number, recovering = false) {
  const position = {
    role: 'leader',
    term: 2,
    configuration: { configuration: { servers: [member('s0'), member('s1')] } },
  };
  const leader = {
    id: 's0',
    worldMs: 60_000,
    conductor: { position: () => position },
    disk: { lastIndex: 1000, snapshotIndex: 0 },
  };
  const joining = { id: 's2', worldMs: 60_000, disk: { lastIndex, snapshotIndex: 0, hardState: { recovering } } };
  const complaints: string[] = [];
  const oracle = newVoterHoldsTheLog(
    (message) => complaints.push(message),
    () => undefined,
  ) as Required<Oracle>;
  oracle.watch({ machines: [leader, joining] } as unknown as World);
  oracle.observed(leader as unknown as Machine, position as never);
  const take = (...servers: Server[]): void => {
    const data = encodeConfiguration({ servers: [member('s0'), member('s1'), ...servers] });
    const entry = { index: 1001, term: 2, type: EntryType.configuration, data };
    oracle.written(leader as unknown as Machine, { entries: [{ entry }] } as never);
  };
  return { complaints, oracle, leader: leader as unknown as Machine, joining: joining as unknown as Machine, take };
}

describe('a server that joins becomes a voter', () => {
  test('when it has the log', () => {
    const { complaints, take } = led(900);
    take(member('s2', Suffrage.nonvoter));
    take(member('s2'));
    expect(complaints).toEqual([]);
  });

  test('and not before, also where it was a nonvoter elsewhere', () => {
    const { complaints, take } = led(700);
    take(member('s2', Suffrage.nonvoter));
    take(member('s2', Suffrage.nonvoter, 's2:2'));
    take(member('s2', Suffrage.voter, 's2:2'));
    expect(complaints).toEqual(['s0 makes s2 a voter, which lacks 301 entries of its log']);
  });

  test('nor while it does not vote, for the promises of the store it lost', () => {
    const { complaints, take } = led(1000, true);
    take(member('s2', Suffrage.nonvoter));
    take(member('s2'));
    expect(complaints).toHaveLength(1);
  });

  test('one that lost its disk a moment ago had it', () => {
    const { complaints, oracle, joining, take } = led(0);
    take(member('s2', Suffrage.nonvoter));
    oracle.wiped(joining);
    take(member('s2'));
    expect(complaints).toEqual([]);
  });
});
