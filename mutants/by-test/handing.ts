/** Mutants of handing leadership over and of ending (rules 18 and 21). */
import { mutantsOf, type Mutant } from './mutant.ts';

const handing: readonly Mutant[] = [
  ...mutantsOf('conductor/core/control/target.ts', 'conductor/core/control/target.test.ts', [
    {
      id: 'rule 18',
      law: 'The peer known healthy whose head is highest comes first.',
      find: 'target: bestByHead(candidates), exclude }',
      replace: 'target: (candidates[0] as Peer).id, exclude }',
      testName: 'the best peer known healthy comes first',
    },
    {
      id: 'rule 18',
      law: 'Leadership never goes to a peer known to be unhealthy or paused.',
      find: 'return hint !== null && (hint.isPaused || hint.isHealthy === false);',
      replace: 'return hint !== null && hint.isHealthy === false;',
      testName: 'one that sends hints but does not know whether it could work is as one nothing is known of',
    },
    {
      id: 'unprovisioned',
      law: 'Leadership never goes to a peer known to be unable to sequence, however healthy its conductor.',
      find: 'present.filter((peer) => !isIneligible(peer) && mayTake(peer))',
      replace: 'present.filter((peer) => mayTake(peer))',
      testName: 'never one known unhealthy or paused',
    },
    {
      id: 'ping-pong',
      law: 'A peer that lost leadership within one unsafe interval is not handed it back.',
      find: 'return peer.ceasedLeadingAtMs !== null && nowMs - peer.ceasedLeadingAtMs < options.unsafeIntervalMs;',
      replace: 'return false;',
      testName: 'one nothing is known of, but not within an unsafe interval of losing leadership',
    },
    {
      id: 'ping-pong',
      law: 'Each peer that nothing is known of gets its turn before one gets a second.',
      find: 'options.isRoundRobin ? unknown : ledLongestAgo(unknown)',
      replace: 'unknown',
      testName: 'ping-pong: each that nothing is known of gets its turn before one gets a second',
    },
    {
      id: 'rule 18',
      law: 'Also when leadership must go, it goes to nobody known to be unhealthy or paused.',
      find: 'exclude: peers.filter(isIneligible).map((peer) => peer.id) };',
      replace: 'exclude: [] };',
      testName: 'is never one known to be unhealthy or paused; one that is silent may be left',
    },
  ]),
  ...mutantsOf('conductor/core/node-health.ts', 'conductor/core/eligibility.test.ts', [
    {
      id: 'stall-bounce',
      law: 'While nobody builds, a follower’s old head says nothing about its sequencer, so leadership can leave a stalled node.',
      find: 'return committed - BigInt(head) > lagBlocksMax ? false : null;',
      replace: 'return false;',
      testName: 'stall-bounce: while nobody builds, the old head of a follower says nothing about its sequencer',
    },
    {
      id: 'unprovisioned',
      law: 'A node whose sequencer could not be started tells its peers, however healthy it looks.',
      find: 'if (verdict.isHealthy) return !control.hasStartTrouble;',
      replace: 'if (verdict.isHealthy) return true;',
      testName: 'unprovisioned: one whose sequencer could not be started lately is not fit, however healthy it looks',
    },
    {
      id: 'further 4',
      law: 'Hints keep leadership away from a node that is far behind what is committed.',
      find: 'return committed - BigInt(head) > lagBlocksMax ? false : null;',
      replace: 'return null;',
      testName: 'one that is far behind what is committed is not fit',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/service.ts', 'conductor/core/rpc/service.test.ts', [
    {
      id: 'rule 18',
      law: 'conductor_transferLeader without a name passes over peers known to be unhealthy or paused.',
      find: "{ kind: 'transfer', ...host.transferTarget() }",
      replace: "{ kind: 'transfer', target: null }",
      testName: 'passes over peers known to be unhealthy or paused',
    },
  ]),
];

const ending: readonly Mutant[] = [
  ...mutantsOf('conductor/core/control/drain.ts', 'conductor/core/control/drain.test.ts', [
    {
      id: 'no-hand-over',
      law: 'SIGTERM of a leader hands leadership over before it stops.',
      find: 'if (host.isLeader()) {',
      replace: 'if (!host.isLeader()) {',
      testName: 'a leader hands over, then stops its sequencer within a second',
    },
    {
      id: 'rule 18',
      law: 'Nobody is passed over at the end for what it said some time ago: it is asked first.',
      find: "yield { kind: 'ask' };",
      replace: '',
      testName: 'where nobody is known healthy those it would pass over are asked how they stand by now',
    },
    {
      id: 'rule 21',
      law: 'Leadership that nobody could use is handed to nobody.',
      find: 'host.whyNoTransferTarget() ?? (yield* handOver(host))',
      replace: 'yield* handOver(host)',
      testName: 'where nobody could use leadership it is handed to nobody; the sequencer is stopped, and why is said',
    },
    {
      id: 'one-block-reorg',
      law: 'The commit in flight is waited for before leadership goes.',
      find: 'while (host.commitsInFlight() > 0 && host.nowMs() < untilMs) yield* wait(pollMs);',
      replace: '',
      testName: 'one-block-reorg: the commit in flight is waited for before leadership goes',
    },
    {
      id: 'stop-hangs',
      law: 'A commit that never ends is waited for one block and no longer.',
      find: 'while (host.commitsInFlight() > 0 && host.nowMs() < untilMs) yield* wait(pollMs);',
      replace: 'while (host.commitsInFlight() > 0 && host.nowMs() < 10 * untilMs) yield* wait(pollMs);',
      testName: 'stop-hangs: a commit that never ends is waited for one block and no longer, and said',
    },
    {
      id: 'rule 21',
      law: 'Whether or not leadership went, the sequencer is stopped, within a second.',
      find: 'const drainStopTimeoutMs = 1000;',
      replace: 'const drainStopTimeoutMs = 60_000;',
      testName: 'a leader hands over, then stops its sequencer within a second',
    },
    {
      id: 'rule 21',
      law: 'What was left undone is said.',
      find: "if (stopped.kind === 'retry') problems.push(`the sequencer was not stopped: ${stopped.message}`);",
      replace: '',
      testName: 'whether or not leadership went, the sequencer is stopped; what failed is said',
    },
    {
      id: 'rule 21',
      law: 'A start or stop that the node has been told of is heard before the last stop, a second at most.',
      find: 'while (host.hasOrderInFlight() && host.nowMs() < heardByMs) yield* wait(pollMs);',
      replace: '',
      testName: 'a start the node has been told of is waited for before the stop, a second at most',
    },
  ]),
  ...mutantsOf('conductor/core/cluster-view.ts', 'conductor/core/cluster-view.test.ts', [
    {
      id: 'rule 21',
      law: 'Who leaves does not count towards the majority of who follows.',
      find: '.length >= quorumSize(voters.length);',
      replace: '.length + 1 >= quorumSize(voters.length);',
      testName: 'not of two, not of one, and nonvoters count for nothing',
    },
    {
      id: 'rule 21',
      law: 'A server whose process is gone does not count towards the majority of who follows.',
      find: ' && !peer.hasFailedHeartbeats,',
      replace: ',',
      testName: 'not of three when one %s',
    },
  ]),
  ...mutantsOf('conductor/core/shutdown.ts', 'conductor/core/shutdown.test.ts', [
    {
      id: 'rule 21',
      law: 'An end during a start stops what the start began.',
      find: 'isOurs && (control.active !== false || control.hasOrderInFlight)',
      replace: 'isOurs && control.active === null',
      testName: 'while a start is under way: it is heard to its end and then stopped',
    },
    {
      id: 'rule 21',
      law: 'The sequencer of a paused leader is stopped too.',
      find: "(!control.isPaused || status().role === 'leader') && !isOverridden;",
      replace: '!control.isPaused && !isOverridden;',
      testName: 'to a paused leader: its sequencer is stopped too',
    },
    {
      id: 'rule 27',
      law: 'An end under an override leaves the sequencer to the operator.',
      find: "(!control.isPaused || status().role === 'leader') && !isOverridden;",
      replace: "!control.isPaused || status().role === 'leader';",
      testName: 'while leadership is overridden: leadership and sequencer are left as they are, and that is said',
    },
    {
      id: 'stop-hangs',
      law: 'conductor_stop is answered when the end is reached, and the process exits 0.',
      find: 'for (const answerId of this.#stopAnswers.splice(0)) outbox.answer(answerId, nothing);',
      replace: '',
      testName: 'twice: every conductor_stop is answered, and it ends once',
    },
  ]),
  ...mutantsOf('conductor/core/bootstrap.ts', 'conductor/core/shutdown.test.ts', [
    {
      id: 'rule 24',
      law: 'A bootstrap asked for twice is one, and its leader is paused.',
      find: 'if (this.#requestId !== null) return; // Asked for already.',
      replace: '',
      testName: 'asked for twice at once still pauses the new leader',
    },
  ]),
  ...mutantsOf('conductor/host/bootstrap-once.ts', 'conductor/host/bootstrap-once.test.ts', [
    {
      id: 'rule 24',
      law: 'A cluster that may be founded at any start is founded by the first server of the list only.',
      find: 'if (first?.id !== serverId) return;',
      replace: '',
      testName: 'is left to the first server, whatever the others say',
    },
    {
      id: 'rule 24',
      law: 'Who is silent may belong to a cluster: silence founds none.',
      find: "if (answer.kind !== 'result') return `${id} has not said that it belongs to no cluster: ${answer.message}`;",
      replace: "if (answer.kind !== 'result') return '';",
      testName: 'never happens while one of them %s: the first server may have lost its disk',
    },
    {
      id: 'rule 24',
      law: 'A server with a log never founds another cluster.',
      find: 'while (host.isNew() && !host.isOver()) {',
      replace: 'while (!host.isOver()) {',
      testName: 'never happens on a store that holds something, and stops asking when it does',
    },
  ]),
  ...mutantsOf('conductor/core/conductor-components.ts', 'conductor/core/shutdown.test.ts', [
    {
      id: 'restart-paused',
      law: 'With the paused flag a conductor starts paused, also after an earlier resume.',
      find: '      isPaused,\n      isActive,',
      replace: '      isPaused: false,\n      isActive,',
      testName: 'restart-paused: with the paused flag a conductor starts paused, also after an earlier resume',
    },
  ]),
];

export const handingMutants: readonly Mutant[] = [...handing, ...ending];
