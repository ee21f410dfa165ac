/** Mutants of the replicated log: what is committed, kept, sent and written (rules 7, 11, 14 and 15). */
import { mutantsOf, type Mutant } from './mutant.ts';

export const raftLogMutants: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/commit.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 15',
      law: 'The leader’s own copy of an entry counts for a quorum only once it is durable.',
      find: 'id === s.options.id ? s.log.persistedIndex :',
      replace: 'id === s.options.id ? s.log.lastIndex :',
      testName: 'of a voter alone are not committed by what a nonvoter answers before they are durable',
    },
    {
      id: 'rule 14',
      law: 'A read is answered only when a quorum has confirmed leadership after it was asked.',
      find: 'if (s.appliedIndex < read.index || !isConfirmed(read.round)) return true;',
      replace: 'if (s.appliedIndex < read.index) return true;',
      testName: 'wait for a quorum that answers requests sent after the read was asked for',
    },
    {
      id: 'rule 14',
      law: 'A read waits until all that was committed when it was asked is applied, an entry of this term among it.',
      find: 'if (s.appliedIndex < read.index || !isConfirmed(read.round)) return true;',
      replace: 'if (!isConfirmed(read.round)) return true;',
      testName: 'wait until this term has committed and everything known committed is applied',
    },
  ]),
  ...mutantsOf('conductor/core/raft/leader.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 11',
      law: 'An entry above the bound is refused before it is appended.',
      find: 'if (size > s.options.entryBytesMax) {',
      replace: 'if (size > 2 * s.options.entryBytesMax) {',
      testName: 'one entry: refused above, accepted at the bound',
    },
    {
      id: 'rule 11',
      law: 'What waits for a quorum is bounded by count.',
      find: 'entries >= s.options.uncommittedEntriesMax ||',
      replace: 'false ||',
      testName: 'uncommitted entries by count, and again when some commit',
    },
    {
      id: 'rule 11',
      law: 'What waits for a quorum is bounded by bytes.',
      find: '(led.uncommittedBytes > 0 && led.uncommittedBytes + size > s.options.uncommittedBytesMax)',
      replace: 'false',
      testName: 'uncommitted entries by bytes, a single one always, and configurations do not loosen it',
    },
    {
      id: 'armed-timer',
      law: 'While leadership is handed over nothing is admitted, so that a block built after the stop stays unpublished.',
      find: "if (led.transfer) return s.refuse(command.requestId, 'transferring', 'leadership transfer in progress');",
      replace: '',
      testName: 'refuses proposals, changes and other hand-overs meanwhile; reads go on',
    },
  ]).map((mutant) =>
    mutant.id === 'armed-timer' ? { ...mutant, tests: ['conductor/core/raft/transfer.test.ts'] } : mutant,
  ),
  ...mutantsOf('conductor/core/raft/outbox.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 15',
      law: 'A leader’s entries go to the sockets before its own write.',
      find: 'const sendFirst = holdFirst ? [] : this.sendFirst;\n    const send = holdFirst ? [...this.send, ...this.sendFirst] : this.send;',
      replace:
        'const sendFirst: OutboundRequest[] = [];\n    const send = holdFirst ? [...this.send, ...this.sendFirst] : [...this.sendFirst, ...this.send];',
      testName: 'leave before the own write; term and vote never do (rule 15)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/outbox.ts', 'conductor/core/raft/election.test.ts', [
    {
      id: 'rule 15',
      law: 'Term and vote are durable before anything that speaks of them leaves.',
      find: 'return { sendFirst, send, replies, forget, results, notices };',
      replace: 'return { sendFirst: [...sendFirst, ...send], send: [], replies, forget, results, notices };',
      testName: 'with a majority of pre-votes it votes for itself durably, then asks for votes',
    },
  ]),
  ...mutantsOf('conductor/core/raft/node.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 15',
      law: 'After a failed write nothing is answered, committed or sent any more.',
      find: 's.hasFailed = true;',
      replace: '',
      testName: 'that its own store did not take are never counted, and nothing is committed or answered any more',
    },
  ]),
  ...mutantsOf('conductor/core/raft/lease.ts', 'conductor/core/raft/follower.test.ts', [
    {
      id: 'rule 12',
      law: 'A follower that stood still reads what came meanwhile before it asks for votes.',
      find: 's.electionAtMs = s.nowMs + READING_MS;',
      replace: '',
      testName: 'first reads what came meanwhile: a leader that was heard is not replaced (rule 34)',
    },
    {
      id: 'rule 12',
      law: 'It does so once: where every timer is late it asks for votes all the same.',
      find: ' && s.electionAtMs !== s.unread.untilMs) {',
      replace: ') {',
      testName: 'asks for votes a moment later where nothing came, also on a machine where every timer is late',
    },
  ]),
  ...mutantsOf('conductor/core/raft/lease.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 15',
      law: 'After a stall longer than the others’ election timeout the leader’s first act is to step down.',
      find: 'if (stalledMs > heartbeatTimeoutMs) {',
      replace: 'if (stalledMs > 100 * heartbeatTimeoutMs) {',
      testName:
        'after a stall longer than the others’ election timeout the first act is to step down, before any answer (rule 15)',
    },
    {
      id: 'rule 15',
      law: 'After a stall longer than the lease nothing is permitted on leadership until a quorum answered what was sent since.',
      find: 'if (stalledMs > leaderLeaseMs) led.doubtedAtMs = s.nowMs;',
      replace: '',
      testName:
        'longer than the lease: nothing is permitted on leadership until what was sent since is answered (rule 34)',
    },
    {
      id: 'rule 15',
      law: 'A stall of the leader’s own is not held against its followers.',
      find: 'for (const peer of led.peers.values()) peer.lastContactMs += lateMs;',
      replace: '',
      testName: 'is not held against the others: only the time in which they could be heard counts (rule 34)',
    },
    {
      id: 'rule 15',
      law: 'A leader that stands still again and again steps down all the same when nobody answers.',
      find: ' && s.nowMs - peer.contactMs <= SILENT_TIMEOUTS_MAX * heartbeatTimeoutMs',
      replace: '',
      testName: 'a leader that nobody answers and that stands still again and again steps down all the same',
    },
    {
      id: 'rule 14',
      law: 'The lease makes a leader step down that no quorum answers.',
      find: "becomeFollower(s, s.term, 'no quorum answered within the lease');",
      replace: 's.judgeAtMs = Infinity;',
      testName: 'without answers from a quorum for that long the leader steps down, and refuses',
    },
  ]),
  ...mutantsOf('conductor/core/raft/replication.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 14',
      law: 'An answer keeps the leader in office from when it came; what it permits counts from when it was asked for.',
      find: 'peer.contactMs = Math.max(peer.contactMs, sentMs);\n  peer.lastContactMs = s.nowMs;',
      replace: 'peer.contactMs = Math.max(peer.contactMs, sentMs);\n  peer.lastContactMs = peer.contactMs;',
      testName:
        'counts from when an answer came, as hashicorp’s; what others are told counts from when it was asked for',
    },
    {
      id: 'rule 14',
      law: 'What is permitted on leadership counts from when an answered request was sent.',
      find: 'peer.contactMs = Math.max(peer.contactMs, sentMs);\n  peer.lastContactMs = s.nowMs;',
      replace: 'peer.contactMs = s.nowMs;\n  peer.lastContactMs = s.nowMs;',
      testName:
        'counts from when an answer came, as hashicorp’s; what others are told counts from when it was asked for',
    },
  ]),
  ...mutantsOf('conductor/core/raft/node.ts', 'conductor/core/raft/node.test.ts', [
    {
      id: 'disk-full',
      law: 'A leader whose write fails tells its best peer to take over at once.',
      find: 'if (transferTarget) sendTimeoutNow(s, transferTarget);\n      becomeFollower(s, s.term, `the store failed: ${message}`);',
      replace: '',
      testName: 'a leader whose disk is full steps aside and is replaced; nothing acknowledged is lost (rule 15)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/replication.ts', 'conductor/core/raft/replication.test.ts', [
    {
      id: 'rule 11',
      law: 'One append request carries at most the configured bytes of entries, or one entry.',
      find: 's.log.slice(peer.next, appendEntriesMax, appendBytesMax)',
      replace: 's.log.slice(peer.next, appendEntriesMax, 16 * appendBytesMax)',
      testName: 'bounds bytes in flight and per request; a larger entry goes alone',
    },
    {
      id: 'rule 11',
      law: 'Requests in flight to one peer are bounded.',
      find: 'if (peer.inflightRequests >= s.options.inflightRequestsMax) return;',
      replace: '',
      testName: 'bounds requests in flight',
    },
  ]),
  ...mutantsOf('conductor/core/raft/replication.ts', 'conductor/core/raft/leader.test.ts', [
    {
      id: 'rule 14',
      law: 'The answer to an append confirms only the reads that were asked for before that append left.',
      find: '(rule 9).\n  if (response.success && response.term === s.term) inContact(s, peer, sentMs, context.read);',
      replace:
        '(rule 9).\n  if (response.success && response.term === s.term) inContact(s, peer, sentMs, s.leadership!.readRound);',
      testName: 'the answer to an append that left before the read confirms it not, that to a later one does',
    },
    {
      id: 'rule 14',
      law: 'The answer to a heartbeat confirms only the reads that were asked for before that heartbeat left.',
      find: 'peer.heartbeatFailures = 0;\n  if (response.success && response.term === s.term) inContact(s, peer, sentMs, context.read);',
      replace:
        'peer.heartbeatFailures = 0;\n  if (response.success && response.term === s.term) inContact(s, peer, sentMs, s.leadership!.readRound);',
      testName: 'wait for a quorum that answers requests sent after the read was asked for',
    },
  ]),
  ...mutantsOf('conductor/core/raft/snapshots.ts', 'conductor/core/raft/snapshots.test.ts', [
    {
      id: 'rule 7',
      law: 'A snapshot that is not beyond the commit index is answered and ignored.',
      find: 'request.lastLogIndex <= s.commitIndex ? null : install(s, request)',
      replace: 'install(s, request)',
      testName: 'at %i, not beyond the commit index 4: answered and ignored',
    },
    {
      id: 'nil-snapshot',
      law: 'An empty state machine takes no snapshot, and the check that asks for one does no harm.',
      find: 'if (!data) return false;',
      replace: 'if (!data) throw new Error("nothing to snapshot");',
      testName: 'an empty state machine takes none',
    },
  ]),
  ...mutantsOf('conductor/core/raft/log.ts', 'conductor/core/raft/snapshots.test.ts', [
    {
      id: 'rule 7',
      law: 'After an installed snapshot, earlier entries are dropped whose log does not hold its last index and term.',
      find: 'const keepsSuffix = this.termAt(snapshot.meta.index) === snapshot.meta.term;',
      replace: 'const keepsSuffix = this.termAt(snapshot.meta.index) !== null;',
      testName: 'where the log has %s: the whole log goes',
    },
  ]),
  ...mutantsOf('conductor/core/raft/follower.ts', 'conductor/core/raft/follower.test.ts', [
    {
      id: 'rule 7',
      law: 'A follower commits what the request verifies and no more.',
      find: 'Math.min(request.leaderCommit, verifiedTo)',
      replace: 'Math.min(request.leaderCommit, s.log.lastIndex)',
      testName: 'commits what the request verifies and no more',
    },
  ]),
  ...mutantsOf('conductor/adapters/sqlite/store.ts', 'conductor/adapters/sqlite/store.test.ts', [
    {
      id: 'rule 15',
      law: 'A slow write is counted.',
      find: "if (seconds * 1000 > this.#slowWriteMs) this.#metrics?.count('slow_writes_total');",
      replace: '',
      testName: 'reports the time of every write, and counts the slow ones',
    },
    {
      id: 'disk-full',
      law: 'A store that is full fails for good: nothing after that is written or acknowledged by it.',
      find: "assert(this.#verifier !== null, 'a store is loaded before the first write');\n    this.#refuseAfterFailure();",
      replace: "assert(this.#verifier !== null, 'a store is loaded before the first write');",
      testName: 'at its bound it fails with disk-full, refuses what follows, and reopens with all it acknowledged',
    },
  ]),
  ...mutantsOf('conductor/adapters/tcp/inbound-connection.ts', 'conductor/adapters/tcp/inbound.test.ts', [
    {
      id: 'rule 11',
      law: 'What a follower holds is one request per connection: the next is not read before the answer.',
      find: 'return this.#isClosed || this.awaitedId !== null ||',
      replace: 'return this.#isClosed ||',
      testName: 'of one connection reach the core one at a time, in order, each after the reply to the one before',
    },
  ]),
];
