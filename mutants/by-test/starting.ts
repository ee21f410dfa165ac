/** Mutants of starting a sequencer, catching up and moving the chain back (rules 3, 4, 6, 19 and 20). */
import { mutantsOf, type Mutant } from './mutant.ts';

const starting: readonly Mutant[] = [
  ...mutantsOf('conductor/core/control/start.ts', 'conductor/core/control/loop.test.ts', [
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
  ...mutantsOf('conductor/core/control/start-failures.ts', 'conductor/core/control/loop.test.ts', [
    {
      id: 'unprovisioned',
      law: 'A node that cannot be started hands leadership on after one unsafe interval.',
      find: 'nowMs - this.#sinceMs >= this.#patienceMs',
      replace: 'nowMs - this.#sinceMs >= 1e9',
      testName: 'unprovisioned: a node that cannot be started hands leadership on after one unsafe interval',
    },
  ]),
  ...mutantsOf('conductor/core/control/rollback.ts', 'conductor/core/control/rollback.test.ts', [
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
      law: 'The committed chain moves back on proof alone: what one node offers, however long, is none.',
      find: "if (proof.kind === 'proved') {",
      replace: "if (proof.kind === 'proved' || host.wasBroughtTo(tip.hash)) {",
      testName: 'one node that offers another block proves nothing, however long it does',
    },
    {
      id: 'rule 6',
      law: 'With --consensus.rollback=refuse a chain that has to move back is left to the operator.',
      find: "if (host.policy === 'refuse')\n      return { kind: 'refused'",
      replace: "if (host.policy.length === 0)\n      return { kind: 'refused'",
      testName: '--consensus.rollback=refuse leaves it to the operator',
    },
    {
      id: 'rule 3',
      law: 'Leadership goes to a voter whose node holds the tip only once bringing our own node there was tried.',
      find: "if (!host.wasBroughtTo(tip.hash)) return { kind: 'later' };",
      replace: '',
      testName: 'once bringing our own node there was tried',
    },
    {
      id: 'rule 6',
      law: 'A node is started below or beside the tip only where what stands above is proved to be given up.',
      find: "return host.proofAgainst(parts.at).kind === 'proved';",
      replace: "return host.policy === 'proof';",
      testName: 'of what stands above where it parted',
    },
  ]),
  ...mutantsOf('conductor/core/evidence/proof.ts', 'conductor/core/evidence/proof.test.ts', [
    {
      id: 'rule 6',
      law: 'L1, left and execution need a majority of the voters, and silence is no word.',
      find: 'const heard = voters.filter((voter) => voter.isHeard);\n  const says',
      replace: 'const heard = voters.filter((voter) => voter.isHeard || voter.isNative);\n  const says',
      testName: '%s takes a majority of the voters',
    },
    {
      id: 'rule 6',
      law: 'Given and not taken needs every voter.',
      find: "const needed = by === 'notTaken' ? voters.length : majority;",
      replace: 'const needed = majority;',
      testName: 'notTaken takes every voter, and is about the tip alone',
    },
    {
      id: 'rule 6',
      law: 'A refusal does not count while a voter holds the block or found it valid.',
      find: "    ((kind === 'invalid' || kind === 'notTaken') && (isValidated || heard.some((voter) => isSound(voter, block))));",
      replace: '    false;',
      testName: '%s does not count while a voter holds the block or found it valid',
    },
    {
      id: 'rule 6',
      law: 'Nothing at or below a voter’s safe head moves without L1.',
      find: "    (kind !== 'l1' && heard.some(({ safeNumber }) => safeNumber !== null && safeNumber >= block.number)) ||\n",
      replace: '',
      testName: 'nothing at or below a safe head moves without L1',
    },
    {
      id: 'rule 6',
      law: 'Beside op-conductor only the tip is replaced, on the word of every native voter.',
      find: 'natives.every(({ id }) => speaking.has(id))',
      replace: 'natives.some(({ id }) => speaking.has(id))',
      testName: 'beside op-conductor the tip alone, on the word of all native voters',
    },
  ]),
  ...mutantsOf('conductor/core/evidence/look.ts', 'conductor/core/evidence/observer.test.ts', [
    {
      id: 'rule 6',
      law: 'A request that is not answered begins the life of node and client anew.',
      find: '    memory.interrupted();\n    return nothing;',
      replace: '    return nothing;',
      testName: 'a process that was away begins anew: what it was given before is forgotten',
    },
    {
      id: 'rule 6',
      law: 'A refusal counts once it is confirmed a second later.',
      find: 'isConfirmed: before !== null }',
      replace: 'isConfirmed: true }',
      testName: 'a block that the client lists as refused twice, a second apart, is invalid',
    },
    {
      id: 'rule 6',
      law: 'A client that stands elsewhere than on the parent refuses what it likes.',
      find: 'if (node.hash === client.hash && parts.at.parentHash === client.hash && below.length === 0) {',
      replace: 'if (node.hash === client.hash && below.length === 0) {',
      testName: 'a sick client that stands elsewhere refuses what it likes: nothing is invalid',
    },
    {
      id: 'rule 6',
      law: 'A node has left a block only if its head was seen on it.',
      find: 'if (wasOn !== null && wasOn.number >= at.number && chain.at(wasOn.number)?.hash === wasOn.hash) {',
      replace: 'if (wasOn === null || wasOn.number >= 0n) {',
      testName: 'not where the client lost the block, nor where the head was never there',
    },
    {
      id: 'rule 6',
      law: 'A block is not taken only by a node whose driver loop has worked through what it was given.',
      find: "    if (answer.kind !== 'result') return false;\n",
      replace: '',
      testName: 'that is not said where %s',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/inquiry.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'chain-regression',
      law: 'Where the rollup legitimately moved back, one entry moves the committed chain and the next block follows.',
      find: "if (verdict.kind === 'allowed' && this.#host.chain.pendingCount === 0) return this.#rollBack(waiting, verdict);",
      replace: '',
      testName:
        'a node that was on the committed head and is off it, and has the block still, moves the chain, in one entry',
    },
  ]),
  ...mutantsOf('conductor/core/conductor.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'rule 6',
      law: 'After a rollback the log before it goes behind a snapshot at once.',
      find: 'if (rollbackIndex > 0) raft.compactThrough(rollbackIndex);',
      replace: '',
      testName: 'the log before it is given back behind a snapshot at once, and a restart agrees',
    },
  ]),
  ...mutantsOf('conductor/core/conductor-components.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'rule 3',
      law: 'A refused block brings the committed ones to the node, so that it drops its stale job.',
      find: 'control.nodeIsOff();\n',
      replace: '\n',
      testName:
        'rule 3: one that sequences and offers another block at a taken height is brought to the tip, once per head',
    },
  ]),
  ...mutantsOf('conductor/core/conductor-components.ts', 'conductor/adapters/sqlite/other-summaries.test.ts', [
    {
      id: 'further 1',
      law: 'A store whose summaries are of another version is opened, and its chain is known.',
      find: '(loaded === null ? storedData(store, index) : loaded.dataAt(index))',
      replace: 'loaded!.dataAt(index)',
      testName: 'is opened by a conductor, which knows the chain and goes on with it',
    },
  ]),
  ...mutantsOf('conductor/core/control/walk.ts', 'conductor/core/control/starting.test.ts', [
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
  ...mutantsOf('conductor/core/control/catch-up.ts', 'conductor/core/control/starting.test.ts', [
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
      find: 'const { last, count, withheld } = yield* offer(host, range);',
      replace: 'const { last, count, withheld } = yield* offer(host, { ...range, from: range.head + 1000n });',
      testName: 'two-lost: blocks that were committed and never gossiped come from the log, then it is started',
    },
  ]),
  ...mutantsOf('conductor/core/control/catch-up.ts', 'conductor/core/control/loop.test.ts', [
    {
      id: 'two-behind',
      law: 'A new leader’s node any number of blocks behind the committed head is brought up and started.',
      find: 'const { last, count, withheld } = yield* offer(host, range);',
      replace: 'const { last, count, withheld } = yield* offer(host, { ...range, from: range.head + 1000n });',
      testName: 'two-behind: a node %s blocks behind is brought up from the log and started',
    },
  ]),
  ...mutantsOf('conductor/core/control/start.ts', 'conductor/core/control/starting.test.ts', [
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
  ...mutantsOf('conductor/core/control/control-work.ts', 'conductor/core/control/starting.test.ts', [
    {
      id: 'rule 20',
      law: 'A node on another branch hands leadership on at once.',
      find: 'this.#state.startFailures.failed(isHopelessHere, this.#host.nowMs());',
      replace: 'this.#state.startFailures.failed(false, this.#host.nowMs());',
      testName: 'is an alarm with both hashes, and leadership goes at once',
    },
  ]),
  ...mutantsOf('conductor/core/control/resync.ts', 'conductor/core/control/starting.test.ts', [
    {
      id: 'rule 3',
      law: 'A new leadership tries anew for the same head.',
      find: "this.#broughtTo = '';\n    this.#reason = isLeader",
      replace: 'this.#reason = isLeader',
      testName: 'a new leadership tries anew for the same head',
    },
    {
      id: 'rule 3',
      law: 'In one leadership there is one attempt per lost head.',
      find: 'if (head === null || (isRefusal && head.hash === this.#broughtTo)) return null;',
      replace: 'if (head === null) return null;',
      testName: 'in one leadership there is one attempt per head, however often the node offers another block',
    },
  ]),
  ...mutantsOf('conductor/core/control/control-report.ts', 'conductor/core/control/starting.test.ts', [
    {
      id: 'rule 20',
      law: 'The alarm about a node on another branch names both hashes.',
      find: "this.alarm('other-branch', 'the node is on another branch than the committed chain: not started', {\n          committed: outcome.ours.hash,",
      replace: "this.alarm('other-branch', 'the node is on another branch than the committed chain: not started', {",
      testName: 'is an alarm with both hashes, and leadership goes at once',
    },
  ]),
  ...mutantsOf('conductor/core/cluster-view.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'further 5',
      law: 'A sequencer any number of blocks behind is brought up with byte-exact payloads from the log, also after a restart.',
      find: 'envelopeText(held)',
      replace: 'envelopeText({ ...held, parentBeaconBlockRoot: null })',
      testName: 'is brought up from the log and started, byte-exact payloads and all',
    },
  ]),
];

const offering = mutantsOf('conductor/core/node/offer.ts', 'conductor/core/control/catch-up.test.ts', [
  {
    id: 'rule 20',
    law: 'At most 64 payloads are in flight to a node.',
    find: 'const inFlightMax = 64;',
    replace: 'const inFlightMax = 640;',
    testName: 'posts ascending from the node’s head + 1, at most 64 payloads beyond its head',
  },
  {
    id: 'rule 20',
    law: 'At most 64 MiB of payloads are in flight to a node, over all posts.',
    find: 'for (let number = head + 1n; number < from; number += 1n) bytes += chain.at(number)?.sizeBytes ?? 0;',
    replace: '',
    testName: 'at most 64 MiB beyond its head, or one payload',
  },
]);

const asking = mutantsOf('conductor/core/node/offer.ts', 'conductor/core/node/offer.test.ts', [
  {
    id: 'rule 30',
    law: 'A client that would only sync to a block is not told of it.',
    find: 'if (!isSyncing) return',
    replace: 'return',
    testName: 'a client that would only sync is given nothing that it lacks',
  },
  {
    id: 'rule 30',
    law: 'What the client has is given before anything that it lacks.',
    find: 'if (held > 0) return',
    replace: 'if (held < 0) return',
    testName: 'what it has is given first, and nothing beyond a gap',
  },
]);

const catchingUp = mutantsOf('conductor/core/control/catch-up.ts', 'conductor/core/control/catch-up.test.ts', [
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
    find: 'if (host.nowMs() - progressAtMs >= (host.giveUpAfterMs ?? progressDeadlineMs))',
    replace: 'if (host.nowMs() - progressAtMs >= (host.giveUpAfterMs ?? 3 * progressDeadlineMs))',
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

export const startingMutants: readonly Mutant[] = [...starting, ...edges, ...offering, ...asking, ...catchingUp];
