/** Mutants of what the control loop decides, and that nothing is lost between its actions. */
import { mutantsOf, type Mutant } from './mutant.ts';

export const controlMutants: readonly Mutant[] = [
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
      find: 'const isWanted = state.leadsIn(term) && !state.verdict.isHealthy;',
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
      find: 'this.verdict.mayRecover !== false && this.startedAtMs !== null && nowMs - this.startedAtMs < graceMs,',
      replace: 'this.verdict.mayRecover !== false && this.startedAtMs === 0 && nowMs < graceMs,',
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
