/**
 * From what a store holds to a running server's state: hard state, snapshot, log, configurations. A store that
 * was never written to starts as a recovering one (rule 9), durably so with its first write.
 */
import { assert } from '../assert.ts';
import { decodeConfiguration } from '../wire/configuration.ts';
import { RaftLog } from './log.ts';
import { Membership } from './membership.ts';
import { RaftState } from './state.ts';
import type { LogStore, Random, StateMachine, StoredState, WallClock } from '../ports.ts';
import type { RaftOptions } from './events.ts';
import { EntryType } from './types.ts';

/** What a RaftNode is given to live with. */
export interface NodePorts {
  readonly store: LogStore;
  readonly stateMachine: StateMachine;
  readonly random: Random;
  readonly wallClock: WallClock;
  /** Of this software, told to peers in the peer status. */
  readonly version: string;
}

export function loadState(options: RaftOptions, ports: NodePorts, nowMs: number): RaftState {
  checkOptions(options);
  const { store, stateMachine: machine, random, wallClock, version } = ports;
  const stored = store.load();
  restoreMachine(store, machine, stored);
  const log = new RaftLog(store, machine, stored, options.cacheBytesMax);
  const membership = loadMembership(store, stored);
  const hard = stored.hardState ?? { term: 0, votedTerm: 0, votedFor: null, recovering: !options.legacyEmptyStore };
  return new RaftState({
    options,
    ports: { machine, random, wallClock },
    log,
    membership,
    hard,
    isNew: stored.hardState === null,
    nowMs,
    version,
  });
}

function restoreMachine(store: LogStore, machine: StateMachine, stored: StoredState): void {
  if (!stored.snapshot) return;
  const data = store.readSnapshot();
  assert(data !== null, 'a store that lists a snapshot has its bytes');
  const problem = machine.restore(data, stored.snapshot.index, stored.snapshot.term);
  if (problem !== null)
    throw new Error(`the stored snapshot at index ${stored.snapshot.index} cannot be restored: ${problem}`);
}

function loadMembership(store: LogStore, stored: StoredState): Membership {
  const membership = new Membership();
  if (stored.snapshot) membership.install(stored.snapshot.configuration, false);
  for (const summary of stored.entries) {
    if (summary.type !== EntryType.configuration || summary.index <= membership.latest.index) continue;
    const [entry] = store.read(summary.index, summary.index, summary.size);
    membership.append({ index: summary.index, configuration: decodeConfiguration(entry!.data ?? new Uint8Array()) });
  }
  return membership;
}

/** hashicorp's bounds on the timeouts; throws RangeError with a sentence. */
function checkOptions(options: RaftOptions): void {
  const { heartbeatTimeoutMs, electionTimeoutMs, leaderLeaseMs, commitTimeoutMs, appendEntriesMax } = options;
  const check = (holds: boolean, claim: string): void => {
    if (!holds) throw new RangeError(`raft options: ${claim}`);
  };
  check(options.id !== '' && options.address !== '', 'a server needs an id and an address');
  check(heartbeatTimeoutMs >= 5, `heartbeat timeout of ${heartbeatTimeoutMs} ms is too low, at least 5 ms`);
  check(
    electionTimeoutMs >= heartbeatTimeoutMs,
    `election timeout of ${electionTimeoutMs} ms must not be below the heartbeat timeout of ${heartbeatTimeoutMs} ms`,
  );
  check(
    leaderLeaseMs >= 5 && leaderLeaseMs <= heartbeatTimeoutMs,
    `leader lease of ${leaderLeaseMs} ms must be between 5 ms and the heartbeat timeout of ${heartbeatTimeoutMs} ms`,
  );
  check(commitTimeoutMs >= 1, `commit timeout of ${commitTimeoutMs} ms is too low, at least 1 ms`);
  check(
    appendEntriesMax >= 1 && appendEntriesMax <= 1024,
    `append entries limit of ${appendEntriesMax} must be between 1 and 1024`,
  );
}
