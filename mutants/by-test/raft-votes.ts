/** Mutants of votes, recovery and membership (rules 9 and 10) and of handing leadership over. */
import { mutantsOf, type Mutant } from './mutant.ts';

const recovery: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/election.ts', 'conductor/core/raft/recovery.test.ts', [
    {
      id: 'rule 9',
      law: 'A recovering server grants nothing.',
      find: 'if (s.hasFailed || s.hard.recovering) return false;',
      replace: 'if (s.hasFailed) return false;',
      testName: 'grants nothing, does not campaign, ignores TimeoutNow',
    },
    {
      id: 'rule 9',
      law: 'A recovering server does not campaign, also when told to.',
      find: '(s.isVoter || wasVoter(s)) && !s.hard.recovering && !s.hasFailed',
      replace: '(s.isVoter || wasVoter(s)) && !s.hasFailed',
      testName: 'grants nothing, does not campaign, ignores TimeoutNow',
    },
  ]),
  ...mutantsOf('conductor/core/raft/recovery.ts', 'conductor/core/raft/recovery.test.ts', [
    {
      id: 'rule 9',
      law: 'A recovering voter acknowledges nothing before every other voter has told its term.',
      find: 'return unsettled(s).length === 0;',
      replace: 'return true;',
      testName: 'as a voter first asks every other voter for its term, and holds its replies until all have answered',
    },
    {
      id: 'rule 9',
      law: 'A recovering voter adopts the highest term it hears of.',
      find: 'if (response.term > s.term) becomeFollower(s, response.term, `recovering: server ${peerId} is in a later term`);',
      replace: '',
      testName: 'adopts the highest term it hears of, and acknowledges nothing to a leader of an earlier one',
    },
    {
      id: 'rule 9',
      law: 'Silent voters are waited for three times the largest timeout, then passed over and named.',
      find: 'if (s.nowMs >= recovery.deadlineMs) {',
      replace: 'if (s.nowMs >= 1000 * recovery.deadlineMs) {',
      testName: 'asks silent voters again, and passes over them after three of the largest timeouts',
    },
    {
      id: 'rule 9',
      law: 'Recovery ends only by a request that follows a reply of ours on that connection.',
      find: 'if (!s.hard.recovering || !connection.hasAnswered || !mayAcknowledge(s)) return;',
      replace: 'if (!s.hard.recovering || !mayAcknowledge(s)) return;',
      testName: 'not with the first request, however much that holds',
    },
    {
      id: 'rule 9',
      law: 'Recovery ends only at a commit index whose entry has the sending leader’s term.',
      find: 's.log.termAt(commit) !== s.term) return;',
      replace: 's.log.termAt(commit) === null) return;',
      testName: 'not when told %s',
    },
    {
      id: 'rule 9',
      law: 'A server that has recovered counts as having voted in its term.',
      find: 's.setHard({ recovering: false, votedTerm: s.term, votedFor: null });',
      replace: 's.setHard({ recovering: false });',
      testName: '%s: told, after a reply on that connection, of a commit of the leader’s own term that it holds',
    },
    {
      id: 'rule 9',
      law: 'The replies held back are bounded.',
      find: 'if (s.recovery.held.length >= HELD_MAX) {',
      replace: 'if (s.recovery.held.length >= 100 * HELD_MAX) {',
      testName: 'holds a bounded number of replies',
    },
    {
      id: 'rule 9',
      law: 'A bootstrapped server whose configuration names itself alone follows nobody.',
      find: 'return servers.length === 1 && servers[0]!.id === s.options.id;',
      replace: 'return servers.length === 0;',
      testName: 'is exempt while its configuration names itself alone, and then refuses appends, snapshots and votes',
    },
  ]),
  ...mutantsOf('conductor/core/raft/recovery.ts', 'conductor/core/raft/recovery.test.ts', [
    {
      id: 'rule 33',
      law: 'Under a leader of Go recovery ends when all that the lost store may have acknowledged is committed and held.',
      find: 'if (isNative) return commit < isVerifiedTo || hasNothingToSend;',
      replace: 'if (isNative || commit > 0) return commit < isVerifiedTo || hasNothingToSend;',
      testName: 'helps nobody to lead who lacks what the leader committed by what it had acknowledged before',
    },
    {
      id: 'rule 33',
      law: 'A leader of Go that has had nothing more to send once need not have nothing to send again.',
      find: 'if (hasNothingToSend && connection.coveredTo === 0) connection.coveredTo = isVerifiedTo;',
      replace: 'connection.coveredTo = hasNothingToSend ? isVerifiedTo : 0;',
      testName: 'when it had nothing more to send once, and all of what it had then is committed',
    },
  ]),
  ...mutantsOf('conductor/core/raft/load.ts', 'conductor/core/raft/recovery.test.ts', [
    {
      id: 'rule 9',
      law: 'A store that was never written to is that of a recovering server, but with --raft.legacy-empty-store.',
      find: 'recovering: !options.legacyEmptyStore }',
      replace: 'recovering: false }',
      testName: 'says so durably with its first write',
    },
  ]),
  ...mutantsOf('conductor/core/raft/recovery.ts', 'conductor/core/raft/node.test.ts', [
    {
      id: 'rule 9',
      law: 'Losing a disk and then the leader is a stop, not a loss.',
      find: 's.setHard({ recovering: false, votedTerm: s.term, votedFor: null });',
      replace: 's.setHard({ recovering: true, votedTerm: s.term, votedFor: null });',
      testName: 'brings a wiped voter back through recovery and a snapshot',
    },
  ]),
];

const votes: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/election.ts', 'conductor/core/raft/election.test.ts', [
    {
      id: 'rule 10',
      law: 'A vote, its term and what depends on them are written before anything is answered.',
      find: 's.setHard({ votedTerm: request.term, votedFor: candidate });',
      replace: '',
      testName: 'votes once per term: again for the same candidate even with a shorter log, never for another',
    },
    {
      id: 'rule 10',
      law: 'A hand-over is honoured from configured voters only.',
      find: "return request.leadershipTransfer && s.membership.isVoter(id ?? '');",
      replace: 'return request.leadershipTransfer;',
      testName: 'honours a hand-over only from configured voters (rule 10)',
    },
    {
      id: 'rule 8',
      law: 'A term voted in for nobody, as an import leaves it, is a term in which nobody gets the vote.',
      find: 'if (!votedFor) return answer(false);',
      replace: '',
      testName: 'a term voted in for nobody is a term it votes for nobody in (rules 8 and 9)',
    },
    {
      id: 'rule 13',
      law: 'A voter waives its stickiness by time and own evidence only.',
      find: 'return s.nowMs - s.contactMs < s.options.heartbeatTimeoutMs;',
      replace: 'return false;',
      testName: 'refuses others for one heartbeat timeout after its leader was heard, by time and not by a flag',
    },
  ]),
  ...mutantsOf('conductor/core/raft/election.ts', 'conductor/core/raft/election.test.ts', [
    {
      id: 'rule 32',
      law: 'A vote is given to the pair of id and address: another process of that id does not get it.',
      find: 'votedFor.id === candidate.id && votedFor.address === candidate.address',
      replace: 'votedFor.id === candidate.id',
      testName: 'votes for the pair of id and address that asked, and not for another process with either of them',
    },
    {
      id: 'rule 32',
      law: 'A candidate without an id is no member, whatever its address.',
      find: "s.membership.find(id ?? '') !== undefined;",
      replace: 'id === null || s.membership.find(id) !== undefined;',
      testName: 'a candidate whose id is %j is no member, whatever its address',
    },
  ]),
  ...mutantsOf('conductor/core/raft/peer-messages.ts', 'conductor/core/raft/identity.test.ts', [
    {
      id: 'rule 32',
      law: 'A request that names this server itself as its sender is refused.',
      find: 'if (comesFromItself(s, request)) {',
      replace: 'if (comesFromItself(s, request) && request === null) {',
      testName: '%s: is refused, changes nothing, and is an alarm',
    },
    {
      id: 'rule 32',
      law: 'An answer under another id than that of the peer that was asked counts for nothing.',
      find: 'isAnotherServers(s, answer, context.peerId)) answer =',
      replace: "isAnotherServers(s, answer, context.peerId) && answer.kind === 'error') answer =",
      testName: 'to another follower: its acknowledgements do not count twice, and nothing acknowledged is lost',
    },
  ]),
  ...mutantsOf('conductor/core/raft/send-snapshot.ts', 'conductor/core/raft/identity.test.ts', [
    {
      id: 'rule 32',
      law: 'An answer to a snapshot moves no match.',
      find: 'peer.restart(Math.max(peer.match, context.index) + 1);',
      replace: 'peer.match = Math.max(peer.match, context.index);\n  peer.restart(peer.match + 1);',
      testName: 'moves no match: the answer to the append after it does',
    },
  ]),
  ...mutantsOf('conductor/core/raft/strangers.ts', 'conductor/core/raft/strangers.test.ts', [
    {
      id: 'rule 32',
      law: 'Whoever is no member changes nothing.',
      find: "if (isStranger(s, request)) return 'stranger';",
      replace: '',
      testName: '%s in term %i',
    },
    {
      id: 'rule 32',
      law: 'A term rises by what elections explain and no further.',
      find: "if (isExplained(s, request.term)) return 'welcome';",
      replace: "if (isExplained(s, s.term)) return 'welcome';",
      testName: 'under the id "%s" to everybody: the term stays where it was, and elections go on',
    },
    {
      id: 'rule 32',
      law: 'Members are believed under their own names only.',
      find: 'response.id !== peerId || !s.membership.find(peerId)) return;',
      replace: '!s.membership.find(peerId)) return;',
      testName:
        'is not, when the word is not that of the member that was asked, or the term is higher than the members know',
    },
    {
      id: 'rule 32',
      law: 'A voter that was away for weeks comes home: the members are asked, and their term is taken.',
      find: "if (about === 'term' && response.term > s.term)",
      replace: "if (about === 'term' && response.term > 1e15)",
      testName: 'brings home a voter that was away for weeks',
    },
    {
      id: 'rule 32',
      law: 'A leader that joined meanwhile is followed once a member tells that it is one.',
      find: 'if (response.configuration) introduce(s, response.configuration);',
      replace: '',
      testName: 'brings up a voter that knows none of those who are left but one',
    },
    {
      id: 'rule 32',
      law: 'The term of a stranger raises none, though members are asked about it.',
      find: "askMembers(s, 'members');",
      replace: "askMembers(s, 'term');",
      testName:
        'is not, when the word is not that of the member that was asked, or the term is higher than the members know',
    },
  ]),
  ...mutantsOf('conductor/core/raft/peer-messages.ts', 'conductor/core/raft/strangers.test.ts', [
    {
      id: 'rule 32',
      law: 'An answer that names nobody raises the term no further than elections explain.',
      find: 'isImpossible(answer) || isUnfounded(s, answer)',
      replace: 'isImpossible(answer)',
      testName: 'is not taken from an answer that names nobody either',
    },
  ]),
  ...mutantsOf('conductor/core/raft/state.ts', 'conductor/core/raft/election.test.ts', [
    {
      id: 'lost-vote',
      law: 'Term and vote are one value, written in one transaction, and survive a crash together.',
      find: 'this.#hard = { ...this.#hard, ...change };',
      replace:
        'this.#hard = { ...this.#hard, ...change, votedTerm: this.#hard.votedTerm, votedFor: this.#hard.votedFor };',
      testName: 'keeps its vote across a crash',
    },
  ]),
  ...mutantsOf('conductor/adapters/sqlite/store.ts', 'conductor/adapters/sqlite/store.test.ts', [
    {
      id: 'lost-vote',
      law: 'A batch that fails half-way leaves neither its entries nor its vote.',
      find: 'this.#begin.run();\n      extent = this.#apply(batch, plan, hardState);',
      replace: 'extent = this.#apply(batch, plan, hardState);\n      this.#begin.run();',
      testName: 'a failed batch leaves nothing: neither its entries nor its vote',
    },
  ]),
  ...mutantsOf('conductor/core/raft/peer-messages.ts', 'conductor/core/raft/transfer.test.ts', [
    {
      id: 'rule 10',
      law: 'TimeoutNow is honoured from configured voters and the leader of the term only.',
      find: 'if (isEntitled) obey(s);',
      replace: 'if (isEntitled || request) obey(s);',
      testName: 'from %s: answered and ignored (rule 10)',
    },
    {
      id: 'rule 17',
      law: 'TimeoutNow is obeyed at once, whatever the hints say.',
      find: 'if (isEntitled) obey(s);',
      replace: 'if (isEntitled && s.localHints.healthy === true) obey(s);',
      testName: 'from the leader: votes are asked for at once, as handed over',
    },
    {
      id: 'rule 10',
      law: 'A repeated word to take over does not begin the campaign anew.',
      find: "if (s.role === 'candidate' && s.round?.isTransfer) return;",
      replace: '',
      testName: 'told twice: the campaign that is under way goes on, in its term and with the votes it has',
    },
    {
      id: 'rule 10',
      law: 'The late word of a deposed leader does not depose the one that is heard.',
      find: 'leader.id !== request.id && s.nowMs - s.contactMs < s.options.heartbeatTimeoutMs',
      replace: 'leader.id !== request.id && s.nowMs < s.contactMs',
      testName:
        'from another voter: the late word of a deposed leader while the new one is heard, obeyed when it is not',
    },
  ]),
];

const handOver: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/transfer.ts', 'conductor/core/raft/transfer.test.ts', [
    {
      id: 'no-hand-over',
      law: 'A hand-over waits until the target holds the last entry, so that it wins at once.',
      find: 'if (!peer || peer.match < s.log.lastIndex || s.log.persistedIndex < s.log.lastIndex) return;',
      replace: 'if (!peer) return;',
      testName: 'waits until the target holds the last entry, and until it is durable here',
    },
    {
      id: 'stop-hangs',
      law: 'A hand-over is given up after one election timeout.',
      find: "if (transfer && s.nowMs >= transfer.deadlineMs) endTransfer(s, 'leadership transfer timeout');",
      replace: '',
      testName: 'is bounded by one election timeout and cleared: %s',
    },
    {
      id: 'rule 18',
      law: 'With nobody named, leadership never goes to a nonvoter or one of those excluded.',
      find: 'if (exclude.includes(peer.id) || !s.membership.isVoter(peer.id)) continue;',
      replace: 'if (!s.membership.isVoter(peer.id)) continue;',
      testName: 'to nobody in particular: the voter furthest along, never a nonvoter nor one of the excluded',
    },
  ]),
  ...mutantsOf('conductor/core/raft/transfer.ts', 'conductor/core/raft/transfer.test.ts', [
    {
      id: 'rule 18',
      law: 'A leader that hears no quorum hands over to nobody known to be unhealthy or paused.',
      find: 'return isNative && !isIneligible && match',
      replace: 'return isNative && match',
      testName: 'hands over: it %s',
    },
    {
      id: 'no-hand-over',
      law: 'A leader that hears no quorum hands over only to one that holds all that is committed.',
      find: '&& match >= s.commitIndex &&',
      replace: '&&',
      testName: 'passes over one that lacks what is committed, though it was heard last',
    },
  ]),
  ...mutantsOf('conductor/core/raft/peer-messages.ts', 'conductor/core/raft/transfer.test.ts', [
    {
      id: 'rule 18',
      law: 'The advice of a leader that could not ask first moves nobody who is paused or ill by now.',
      find: 'if (request.hints && !isEligible(s.localHints)) return;',
      replace: '',
      testName: 'its word carries hints: who was paused since it was last heard lets it be, another obeys',
    },
  ]),
  ...mutantsOf('conductor/core/raft/lease.ts', 'conductor/core/raft/transfer.test.ts', [
    {
      id: 'no-hand-over',
      law: 'A leader that hears no quorum tells one that may hear it to take over.',
      find: 'const transferTarget = transferTargetOfDeposed(s);\n    if (transferTarget) adviseTransferTarget(s, transferTarget);',
      replace: '',
      testName: 'hands over: it %s',
    },
  ]),
  ...mutantsOf('conductor/core/raft/node.ts', 'conductor/core/raft/change-membership.test.ts', [
    {
      id: 'no-hand-over',
      law: 'A leader that removes or demotes itself tells its transfer target to take over.',
      find: 'const transferTarget = successor(s);\n    if (transferTarget) sendTimeoutNow(s, transferTarget);',
      replace: '',
      testName: '%s: leads until that is committed without counting itself, then hands over',
    },
  ]),
];

const membership: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/membership.ts', 'conductor/core/raft/membership.test.ts', [
    {
      id: 'membership-race',
      law: 'Of two changes that name the same version the second is refused.',
      find: 'if (command.previousIndex > 0 && command.previousIndex !== current.index) {',
      replace: 'if (command.previousIndex < 0) {',
      testName: 'refused: %s',
    },
  ]),
  ...mutantsOf('conductor/core/raft/change-membership.ts', 'conductor/core/raft/change-membership.test.ts', [
    {
      id: 'membership-race',
      law: 'No change is made while the one before is not committed.',
      find: 'if (latest.index > s.commitIndex || led.staging) {',
      replace: 'if (led.staging) {',
      testName: 'not while the one before is not committed',
    },
    {
      id: 'membership-race',
      law: 'No change is made before an entry of this leader’s term is committed.',
      find: 'if (s.commitIndex < led.firstIndex) {',
      replace: 'if (s.commitIndex < 0) {',
      testName: 'not before, even when the configuration itself is known committed',
    },
    {
      id: 'rule 9',
      law: 'A new voter joins as a nonvoter and is promoted once it has caught up.',
      find: 'if (s.options.stageVoters && isNewVoter(s, command)) {',
      replace: 'if (!s.options.stageVoters && isNewVoter(s, command)) {',
      testName: 'a new voter joins as a nonvoter and is promoted once it has learned of a commit of this term',
    },
  ]),
  ...mutantsOf('conductor/core/raft/change-address.ts', 'conductor/core/raft/change-address.test.ts', [
    {
      id: 'rule 32',
      law: 'A change of address is appended only after the new address has answered with the right id.',
      find: 'if (answering === id) return command;',
      replace: 'if (answering !== null) return command;',
      testName: 'is refused when the answer is that of %s, and the connections to the member stay',
    },
  ]),
  ...mutantsOf('conductor/core/raft/change-membership.ts', 'conductor/core/raft/change-address.test.ts', [
    {
      id: 'rule 32',
      law: 'A member that was moved to an address that is not its own does not stop a cluster of two.',
      find: 'if (!isMoveConfirmed && movesMember(s, command))',
      replace: 'if (isMoveConfirmed && movesMember(s, command))',
      testName: 'and leads to %s, or to nobody: refused, and the cluster goes on',
    },
  ]),
  ...mutantsOf('conductor/core/raft/bootstrap.ts', 'conductor/core/raft/recovery.test.ts', [
    {
      id: 'rule 24',
      law: 'A store that has seen a term or an entry is not bootstrapped again.',
      find: 'if (s.term > 0 || s.log.lastIndex > 0) {',
      replace: 'if (s.log.lastIndex > 0) {',
      testName: 'is not bootstrapped again, nor after it has seen a term, nor when its store has failed',
    },
  ]),
];

export const raftVoteMutants: readonly Mutant[] = [...recovery, ...votes, ...handOver, ...membership];
