/** Mutants of the control loop: starting, catching up, stopping, handing over (rules 3 and 18 to 21). */
import { mutantsOf, type Mutant } from './mutant.ts';

const starting: readonly Mutant[] = [
  ...mutantsOf('conductor/control/start.ts', 'conductor/control/loop.test.ts', [
    {
      id: 'rule 19',
      law: 'Before a start leadership is confirmed by a quorum in this term.',
      find: "if (confirmed.kind !== 'read' || !confirmed.isConfirmed) {",
      replace: "if (confirmed.kind !== 'read') {",
      testName: 'leadership that cannot be confirmed by a quorum starts nothing',
    },
    {
      id: 'two-lost',
      law: 'A new leader’s node is brought to the committed head from the log, whatever gossip lost, and only then started.',
      find: 'const position = yield* catchUp(host);',
      replace: 'const position = yield* catchUp({ ...host, chain: { ...host.chain, at: () => null } });',
      testName: 'two-behind: a node %s blocks behind is brought up from the log and started',
    },
    {
      id: 'post-then-start',
      law: 'A node that says “block hash does not match” is asked again after 25 to 100 ms.',
      find: "const isMismatch = answer.message.includes('block hash does not match');",
      replace: 'const isMismatch = false;',
      testName: 'post-then-start: "block hash does not match" is tried again within 100 ms',
    },
    {
      id: 'rule 19',
      law: 'No payload held: never started by itself.',
      find: "case 'noHead':\n      return position;",
      replace:
        "case 'noHead':\n      return { kind: 'startable', head: { number: 0n, hash: '0x00' }, gapBlocks: 0, isOnOtherBranch: false };",
      testName: 'no payload held: never by itself',
    },
    {
      id: 'rule 4',
      law: 'A node ahead on the same branch is started at its own head, and the gap is told.',
      find: 'gapBlocks: walk.missing + 1,',
      replace: 'gapBlocks: 0,',
      testName: 'a node ahead on the same branch is started at its own head (rule 4)',
    },
  ]),
  ...mutantsOf('conductor/control/loop.ts', 'conductor/control/loop.test.ts', [
    {
      id: 'unprovisioned',
      law: 'A node that cannot be started hands leadership on after one unsafe interval.',
      find: 'sinceMs !== null && this.#host.nowMs() - sinceMs >= this.#graceMs',
      replace: 'sinceMs !== null && this.#host.nowMs() - sinceMs >= 1e9',
      testName: 'unprovisioned: a node that cannot be started hands leadership on after one unsafe interval',
    },
  ]),
  ...mutantsOf('conductor/control/rollback.ts', 'conductor/control/rollback.test.ts', [
    {
      id: 'rule 6',
      law: 'A rollback needs a sequencer that this leader started or took a commit from in this term.',
      find: 'if (tip === null || !host.isOwnSequencer())',
      replace: 'if (tip === null)',
      testName: 'not if %s',
    },
    {
      id: 'rule 6',
      law: 'A rollback needs the node to stand on the payload’s parent, not below its safe head.',
      find: 'if (unsafe.hash !== offered.parentHash || unsafe.number < safe.number)',
      replace: 'if (unsafe.hash === safe.hash)',
      testName: 'not if %s',
    },
    {
      id: 'rule 6',
      law: 'A rollback needs rule 3 tried, or the safe chain against us.',
      find: "if (safeEvidence === null && !host.wasBroughtTo(tip.hash)) return { kind: 'later' };",
      replace: '',
      testName: 'not if %s',
    },
    {
      id: 'rule 6',
      law: 'No rollback while a voter’s node holds the tip: leadership goes there.',
      find: 'if (heir?.hint != null) {',
      replace: 'if (heir?.hint === undefined && heir) {',
      testName: 'a voter whose node holds the committed head gets leadership instead',
    },
    {
      id: 'rule 6',
      law: 'No rollback unless every server is known to be ours, nor with --consensus.rollback=refuse.',
      find: "if (barrier !== null) return { kind: 'refused', why: barrier };",
      replace: '',
      testName: 'with %s it is refused',
    },
  ]),
  ...mutantsOf('conductor/rpc/commit.ts', 'conductor/conductor.test.ts', [
    {
      id: 'chain-regression',
      law: 'Where the rollup legitimately moved back, one entry moves the committed chain and the next block follows.',
      find: "if (verdict.kind === 'allowed') return this.#rollBack(waiting, verdict.evidence);",
      replace: '',
      testName: 'first the committed payloads are posted; only a node that stays off moves the chain, in one entry',
    },
  ]),
  ...mutantsOf('conductor/conductor.ts', 'conductor/conductor.test.ts', [
    {
      id: 'rule 6',
      law: 'After a rollback the log before it goes behind a snapshot at once.',
      find: 'if (rollbackIndex > 0) this.#raft.compactThrough(rollbackIndex);',
      replace: '',
      testName: 'the log before it is given back behind a snapshot at once, and a restart agrees',
    },
    {
      id: 'rule 3',
      law: 'A refused block brings the committed ones to the node, so that it drops its stale job.',
      find: 'nodeIsOff: () => this.#control.nodeIsOff(),',
      replace: 'nodeIsOff: () => undefined,',
      testName:
        'rule 3: one that sequences and offers another block at a taken height is brought to the tip, once per head',
    },
  ]),
  ...mutantsOf('conductor/control/walk.ts', 'conductor/control/starting.test.ts', [
    {
      id: 'rule 4',
      law: 'A block beyond the tip counts only if its parents lead to the tip.',
      find: "return at.parentHash === tip.hash ? { kind: 'reached', missing } : { kind: 'otherBranch' };",
      replace: "return { kind: 'reached', missing };",
      testName: 'of a node beyond the tip on another branch is not made (rule 4)',
    },
  ]),
];

const edges: readonly Mutant[] = [
  ...mutantsOf('conductor/control/catch-up.ts', 'conductor/control/starting.test.ts', [
    {
      id: 'one-block-reorg',
      law: 'A sequencer is started on the committed head, never on an older one that its node or an earlier stop named.',
      find: "if (position.kind !== 'behind') return position;",
      replace:
        "if (position.kind !== 'behind') return position;\n      if (host.chain.head()?.number === head.number + 1n) return { kind: 'atTip', head };",
      testName: 'one-block-reorg: a node that stopped one block before the last published is started after that',
    },
    {
      id: 'two-lost',
      law: 'Blocks that were committed and never gossiped come from the log of whoever leads next.',
      find: 'const last = yield* post(host, head.number, first);',
      replace: 'const last = host.chain.at(first) === null ? yield* post(host, head.number, first) : null;',
      testName: 'two-lost: blocks that were committed and never gossiped come from the log, then it is started',
    },
  ]),
  ...mutantsOf('conductor/control/catch-up.ts', 'conductor/control/loop.test.ts', [
    {
      id: 'two-behind',
      law: 'A new leader’s node any number of blocks behind the committed head is brought up and started.',
      find: 'const last = yield* post(host, head.number, first);',
      replace: 'const last = host.chain.at(first) === null ? yield* post(host, head.number, first) : null;',
      testName: 'two-behind: a node %s blocks behind is brought up from the log and started',
    },
  ]),
  ...mutantsOf('conductor/control/start.ts', 'conductor/control/starting.test.ts', [
    {
      id: 'rule 19',
      law: 'Leadership is checked again just before the start.',
      find: 'if (!host.isStillLeader())',
      replace: "if (!host.isStillLeader() && position.kind === 'noHead')",
      testName: 'is not made when the log has lost leadership, though the notice has not come yet (rule 19)',
    },
    {
      id: 'two-active',
      law: 'A start whose answer never came is not taken for done nor for undone: the node is asked.',
      find: "if (answer.kind === 'failed') return { kind: 'uncertain', message: answer.message };",
      replace: "if (answer.kind === 'failed') return { kind: 'retry', message: answer.message };",
      testName: 'whose answer never came is not taken for done: the node is asked what it does',
    },
  ]),
  ...mutantsOf('conductor/control/loop.ts', 'conductor/control/starting.test.ts', [
    {
      id: 'rule 20',
      law: 'A node on another branch hands leadership on at once.',
      find: "this.#isOnOtherBranch = outcome.kind === 'otherBranch';",
      replace: 'this.#isOnOtherBranch = false;',
      testName: 'is an alarm with both hashes, and leadership goes at once',
    },
    {
      id: 'rule 3',
      law: 'A new leadership tries anew for the same head.',
      find: "this.#caughtUpFor = '';\n    this.#doubt = isLeader",
      replace: 'this.#doubt = isLeader',
      testName: 'a new leadership tries anew for the same head',
    },
    {
      id: 'rule 3',
      law: 'In one leadership there is one attempt per lost head.',
      find: 'if (tip === null || (isRefusal && tip.hash === this.#caughtUpFor)) return;',
      replace: 'if (tip === null) return;',
      testName: 'in one leadership there is one attempt per head, however often the node offers another block',
    },
  ]),
  ...mutantsOf('conductor/control/control-report.ts', 'conductor/control/starting.test.ts', [
    {
      id: 'rule 20',
      law: 'The alarm about a node on another branch names both hashes.',
      find: "this.alarm('other-branch', 'the node is on another branch than the committed chain: not started', {\n          committed: outcome.ours.hash,",
      replace: "this.alarm('other-branch', 'the node is on another branch than the committed chain: not started', {",
      testName: 'is an alarm with both hashes, and leadership goes at once',
    },
  ]),
  ...mutantsOf('conductor/cluster-view.ts', 'conductor/conductor.test.ts', [
    {
      id: 'further 5',
      law: 'A sequencer any number of blocks behind is brought up with byte-exact payloads from the log, also after a restart.',
      find: 'JSON.stringify(formatEnvelope(decoded.envelope))',
      replace: 'JSON.stringify({ ...formatEnvelope(decoded.envelope), parentBeaconBlockRoot: undefined })',
      testName: 'is brought up from the log and started, byte-exact payloads and all',
    },
  ]),
];

const catchingUp = mutantsOf('conductor/control/catch-up.ts', 'conductor/control/catch-up.test.ts', [
  {
    id: 'rule 20',
    law: 'At most 64 payloads are in flight to a node.',
    find: 'const payloadsInFlightMax = 64;',
    replace: 'const payloadsInFlightMax = 640;',
    testName: 'posts ascending from the node’s head + 1, at most 64 payloads beyond its head',
  },
  {
    id: 'rule 20',
    law: 'At most 64 MiB of payloads are in flight to a node, over all posts.',
    find: 'for (let number = head + 1n; number < from; number += 1n) bytes += host.chain.at(number)?.sizeBytes ?? 0;',
    replace: '',
    testName: 'at most 64 MiB beyond its head, or one payload',
  },
  {
    id: 'rule 20',
    law: 'Without progress payloads are posted again, with that of the node’s own head.',
    find: 'const first: bigint = isStalled ? head.number :',
    replace: 'const first: bigint = isStalled ? head.number + 1n :',
    testName: 'without progress what was posted is posted again, and the payload at the node’s own head with it',
  },
  {
    id: 'rule 20',
    law: 'A node that makes no progress is given up after a deadline.',
    find: 'if (host.nowMs() - progressAtMs >= progressDeadlineMs)',
    replace: 'if (host.nowMs() - progressAtMs >= 3 * progressDeadlineMs)',
    testName: 'is given up five seconds after the last progress, and not before',
  },
  {
    id: 'rule 20',
    law: 'A gap in the index is waited out: gossip may close it.',
    find: "if (next === null) return { kind: 'behind', isCovered: false };",
    replace: "if (next === null) return { kind: 'noHead' };",
    testName: 'a gap that the log does not cover is waited out: gossip may close it',
  },
  {
    id: 'rule 20',
    law: 'A node on another branch is recognised by hash and parent at every height.',
    find: "if (next.parentHash !== head.hash) return { kind: 'otherBranch', ours: next, theirs: head };",
    replace: '',
    testName: 'a node on another branch is recognised at its head, below it, and one above it',
  },
]);

const deciding: readonly Mutant[] = [
  ...mutantsOf('conductor/control/decide.ts', 'conductor/control/decide.test.ts', [
    {
      id: 'rule 19',
      law: 'A stale head alone never bars a start.',
      find: 'const mayStart = context.nodeAnswers && !context.hasStartFailed;',
      replace: 'const mayStart = false;',
      testName: 'elected while unhealthy: starts unless somebody is known healthier (rules 18 and 19)',
    },
    {
      id: 'waits-for-ever',
      law: 'Recovery after a start is waited for within its grace only.',
      find: "if (context.isInGrace && context.nodeAnswers) return { action: 'wait' };",
      replace: "if (context.nodeAnswers) return { action: 'wait' };",
      testName: 'waiting for recovery is bounded by the grace after a start, and not granted to a node that is gone',
    },
    {
      id: 'rule 18',
      law: 'With nobody to hand over to, a leader keeps sequencing and tells an operator.',
      find: "if (context.choice.kind === 'none') {\n    return {\n      action: 'keep',",
      replace:
        "if (context.choice.kind === 'none') {\n    return { action: 'stop' };\n    return {\n      action: 'keep',",
      testName: 'a leader that became unhealthy stops and hands over, or keeps on with an alarm when there is nobody',
    },
  ]),
  ...mutantsOf('conductor/control/loop.ts', 'conductor/control/interleavings.test.ts', [
    {
      id: 'waits-for-ever',
      law: 'The grace ends by itself, also when no further verdict comes.',
      find: 'const mustLook = this.#isLeader && !this.#verdict.isHealthy && this.#startedAtMs !== null;',
      replace: 'const mustLook = false;',
      testName: 'waits-for-ever: the grace after a start ends by itself, also when no further verdict comes',
    },
    {
      id: 'pause',
      law: 'A pause during a stop holds back the hand-over that was to follow.',
      find: 'if (isWanted && !this.#isPaused && !this.#isStopped) this.#beginTransfer(choice);',
      replace: 'if (isWanted) this.#beginTransfer(choice);',
      testName: 'it is paused: leadership is not handed over until it goes on',
    },
    {
      id: 'pause',
      law: 'A pause during a start takes note of its answer, and nothing follows.',
      find: 'if (this.#isPaused || this.#isStopped) this.#cancelUnlessOrdering();',
      replace: '',
      testName: 'it is paused: the answer is taken note of, nothing more is asked',
    },
    {
      id: 'pause',
      law: 'A resume does not believe what the node said before the latest order.',
      find: 'if (this.#work === null && orders === this.#orders) this.#active = active;',
      replace: 'if (this.#work === null) this.#active = active;',
      testName: 'a resume that asked before the latest order does not believe the answer',
    },
    {
      id: 'leadership',
      law: 'A start that the node has been told of is heard to its end, also when leadership is lost meanwhile, and then stopped.',
      find: 'if (this.#work === null || this.#work.run.isOrdering) return;',
      replace: 'if (this.#work === null) return;',
      testName: 'leadership is lost: the start is waited for, and then stopped',
    },
    {
      id: 'leadership',
      law: 'A sequencer that runs since another term is brought to the tip before it builds on.',
      find: "this.#doubt = isLeader ? 'otherTerm' : 'none';",
      replace: "this.#doubt = 'none';",
      testName: 'leadership is lost and regained: the sequencer that runs since the earlier term is brought to the tip',
    },
    {
      id: 'health verdict',
      law: 'A verdict that turns good during a stop ends the hand-over that was to follow.',
      find: 'const isWanted = this.#isLeader && this.#term === term && !this.#verdict.isHealthy;',
      replace: 'const isWanted = this.#isLeader && this.#term === term;',
      testName: 'the verdict turns good: no hand-over, and sequencing goes on',
    },
    {
      id: 'rule 3',
      law: 'An attempt that was cut short does not count as the one for its head.',
      find: "this.#caughtUpFor = ''; // It does not count as tried.",
      replace: '',
      testName: 'rule 3: an attempt cut short does not count as tried',
    },
  ]),
  ...mutantsOf('conductor/control/loop.ts', 'conductor/control/loop.test.ts', [
    {
      id: 'pause',
      law: 'What happened while paused is acted on at resume.',
      find: 'this.#isPaused = false;\n    if (this.#work === null &&',
      replace: 'if (this.#work === null &&',
      testName: 'paused: actions are skipped, what happened meanwhile is acted on at resume',
    },
    {
      id: 'leadership',
      law: 'A change of leadership is acted on at once.',
      find: 'if (!isLeader) this.#startedAtMs = null;\n    this.#nudge();',
      replace: 'if (!isLeader) this.#startedAtMs = null;',
      testName: 'a new leader at the committed head confirms leadership and starts there',
    },
    {
      id: 'health verdict',
      law: 'A verdict is state: it is acted on at once, and again until it changes.',
      find: 'this.#verdict = verdict;\n    this.#nudge();',
      replace: 'this.#nudge();',
      testName: 'a leader that became unhealthy stops its sequencer, then transfers',
    },
    {
      id: 'health verdict',
      law: 'An answer about the sequencer from before the latest order is not believed.',
      find: 'if (orders !== this.#orders || this.#work !== null || this.#active === active) return;',
      replace: 'if (this.#work !== null || this.#active === active) return;',
      testName: 'an answer from before the latest order is not believed',
    },
    {
      id: 'stop retried',
      law: 'A stop is retried until it is confirmed.',
      find: "if (outcome.kind === 'retry') return this.#retryLater();\n    this.#active = false;",
      replace: 'this.#active = false;',
      testName: 'two-active: a stop that failed is tried again until it is confirmed',
    },
    {
      id: 'two-active',
      law: 'A sequencer whose stop failed counts as running until a stop is confirmed.',
      find: "if (outcome.kind === 'retry') return this.#retryLater();\n    this.#active = false;",
      replace: "this.#active = false;\n    if (outcome.kind === 'retry') return this.#retryLater();",
      testName: 'two-active: a stop that failed is tried again until it is confirmed',
    },
  ]),
  ...mutantsOf('conductor/control/stop.ts', 'conductor/control/loop.test.ts', [
    {
      id: 'stop retried',
      law: '“sequencer not running” confirms a stop.',
      find: "if (answer.message.includes('sequencer not running')) return { kind: 'stopped', wasRunning: false };",
      replace: '',
      testName: '"sequencer not running" is success',
    },
  ]),
  ...mutantsOf('conductor/control/loop.ts', 'conductor/control/old-verdicts.test.ts', [
    {
      id: 'stale-health',
      law: 'A verdict of an earlier leadership does not end the next one: lag counts from the start.',
      find: 'this.#verdict.mayRecover !== false && this.#startedAtMs !== null && nowMs - this.#startedAtMs < graceMs,',
      replace: 'this.#verdict.mayRecover !== false && this.#startedAtMs === 0 && nowMs < graceMs,',
      testName: 'while its head is still old it goes on sequencing, for one unsafe interval',
    },
  ]),
  ...mutantsOf('conductor/control/decide.ts', 'conductor/control/old-verdicts.test.ts', [
    {
      id: 'stall-bounce',
      law: 'A new leader with an old head starts; it does not hand back to the one that just stalled.',
      find: 'if (mayStart) return',
      replace: "if (mayStart && choice.kind === 'none') return",
      testName: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
    },
  ]),
];

const handing: readonly Mutant[] = [
  ...mutantsOf('conductor/control/target.ts', 'conductor/control/target.test.ts', [
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
      find: 'present.filter((peer) => !isUnfit(peer) && mayTake(peer))',
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
      find: 'exclude: peers.filter(isUnfit).map((peer) => peer.id) };',
      replace: 'exclude: [] };',
      testName: 'is never one known to be unhealthy or paused; one that is silent may be left',
    },
  ]),
  ...mutantsOf('conductor/node-health.ts', 'conductor/fitness.test.ts', [
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
  ...mutantsOf('conductor/rpc/service.ts', 'conductor/rpc/service.test.ts', [
    {
      id: 'rule 18',
      law: 'conductor_transferLeader without a name passes over peers known to be unhealthy or paused.',
      find: "{ kind: 'transfer', ...host.heir() }",
      replace: "{ kind: 'transfer', target: null }",
      testName: 'passes over peers known to be unhealthy or paused',
    },
  ]),
];

const ending: readonly Mutant[] = [
  ...mutantsOf('conductor/control/drain.ts', 'conductor/control/drain.test.ts', [
    {
      id: 'no-hand-over',
      law: 'SIGTERM of a leader hands leadership over before it stops.',
      find: 'if (host.isLeader()) {',
      replace: 'if (!host.isLeader()) {',
      testName: 'a leader hands over, then stops its sequencer within a second',
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
  ...mutantsOf('conductor/ending.ts', 'conductor/ending.test.ts', [
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
      find: "const isOurs = !control.isPaused || status().role === 'leader';",
      replace: 'const isOurs = !control.isPaused;',
      testName: 'to a paused leader: its sequencer is stopped too',
    },
    {
      id: 'stop-hangs',
      law: 'conductor_stop is answered when the end is reached, and the process exits 0.',
      find: 'for (const answerId of this.#stopAnswers.splice(0)) outbox.answer(answerId, nothing);',
      replace: '',
      testName: 'twice: every conductor_stop is answered, and it ends once',
    },
  ]),
  ...mutantsOf('conductor/conductor.ts', 'conductor/ending.test.ts', [
    {
      id: 'rule 24',
      law: 'A bootstrap asked for twice is one, and its leader is paused.',
      find: 'if (this.#bootstrapId !== null) return; // Asked for already.',
      replace: '',
      testName: 'asked for twice at once still pauses the new leader',
    },
    {
      id: 'restart-paused',
      law: 'With the paused flag a conductor starts paused, also after an earlier resume.',
      find: '        isPaused,\n        isActive,',
      replace: '        isPaused: false,\n        isActive,',
      testName: 'restart-paused: with the paused flag a conductor starts paused, also after an earlier resume',
    },
  ]),
];

export const controlMutants: readonly Mutant[] = [
  ...starting,
  ...edges,
  ...catchingUp,
  ...deciding,
  ...handing,
  ...ending,
];
