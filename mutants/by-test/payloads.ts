/** Mutants of the payload chain, of admission and of commits (rules 1 to 7). */
import { mutantsOf, type Mutant } from './mutant.ts';

const chain: readonly Mutant[] = [
  ...mutantsOf('conductor/core/payload/chain-index.ts', 'conductor/core/payload/unsafe-chain.test.ts', [
    {
      id: 'rule 1',
      law: 'The head is the highest number so far, the first one at that height.',
      find: 'const isHead = record.isRollback || height === null || record.number > height;',
      replace: 'const isHead = record.isRollback || height === null || record.number >= height;',
      testName: 'lower and equal numbers are applied without effect on the head',
    },
    {
      id: 'rule 1',
      law: 'The tip is the last payload committed at the head’s height.',
      find: 'const isTip = isHead || record.number === height;',
      replace: 'const isTip = isHead;',
      testName: 'the tip is the last payload at the head’s height, and the chain is the tip’s',
    },
  ]),
  ...mutantsOf('conductor/core/payload/admission.ts', 'conductor/core/payload/unsafe-chain.test.ts', [
    {
      id: 'rule 1',
      law: 'With no payload held anything is admitted.',
      find: "if (tip === null) return { kind: 'append' };",
      replace:
        "if (tip === null) return { kind: 'refused', reason: 'below-chain', held: { number: 0n, hash: '', committed: true } };",
      testName: 'the first payload of all is admitted whatever it is',
    },
    {
      id: 'rule 1',
      law: 'The next height is admitted only on the tip.',
      find: "if (sameBytes(block.parentHash, tip.hash)) return { kind: 'append' };",
      replace: "return { kind: 'append' };",
      testName: 'the next height on another parent is refused with the tip',
    },
    {
      id: 'rule 2',
      law: 'The same hash is never appended twice.',
      find: 'if (sameBytes(record.hash, block.hash))',
      replace: 'if (!sameBytes(record.hash, record.hash))',
      testName: 'the same hash is never appended twice; it is pending until its entry commits',
    },
    {
      id: 'rule 2',
      law: 'A refusal says whether the block held is pending or committed.',
      find: 'hash: prefixedHex(record.hash), committed: record.index <= committedIndex };',
      replace: 'hash: prefixedHex(record.hash), committed: true };',
      testName: 'another hash at a held height is refused with what is held, pending or committed',
    },
    {
      id: 'rule 4',
      law: 'A payload that skips heights is a gap, not the next block.',
      find: 'if (block.number > tip.number + 1n) {',
      replace: 'if (block.number > tip.number + 1_000_000n) {',
      testName: 'is a gap of so many ancestors, up to the tip',
    },
  ]),
  ...mutantsOf('conductor/core/payload/chain-index.ts', 'conductor/core/payload/chain-history.test.ts', [
    {
      id: 'rule 2',
      law: 'A hash that a later rollback has put off the chain does not count as held.',
      find: 'const parent = this.#parent(record);\n    const previous =',
      replace: 'const parent = record.isRollback ? state.tip : this.#parent(record);\n    const previous =',
      testName: 'sets the head; what was above its parent leaves the chain, and may come back under other hashes',
    },
    {
      id: 'rule 6',
      law: 'A rollback entry sets the head to its payload, however low.',
      find: 'const isHead = record.isRollback || height === null || record.number > height;',
      replace: 'const isHead = height === null || record.number > height;',
      testName: 'sets the head; what was above its parent leaves the chain, and may come back under other hashes',
    },
  ]),
  ...mutantsOf('conductor/core/payload/unsafe-chain.ts', 'conductor/core/payload/chain-history.test.ts', [
    {
      id: 'nil-snapshot',
      law: 'A state machine without a payload has no snapshot.',
      find: 'if (head === NONE) return null;',
      replace: 'if (head === NONE) return new Uint8Array();',
      testName: 'an empty state machine takes none, and restores nothing that is not a payload',
    },
    {
      id: 'rule 7',
      law: 'A snapshot older than what is applied is not restored.',
      find: 'if (index < this.#committedIndex)',
      replace: 'if (index < 0)',
      testName: 'one below what is applied is refused',
    },
    {
      id: 'rule 7',
      law: 'A head or tip whose entry is compacted keeps its bytes.',
      find: 'if (ssz !== null) this.#kept.set(sequence, ssz);',
      replace: '',
      testName: 'a tip beside the head keeps its bytes too, if they can be read while its entry goes',
    },
  ]),
];

const entries: readonly Mutant[] = [
  ...mutantsOf('conductor/core/payload/admission.ts', 'conductor/core/rpc/commit.test.ts', [
    {
      id: 'rule 1',
      law: 'Admission looks at the log with its uncommitted tail.',
      find: 'const tipSequence = chain.last.tip;',
      replace: 'const tipSequence = chain.stateAfter(chain.records.after(committedIndex) - 1).tip;',
      testName: 'payloads follow each other in the log before any of them is committed',
    },
  ]),
  ...mutantsOf('conductor/core/payload/rollback-entry.ts', 'conductor/core/payload/chain-history.test.ts', [
    {
      id: 'rule 6',
      law: 'A rollback entry has ff×4 where Go expects the offset of the extra data, so that Go refuses it harmlessly.',
      find: 'const OFFSET_AT = 468;',
      replace: 'const OFFSET_AT = 464;',
      testName: 'op-conductor’s decoders refuse the entry for its offset, whatever follows',
    },
    {
      id: 'rule 6',
      law: 'A rollback entry is recognised by magic and mark together.',
      find: 'if (view.getUint32(OFFSET_AT) !== OFFSET_MARK) return null;',
      replace: '',
      testName: 'it is recognised by magic and mark together, not with byte %i changed',
    },
  ]),
];

const commits = mutantsOf('conductor/core/rpc/commit.ts', 'conductor/core/rpc/commit.test.ts', [
  {
    id: 'rule 1',
    law: 'A commit that comes before this term’s first entry is applied waits for it.',
    find: 'if (!mayAdmit(status)) return;',
    replace: '',
    testName: 'what comes before this term’s first entry is applied waits for it',
  },
  {
    id: 'rule 2',
    law: 'The same hash waits for its pending entry and is never answered early.',
    find: 'if (admission.committed) return this.#succeed(waiting);',
    replace: 'if (admission) return this.#succeed(waiting);',
    testName: 'the same hash waits for its pending entry: appended once, both answered when it commits, not before',
  },
  {
    id: 'rule 3',
    law: 'Where another block is committed at its height, the node is brought to that at once.',
    find: 'if (held.committed) this.#host.nodeIsOff();',
    replace: 'if (held.committed) return;',
    testName: 'and where one is committed: refused with that, and the node is brought to it at once',
  },
  {
    id: 'rule 3',
    law: 'Where the block that stands in the way is pending, the node is brought to it as soon as it commits.',
    find: 'else this.#offAtHeight = held.number;',
    replace: '',
    testName: 'is refused with the pending block; when that commits the node is brought to it (rule 3)',
  },
  {
    id: 'same-height',
    law: 'A block whose commit timed out stays the only one of its height: another is refused, and the node is brought to it when it commits.',
    find: 'if (this.#offAtHeight !== null) this.#tellNodeWhenCommitted(this.#offAtHeight);\n    if (this.#waiting.count === 0) return;',
    replace:
      'if (this.#waiting.count === 0) return;\n    if (this.#offAtHeight !== null) this.#tellNodeWhenCommitted(this.#offAtHeight);',
    testName: 'also when that one was answered as unknown long before it commits',
  },
  {
    id: 'rule 5',
    law: 'Time lost while an entry is pending is unknown, not refused.',
    find: "const isInLog = waiting.state === 'proposed' ||",
    replace: 'const isInLog = false &&',
    testName: 'unknown when its deadline passes while pending; answered once',
  },
  {
    id: 'rule 5',
    law: 'The same block in the log from an earlier leader may still commit: unknown.',
    find: "this.#host.chain.admit(waiting.block).kind === 'same';",
    replace: 'false;',
    testName: 'unknown when the log holds the block from an earlier leader, not yet known committed',
  },
  {
    id: 'rule 5',
    law: 'What was never appended is refused, not unknown.',
    find: 'if (isInLog) return this.#finishUnknown(',
    replace: 'if (isInLog || !isInLog) return this.#finishUnknown(',
    testName: 'refused when time runs out before anything was appended',
  },
]);

const inquiries = mutantsOf('conductor/core/rpc/inquiry.ts', 'conductor/core/rpc/commit.test.ts', [
  {
    id: 'rule 1',
    law: 'After a question to the node the tip is looked at again.',
    find: "if (again?.kind !== 'gap' || again.tip.hash !== tip.hash) return this.#asker.found(waiting, { kind: 'stale' });",
    replace: '',
    testName: 'another block at a height of the walk was committed meanwhile: refused',
  },
  {
    id: 'rule 1',
    law: 'After a question to the node leadership and term are looked at again.',
    find: "if (status.role === 'leader' && status.term === waiting.term) conclude(answer);",
    replace: 'if (status) conclude(answer);',
    testName: 'leadership lost during the walk: refused, nothing appended',
  },
  {
    id: 'rule 4',
    law: 'A walk for a payload that has been answered makes room for the next.',
    find: 'if (this.#running?.waiting !== waiting) return;',
    replace: 'if (this.#running) return;',
    testName: 'a walk whose payload has been answered makes room for the next',
  },
  {
    id: 'rule 4',
    law: 'Beyond 4096 heights a gap is accepted only on an operator’s word.',
    find: 'if (steps > BigInt(WALK_STEPS_MAX) && trustedHash === null) {',
    replace: 'if (steps > 100n * BigInt(WALK_STEPS_MAX) && trustedHash === null) {',
    testName: 'is refused with a sentence that names the flag, and the node is not asked',
  },
  {
    id: 'rule 4',
    law: 'The block an operator vouches for closes the gap.',
    find: 'walkToTip(headerOf(waiting.block), tip, this.#host.trustedHash)',
    replace: 'walkToTip(headerOf(waiting.block), tip, null)',
    testName: 'is accepted on the word of an operator for a block on its way, and for no other',
  },
]);

const waiting = mutantsOf('conductor/core/rpc/waiting-payloads.ts', 'conductor/core/rpc/commit.test.ts', [
  {
    id: 'further 1',
    law: 'What waits for the log is bounded.',
    find: 'return this.#byAnswer.size >= commitsWaitingMax ?',
    replace: 'return this.#byAnswer.size > 2 * commitsWaitingMax ?',
    testName: 'no more than 1024 wait at once',
  },
]);

const reading = mutantsOf('conductor/core/rpc/read-payload.ts', 'conductor/core/conductor.test.ts', [
  {
    id: 'further 1',
    law: 'A payload that no state machine reads is refused instead of answered as committed.',
    find: 'if (!(readable instanceof SszError)) return null;',
    replace: 'if (ssz.length > 0) return null;',
    testName: 'a payload that no state machine reads (version 1 or 2) is refused',
  },
]);

const outcomes: readonly Mutant[] = [
  ...mutantsOf('conductor/core/rpc/outcomes.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'same-height',
      law: 'Over RPC a refusal names the block that stands in the way.',
      find: "[held.committed ? 'committed' : 'pending']:",
      replace: "['held']:",
      testName: 'same-height: another hash at a held height is refused with the block that is held',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/outcomes.ts', 'conductor/core/rpc/commit.test.ts', [
    {
      id: 'rule 5',
      law: 'Over RPC the outcome says refused or unknown.',
      find: "outcomeData('unknown', reason)",
      replace: "outcomeData('refused', reason)",
      testName: 'unknown, in the words of the log, when leadership is lost while the entry is pending',
    },
    {
      id: 'rule 2',
      law: 'Over RPC a pending block is not called committed.',
      find: "[held.committed ? 'committed' : 'pending']:",
      replace: "['committed']:",
      testName: 'is refused with the pending block; when that commits the node is brought to it (rule 3)',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/commit.ts', 'conductor/core/conductor.test.ts', [
    {
      id: 'further 1',
      law: 'A payload whose hash is not that of its fields is refused.',
      find: 'verification: this.#host.isHashVerified ? verifyHash(envelope) : null,',
      replace: 'verification: null,',
      testName: 'a payload whose hash is not that of its fields is refused',
    },
    {
      id: 'armed-timer',
      law: 'A conductor that is ending admits nothing any more.',
      find: "if (this.#isClosed) return this.#refuse(answerId, 'shutting-down', 'this conductor is shutting down');",
      replace: '',
      testName: 'while ending nothing is admitted',
    },
  ]),
];

export const payloadMutants: readonly Mutant[] = [
  ...chain,
  ...entries,
  ...commits,
  ...inquiries,
  ...waiting,
  ...reading,
  ...outcomes,
];
