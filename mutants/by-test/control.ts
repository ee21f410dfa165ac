/** Mutants of what the control loop decides, and that nothing is lost between its actions. */
import { mutantsOf, type Mutant } from './mutant.ts';

const watchdog: readonly Mutant[] = [
  ...mutantsOf('conductor/core/control/watchdog.ts', 'conductor/core/control/watchdog.test.ts', [
    {
      id: 'rule 31',
      law: 'A leader that commits nothing asks its node and client two block times and 250 ms after the last block.',
      find: 'this.#askAtMs = fromMs + quietBlocks * this.#blockTimeMs + quietMarginMs;',
      replace: 'this.#askAtMs = Infinity;',
      testName: 'asks its node and its client two block times and 250 ms after the last block, 300 ms each',
    },
    {
      id: 'rule 31',
      law: 'No answer is unhealthy now.',
      find: 'if (silent !== null) return this.#host.silent(silent);',
      replace: 'if (silent !== null) return;',
      testName: 'is unhealthy at once where %s',
    },
    {
      id: 'rule 31',
      law: 'The time in which payloads are in validation or pending does not count.',
      find: '} else if (isBusy) {',
      replace: '} else if (false) {',
      testName: 'the time in which a payload is in validation or pending',
    },
    {
      id: 'rule 31',
      law: 'A refused offer shows a sequencer at work.',
      find: 'offered(): void {\n    this.#begunAnew();',
      replace: 'offered(): void {',
      testName: 'an offer that was refused: what becomes of it is rule 3',
    },
    {
      id: 'rule 31',
      law: 'A head ahead of the clock does not stand.',
      find: 'if (aheadMs > 0) return this.#wait(nowMs + aheadMs);',
      replace: '',
      testName: 'a head ahead of the clock, by as much as it is',
    },
    {
      id: 'rule 31',
      law: 'A node that is not at the committed head, as after a reset, does not merely stand.',
      find: "if (readSyncHead(status.value, 'unsafe_l2')?.hash !== this.#tipHash) return this.#host.stands(null);",
      replace: '',
      testName: 'a node that is not at the committed head, as after a reset',
    },
    {
      id: 'rule 31',
      law: 'A head that stood under two leaders stands for a common cause: nobody is moved again.',
      find: 'if (!reign.hasCommitted && stoodMs >= stoodBlocks * this.#blockTimeMs) return true;',
      replace: '',
      testName: 'a leader under which the head stands as it did under the one before keeps leadership',
    },
    {
      id: 'rule 31',
      law: 'An L1 that stands is handed to nobody.',
      find: 'return isL1Old && !this.#isBeyond(this.#host.peersL1Number(), l1Number);',
      replace: 'return false;',
      testName: 'an L1 that has stood for a minute is handed to nobody, unless a peer knows more of it',
    },
    {
      id: 'rule 31',
      law: 'A common cause ends where L1 goes on: what is left is the age of the head.',
      find: 'return l1Number > reign.l1Number || this.#isBeyond(this.#host.peersL1Number(), l1Number);',
      replace: 'return false;',
      testName: 'it is held while L1 stands, and left to the age of the head when L1 has gone on',
    },
  ]),
  ...mutantsOf('conductor/core/control/target.ts', 'conductor/core/control/target.test.ts', [
    {
      id: 'rule 31',
      law: 'Where the head stands leadership goes first to a peer that has what ours lacks.',
      find: "return choice.kind === 'healthy' ? choice : chooseTarget(peers, options, nowMs);",
      replace: 'return chooseTarget(peers, options, nowMs);',
      testName: 'a healthy peer with a newer L1 block or a higher safe head comes before one with a higher head',
    },
  ]),
  ...mutantsOf('conductor/core/control/decide.ts', 'conductor/core/control/decide.test.ts', [
    {
      id: 'rule 31',
      law: 'An old head alone moves nobody where the cause is common.',
      find: "if (context.isCauseCommon) return { action: 'wait' };",
      replace: '',
      testName: 'an old head alone moves nobody where another leader would share its cause (rule 31)',
    },
  ]),
  ...mutantsOf('conductor/core/health/monitor.ts', 'conductor/core/health/monitor.test.ts', [
    {
      id: 'rule 31',
      law: 'A client that refuses connections is a verdict at once.',
      find: 'if (down !== null && syncStatus != null) return this.#endWith(down, syncStatus);',
      replace: '',
      testName: 'a refusal is a verdict at once, whoever else has not answered',
    },
    {
      id: 'rule 31',
      law: 'Where the next block is overdue, silence for an interval is a verdict.',
      find: 'return this.#head.whenOverdue(Math.min(...untilMs));',
      replace: 'return Infinity;',
      testName:
        'where the next block is overdue, silence for an interval is a verdict, and no open request is waited for',
    },
  ]),
  ...mutantsOf('conductor/core/health/checks.ts', 'conductor/core/health/checks.test.ts', [
    {
      id: 'rule 31',
      law: 'A node whose execution client does not answer is unhealthy.',
      find: 'if (silent !== null) return silent;',
      replace: '',
      testName: 'unhealthy: %s',
    },
  ]),
];

export const controlMutants: readonly Mutant[] = [
  ...watchdog,
  ...mutantsOf('conductor/core/control/decide.ts', 'conductor/core/control/decide.test.ts', [
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
  ...mutantsOf('conductor/core/control/control-state.ts', 'conductor/core/control/interleavings.test.ts', [
    {
      id: 'waits-for-ever',
      law: 'The grace ends by itself, also when no further verdict comes.',
      find: 'const mustLook = this.isLeader && !this.verdict.isHealthy && this.startedAtMs !== null;',
      replace: 'const mustLook = false;',
      testName: 'waits-for-ever: the grace after a start ends by itself, also when no further verdict comes',
    },
  ]),
  ...mutantsOf('conductor/core/control/control-work.ts', 'conductor/core/control/interleavings.test.ts', [
    {
      id: 'pause',
      law: 'A pause during a stop holds back the hand-over that was to follow.',
      find: 'if (isWanted && state.mayReconcile) this.beginTransfer(choice);',
      replace: 'if (isWanted) this.beginTransfer(choice);',
      testName: 'it is paused: leadership is not handed over until it goes on',
    },
    {
      id: 'leadership',
      law: 'A start that the node has been told of is heard to its end, also when leadership is lost meanwhile, and then stopped.',
      find: 'if (this.#running === null || this.#running.run.isOrdering) return;',
      replace: 'if (this.#running === null) return;',
      testName: 'leadership is lost: the start is waited for, and then stopped',
    },
    {
      id: 'health verdict',
      law: 'A verdict that turns good during a stop ends the hand-over that was to follow.',
      find: 'const isWanted = state.leadsIn(term) && !state.isEligible;',
      replace: 'const isWanted = state.leadsIn(term);',
      testName: 'the verdict turns good: no hand-over, and sequencing goes on',
    },
  ]),
  ...mutantsOf('conductor/core/control/loop.ts', 'conductor/core/control/interleavings.test.ts', [
    {
      id: 'pause',
      law: 'A pause during a start takes note of its answer, and nothing follows.',
      find: 'if (!state.mayReconcile) work.cancelUnlessOrdering();',
      replace: '',
      testName: 'it is paused: the answer is taken note of, nothing more is asked',
    },
    {
      id: 'pause',
      law: 'A resume does not believe what the node said before the latest order.',
      find: 'if (this.#work.kind === null && commandEpoch === this.#state.commandEpoch) this.#state.active = active;',
      replace: 'if (this.#work.kind === null) this.#state.active = active;',
      testName: 'a resume that asked before the latest order does not believe the answer',
    },
  ]),
  ...mutantsOf('conductor/core/control/resync.ts', 'conductor/core/control/interleavings.test.ts', [
    {
      id: 'leadership',
      law: 'A sequencer that runs since another term is brought to the tip before it builds on.',
      find: "this.#reason = isLeader ? 'otherTerm' : 'none';",
      replace: "this.#reason = 'none';",
      testName: 'leadership is lost and regained: the sequencer that runs since the earlier term is brought to the tip',
    },
    {
      id: 'rule 3',
      law: 'An attempt that was cut short does not count as the one for its head.',
      find: "cutShort(): void {\n    this.#broughtTo = '';",
      replace: 'cutShort(): void {',
      testName: 'rule 3: an attempt cut short does not count as tried',
    },
  ]),
  ...mutantsOf('conductor/core/control/loop.ts', 'conductor/core/control/loop.test.ts', [
    {
      id: 'pause',
      law: 'What happened while paused is acted on at resume.',
      find: 'this.#state.isPaused = false;\n    if (this.#work.kind === null &&',
      replace: 'if (this.#work.kind === null &&',
      testName: 'paused: actions are skipped, what happened meanwhile is acted on at resume',
    },
    {
      id: 'leadership',
      law: 'A change of leadership is acted on at once.',
      find: 'if (isLeader) this.#recoverMode.forget();\n    this.#reconcileSoon();',
      replace: 'if (isLeader) this.#recoverMode.forget();',
      testName: 'a new leader at the committed head confirms leadership and starts there',
    },
    {
      id: 'health verdict',
      law: 'A verdict is state: it is acted on at once, and again until it changes.',
      find: 'this.#state.verdict = verdict;\n    this.#reconcileSoon();',
      replace: 'this.#reconcileSoon();',
      testName: 'a leader that became unhealthy stops its sequencer, then transfers',
    },
    {
      id: 'health verdict',
      law: 'An answer about the sequencer from before the latest order is not believed.',
      find: 'if (commandEpoch !== state.commandEpoch || this.#work.kind !== null || state.active === active) return;',
      replace: 'if (this.#work.kind !== null || state.active === active) return;',
      testName: 'an answer from before the latest order is not believed',
    },
  ]),
  ...mutantsOf('conductor/core/control/control-work.ts', 'conductor/core/control/loop.test.ts', [
    {
      id: 'stop retried',
      law: 'A stop is retried until it is confirmed.',
      find: "if (outcome.kind === 'retry') return this.#retryLater();\n    this.#state.sequencerStopped();",
      replace: 'this.#state.sequencerStopped();',
      testName: 'two-active: a stop that failed is tried again until it is confirmed',
    },
    {
      id: 'two-active',
      law: 'A sequencer whose stop failed counts as running until a stop is confirmed.',
      find: "if (outcome.kind === 'retry') return this.#retryLater();\n    this.#state.sequencerStopped();",
      replace: "this.#state.sequencerStopped();\n    if (outcome.kind === 'retry') return this.#retryLater();",
      testName: 'two-active: a stop that failed is tried again until it is confirmed',
    },
  ]),
  ...mutantsOf('conductor/core/control/stop.ts', 'conductor/core/control/loop.test.ts', [
    {
      id: 'stop retried',
      law: '“sequencer not running” confirms a stop.',
      find: "if (answer.message.includes('sequencer not running')) return { kind: 'stopped', wasRunning: false };",
      replace: '',
      testName: '"sequencer not running" is success',
    },
  ]),
  ...mutantsOf('conductor/core/control/control-state.ts', 'conductor/core/control/old-verdicts.test.ts', [
    {
      id: 'stale-health',
      law: 'A verdict of an earlier leadership does not end the next one: lag counts from the start.',
      find: 'mayRecover && this.startedAtMs !== null && nowMs - this.startedAtMs < graceMs,',
      replace: 'mayRecover && this.startedAtMs === 0 && nowMs < graceMs,',
      testName: 'while its head is still old it goes on sequencing, for one unsafe interval',
    },
  ]),
  ...mutantsOf('conductor/core/control/decide.ts', 'conductor/core/control/old-verdicts.test.ts', [
    {
      id: 'stall-bounce',
      law: 'A new leader with an old head starts; it does not hand back to the one that just stalled.',
      find: 'if (mayStart) return',
      replace: "if (mayStart && choice.kind === 'none') return",
      testName: 'a new leader with an old head starts; it does not hand back to the one that just stalled',
    },
  ]),
];
