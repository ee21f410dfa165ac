/** Mutants of election timeout, the fast path and hints (rules 12, 13, 16 and 17). */
import { mutantsOf, type Mutant } from './mutant.ts';

export const raftElectionMutants: readonly Mutant[] = [
  ...mutantsOf('conductor/core/raft/roles.ts', 'conductor/core/raft/roles.test.ts', [
    {
      id: 'rule 12',
      law: 'Where all voters are ours a follower waits the heartbeat timeout and at most a fifth more.',
      find: 'return timeout + s.randomBetween(0, randomPartMs(s));',
      replace: 'return s.randomBetween(timeout, 2 * timeout);',
      testName: 'all ours: the heartbeat timeout and a random fifth (%d)',
    },
    {
      id: 'rule 12',
      law: 'The random part doubles with each failed election, up to the heartbeat timeout.',
      find: 'timeout * RANDOM_TIMEOUT_PART * 2 ** Math.min(s.failedElections, 8)',
      replace: 'timeout * RANDOM_TIMEOUT_PART',
      testName: 'all ours: the random part doubles with each failed election, up to the heartbeat timeout',
    },
    {
      id: 'rule 12',
      law: 'Beside a voter that is not known to be ours Go’s election timeout holds: T to 2T.',
      find: 'if (!allVotersNative(s)) return s.randomBetween(timeout, 2 * timeout);',
      replace: '',
      testName: 'with a voter not known as ours (%j): Go’s, T to 2T, in every round',
    },
  ]),
  ...mutantsOf('conductor/core/raft/clock-jump.ts', 'conductor/core/raft/clock-jump.test.ts', [
    {
      id: 'rule 34',
      law: 'After a suspension a leader counts as one only when a quorum has answered what was asked since.',
      find: 'led.doubtedAtMs = s.nowMs;',
      replace: '',
      testName: 'ends the lease until a quorum has answered what was asked since; nobody is deposed by it',
    },
  ]),
  ...mutantsOf('conductor/core/raft/lease.ts', 'conductor/core/raft/clock-jump.test.ts', [
    {
      id: 'rule 34',
      law: 'The lease for flashblocks counts only requests that were sent since time passed unseen.',
      find: 'return provenContactMs(s) + s.options.leaderLeaseMs;',
      replace: 'return quorumContactMs(s) + s.options.leaderLeaseMs;',
      testName: 'ends the lease until a quorum has answered what was asked since; nobody is deposed by it',
    },
  ]),
  ...mutantsOf('conductor/core/conductor.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'rule 34',
      law: 'No read is answered by what was known before time passed unseen.',
      find: ' && !this.#components.raft.hasJumped(nowMs);',
      replace: ';',
      testName: 'after time has passed unseen no read is answered by what was known before (rule 34)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/fast-election.ts', 'conductor/core/raft/fast-election.test.ts', [
    {
      id: 'rule 13',
      law: 'A kept connection that had died says nothing of the leader: it is dialled anew.',
      find: "if (answer === 'reset' && !suspectedFailure.isAskedAgain && s.leader) {",
      replace: "if (answer === 'reset' && suspectedFailure.isAskedAgain && s.leader) {",
      testName: 'a connection that was kept had died, and the leader refuses the pre-vote on a new one: it lives',
    },
    {
      id: 'rule 13',
      law: 'No fast election while one connection of the leader is open.',
      find: 'for (const other of s.inbound.values()) if (other.leaderTerm === s.term) return;',
      replace: '',
      testName: 'one connection of the leader is still open',
    },
    {
      id: 'rule 13',
      law: 'No fast election for connections that were not this term’s leader’s.',
      find: 'if (!closed || closed.leaderTerm !== s.term) return;',
      replace: 'if (!closed) return;',
      testName: 'the connection that closes last is another server’s',
    },
    {
      id: 'rule 13',
      law: 'Only a refused or reset redial shows that the leader’s process is gone; silence does not.',
      find: "answer === 'refused' || answer === 'reset'",
      replace: "answer !== 'overflow'",
      testName: 'the redial failed for another reason: %s',
    },
    {
      id: 'rule 13',
      law: 'A redialled peer that refuses the pre-vote still leads.',
      find: "answer.kind === 'prevote' && answer.granted;",
      replace: "answer.kind === 'prevote';",
      testName: 'the redialled leader refuses the pre-vote: it lives',
    },
    {
      id: 'rule 13',
      law: 'Voters take turns by rank.',
      find: 's.nowMs + rank * RANK_MS + s.randomBetween(0, JITTER_MS)',
      replace: 's.nowMs + s.randomBetween(0, JITTER_MS)',
      testName: 'voters take turns by rank',
    },
    {
      id: 'rule 13',
      law: 'At most three fast rounds for one leader and term.',
      find: 'if (s.fastSpent.attempts >= FAST_ROUNDS_MAX) return;',
      replace: '',
      testName: 'no more than three for one leader and term, even when it is suspected again',
    },
    {
      id: 'rule 13',
      law: 'A pre-vote that comes while the leader is redialled is answered when the leader’s fate is known.',
      find: 'if (s.heldPreVotes.length === 0 || s.suspectedFailure?.isProbing) return;',
      replace: 'if (s.heldPreVotes.length === 0) return;',
      testName: 'who asks while the leader is redialled is answered when its fate is known',
    },
  ]),
  ...mutantsOf('conductor/core/raft/election.ts', 'conductor/core/raft/fast-election.test.ts', [
    {
      id: 'rule 13',
      law: 'The pre-vote goes to the supposed leader too, whose refusal ends the suspected failure.',
      find: 'if (round.isFast && ballot && !ballot.granted && context.peerId === s.suspectedFailure?.leaderId) {',
      replace: 'if (round.isFast && ballot && !ballot.granted && context.peerId === "nobody") {',
      testName: 'the supposed leader refuses: the suspected failure is over',
    },
    {
      id: 'rule 13',
      law: 'A lost fast round is asked again after 25 to 75 ms, and leaves the normal timer as it was.',
      find: 's.nowMs + s.randomBetween(FAST_RETRY_MS.min, FAST_RETRY_MS.max)',
      replace: 's.nowMs',
      testName: 'three of them, 25 to 75 ms apart, then the timer that was running anyway',
    },
    {
      id: 'rule 13',
      law: 'A voter grants against its stickiness only once it has found the leader gone itself.',
      find: 'if (s.suspectedFailure?.isConfirmed) return false;',
      replace: 'if (s.suspectedFailure) return false;',
      testName: 'a request for a vote while the leader is redialled is refused',
    },
  ]),
  ...mutantsOf('conductor/core/raft/roles.ts', 'conductor/core/raft/fast-election.test.ts', [
    {
      id: 'rule 13',
      law: 'The leader heard again ends the suspected failure.',
      find: 's.suspectedFailure = null;\n  s.failedElections = 0;\n  s.hasYielded = false;\n  s.contactMs',
      replace: 's.failedElections = 0;\n  s.hasYielded = false;\n  s.contactMs',
      testName: 'who asks while the leader is redialled is refused when the leader is heard again',
    },
  ]),
  ...mutantsOf('conductor/core/raft/replication.ts', 'conductor/core/raft/replication.test.ts', [
    {
      id: 'rule 16',
      law: 'The hint key is on the first append of each connection.',
      find: 'peer.restart(peer.match > 0 ? peer.match + 1 : Math.min(peer.next, context.prevIndex + 1));\n  peer.hintsOffered = false;',
      replace: 'peer.restart(peer.match > 0 ? peer.match + 1 : Math.min(peer.next, context.prevIndex + 1));',
      testName: 'are offered once per connection to servers that do not answer them, again after a failure',
    },
    {
      id: 'rule 16',
      law: 'A peer that does not answer the hints any more is not taken for this implementation any more.',
      find: 'peer.isNative = hints !== null;',
      replace: 'peer.isNative ||= hints !== null;',
      testName: 'make a peer known as ours until it does not answer them any more',
    },
  ]),
  ...mutantsOf('conductor/core/raft/replication.ts', 'conductor/core/raft/hint-exchange.test.ts', [
    {
      id: 'rule 16',
      law: 'After the first append of a connection hints go only to peers that answer them.',
      find: 'const isDue = peer.isNative && (isWanted ||',
      replace: 'const isDue = (isWanted ||',
      testName: 'offers them to a server that answered them again and again, to another never',
    },
  ]),
  ...mutantsOf('conductor/core/raft/follower.ts', 'conductor/core/raft/hint-exchange.test.ts', [
    {
      id: 'rule 16',
      law: 'A reply carries hints only if the request did: every other byte towards Go is exact.',
      find: 'const hints = request.hints ? answerHints(s, connection, request) : {};',
      replace:
        'const hints = request.hints ? answerHints(s, connection, request) : { hints: encodeHints(s.localHints) };',
      testName: 'answers an append with hints only if the request had some',
    },
  ]),
  ...mutantsOf('conductor/core/raft/status.ts', 'conductor/core/raft/hint-exchange.test.ts', [
    {
      id: 'rule 16',
      law: 'Hints that are too old are unknown.',
      find: 'received && s.nowMs - received.atMs <= s.options.heartbeatTimeoutMs ? received.hints : null;',
      replace: 'received?.hints ?? null;',
      testName: 'knows nothing of a peer whose hints are older than three idle appends',
    },
  ]),
  ...mutantsOf('conductor/core/raft/tell-status.ts', 'conductor/core/raft/ask-peers.test.ts', [
    {
      id: 'rule 16',
      law: 'A change of health or pause is told at once.',
      find: 's.mustTell = true;',
      replace: '',
      testName: 'by a follower, to a leader of this software, in an append that any other takes for a stale one',
    },
    {
      id: 'rule 16',
      law: 'A follower tells nothing to a leader not known to be of this software.',
      find: ' && s.ownIds.has(leader.id)',
      replace: '',
      testName: 'nothing of it goes to a leader not known to be of this software',
    },
    {
      id: 'rule 16',
      law: 'A leader believes of its members only what they say themselves.',
      find: 'if (peer?.isNative && hints) peer.hints',
      replace: 'for (const peer of s.leadership?.peers.values() ?? []) if (hints) peer.hints',
      testName: 'the leader believes a member of this software, and changes nothing else',
    },
  ]),
  ...mutantsOf('conductor/core/raft/ask-peers.ts', 'conductor/core/raft/ask-peers.test.ts', [
    {
      id: 'rule 18',
      law: 'An answer to what was sent before the question is none.',
      find: 'led.askRound++;',
      replace: '',
      testName: 'an answer to what was sent before the question is none',
    },
    {
      id: 'rule 18',
      law: 'Who is silent is waited for a part of the heartbeat timeout only.',
      find: ' || s.nowMs >= ask.deadlineMs;',
      replace: ';',
      testName: 'waits a quarter of the heartbeat timeout for one that is silent',
    },
  ]),
  ...mutantsOf('conductor/core/raft/roles.ts', 'conductor/core/raft/roles.test.ts', [
    {
      id: 'rule 17',
      law: 'A paused node whose sequencer an operator has started does not let the others go first.',
      find: '    s.isBuilding ||\n',
      replace: '',
      testName:
        'paused, but its sequencer was started by an operator: not at all, elsewhere that one is told it does not lead',
    },
    {
      id: 'rule 17',
      law: 'A node that is unhealthy or paused lets the others campaign first, by one timeout.',
      find: '    isEligible(s.localHints) ||\n    s.hasYielded ||',
      replace: '    isEligible(s.localHints) ||\n    !isEligible(s.localHints) ||\n    s.hasYielded ||',
      testName: '%s: its own timer is delayed by one timeout, once',
    },
    {
      id: 'rule 17',
      law: 'It delays its own timer once, not again and again.',
      find: 's.hasYielded = true;',
      replace: '',
      testName: '%s: its own timer is delayed by one timeout, once',
    },
  ]),
  ...mutantsOf('conductor/core/raft/election.ts', 'conductor/core/raft/hint-exchange.test.ts', [
    {
      id: 'rule 17',
      law: 'Hints never refuse a vote.',
      find: 'if (s.hasFailed || s.hard.recovering) return false;',
      replace: 'if (s.hasFailed || s.hard.recovering || s.localHints.paused) return false;',
      testName: 'refuses no vote for what it knows of the candidate’s sequencer or its own (rule 17)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/transfer.ts', 'conductor/core/raft/hint-exchange.test.ts', [
    {
      id: 'rule 17',
      law: 'A hand-over to a server an operator names ignores its hints.',
      find: 'const target = command.target ?? bestPeer(s, command.exclude ?? [])?.id;',
      replace: 'const target = bestPeer(s, command.exclude ?? [])?.id;',
      testName: 'hands over to the peer an operator names, whatever its hints (rule 17)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/fast-election.ts', 'conductor/core/raft/node.test.ts', [
    {
      id: 'further 3',
      law: 'A leader whose process died is replaced within 100 ms.',
      find: 'if (s.round || suspectedFailure.term !== s.term) return;',
      replace: 'if (s.round || suspectedFailure.term === s.term) return;',
      testName: 'replaces a killed leader within 100 ms (rule 13)',
    },
  ]),
];
