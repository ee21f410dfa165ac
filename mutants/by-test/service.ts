/** Mutants of health, readiness and RPC (rules 22 to 27). */
import { mutantsOf, type Mutant } from './mutant.ts';

const health: readonly Mutant[] = [
  ...mutantsOf('conductor/core/health/checks.ts', 'conductor/core/health/checks.test.ts', [
    {
      id: 'rule 19',
      law: 'After a start lag counts from the later of head time and start, for one unsafe interval.',
      find: 'const lag = Math.max(0, nowSeconds - (isInGrace ? Math.max(unsafe, startedAtSeconds) : unsafe));',
      replace: 'const lag = Math.max(0, nowSeconds - (isInGrace ? unsafe : unsafe));',
      testName: 'after a start the lag counts from the start, for one unsafe interval (rule 19)',
    },
    {
      id: 'stall-bounce',
      law: 'An old unsafe head as the only trouble is told from every other.',
      find: 'if (stale !== null && other === null) return { ...stale, isOnlyStale: true };',
      replace: 'if (stale !== null) return { ...stale, isOnlyStale: true };',
      testName: 'an old unsafe head as the only trouble is told from other troubles',
    },
  ]),
  ...mutantsOf('conductor/core/readiness.ts', 'conductor/core/readiness.test.ts', [
    {
      id: 'rule 25',
      law: 'Ready means caught up: a recovering server is not.',
      find: "if (status.isRecovering) return 'catching up after starting with an empty store';",
      replace: '',
      testName: 'not ready: %s',
    },
    {
      id: 'rule 25',
      law: 'Ready means that the node is near the committed head.',
      find: 'return lag > readyLagBlocksMax ?',
      replace: 'return lag > 100n * readyLagBlocksMax ?',
      testName: 'ten blocks behind the committed head are allowed, not eleven',
    },
    {
      id: 'rule 25',
      law: 'Readiness never asks the wall clock: an old head is no reason.',
      find: 'if (!verdict.isHealthy && !verdict.nodeAnswers)',
      replace: 'if (!verdict.isHealthy)',
      testName: 'an old head is no reason: wall clock never counts',
    },
  ]),
  ...mutantsOf('conductor/core/flashblocks.ts', 'conductor/core/flashblocks.test.ts', [
    {
      id: 'rule 26',
      law: 'Flashblocks are passed on only as leader.',
      find: "if (status.role !== 'leader' || status.hasFailed) return 'not-leader';",
      replace: '',
      testName: 'as %s: no',
    },
    {
      id: 'rule 26',
      law: 'Flashblocks are passed on only inside the lease.',
      find: "if (nowMs > status.leaseEndsAtMs) return 'lease-over';",
      replace: '',
      testName: 'a moment after the lease, though nothing has been noticed yet: no',
    },
    {
      id: 'rule 26',
      law: 'Flashblocks are passed on only while the sequencer runs.',
      find: "return active === true ? null : 'not-sequencing';",
      replace: 'return null;',
      testName: 'a sequencer whose activity is %s: no',
    },
  ]),
];

const rpc: readonly Mutant[] = [
  ...mutantsOf('conductor/core/rpc/service.ts', 'conductor/core/rpc/service.test.ts', [
    {
      id: 'rule 18',
      law: 'A transfer is refused for what peers are said to be only after they were asked.',
      find: 'else this.#operations.askPeers(hand);',
      replace: 'else hand();',
      testName: 'passes over peers known to be unhealthy or paused',
    },
  ]),
  ...mutantsOf('conductor/core/conductor-components.ts', 'conductor/core/after-a-stall.test.ts', [
    {
      id: 'rule 18',
      law: 'A conductor that starts paused says so from its first word on.',
      find: 'health.tellPeers();\n  const commits',
      replace: 'const commits',
      testName: 'one that starts paused says so in its first answer, before its node was looked at',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/reads.ts', 'conductor/core/after-a-stall.test.ts', [
    {
      id: 'rule 15',
      law: 'After a stall longer than the lease conductor_leader is false until a quorum has answered anew.',
      find: "return role === 'leader' && isSure;",
      replace: "return role === 'leader';",
      testName: 'a leader does not say that it leads, nor passes on an answer, before anybody has answered it anew',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/proxy.ts', 'conductor/core/rpc/proxy.test.ts', [
    {
      id: 'rule 15',
      law: 'After a stall longer than the lease no answer of the backend is passed on.',
      find: "(role === 'leader' && isSure)",
      replace: "role === 'leader'",
      testName: 'a leader that is not sure of its office passes on nothing',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/reads.ts', 'conductor/core/rpc/service.test.ts', [
    {
      id: 'rule 22',
      law: 'conductor_active is neither paused nor stopped, not the sequencer’s activity.',
      find: 'return result(!host.control.isPaused && !host.control.isStopped);',
      replace: 'return result(!host.control.isPaused);',
      testName: 'is neither paused nor stopped, whatever the sequencer does',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/dispatch.ts', 'conductor/core/rpc/dispatch.test.ts', [
    {
      id: 'rule 23',
      law: 'Without --rpc.enable-admin the admin methods are closed, with a sentence that names the flag.',
      find: 'if (isAdmin && !options.isAdminEnabled) {',
      replace: 'if (isAdmin && options.isAdminEnabled === undefined) {',
      testName:
        'rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/proxy.ts', 'conductor/core/rpc/service.test.ts', [
    {
      id: 'rule 23',
      law: 'Proxied methods, miner_setMaxDASize too, are answered by the leader only, checked after the backend’s answer.',
      find: "if (!isLeader()) return failed('refusing to proxy request to non-leader sequencer');",
      replace: '',
      testName: '%s is answered by the leader only, checked after the backend has answered',
    },
  ]),
  ...mutantsOf('conductor/core/leader-override.ts', 'conductor/core/leader-override.test.ts', [
    {
      id: 'rule 27',
      law: 'An override beside another leader is an alarm.',
      find: "this.#host.metrics.count('alarms_total', { kind: 'override' });",
      replace: '',
      testName: 'an override beside another leader is an alarm, at once and for each new leader',
    },
  ]),
  ...mutantsOf('conductor/core/control/loop.ts', 'conductor/core/control/override.test.ts', [
    {
      id: 'rule 27',
      law: 'A sequencer that an operator started under an override is left alone.',
      find: 'if (state.isOverridden) return this.#leaveToOperator();',
      replace: '',
      testName:
        'a sequencer that an operator started without leadership is left alone, through every verdict, and that is said once',
    },
    {
      id: 'rule 27',
      law: 'The end of an override is acted on at once.',
      find: 'this.#state.isOverridden = false;\n    this.#work.cancelUnlessOrdering();\n    this.#answerOverrides();\n    this.#reconcileSoon();',
      replace:
        'this.#state.isOverridden = false;\n    this.#work.cancelUnlessOrdering();\n    this.#answerOverrides();',
      testName: 'a sequencer without leadership is stopped at once',
    },
    {
      id: 'rule 27',
      law: 'What waits for an override has an answer when it ends.',
      find: 'this.#state.isOverridden = false;\n    this.#work.cancelUnlessOrdering();\n    this.#answerOverrides();',
      replace: 'this.#state.isOverridden = false;\n    this.#work.cancelUnlessOrdering();',
      testName: 'is not waited for when %s',
    },
  ]),
  ...mutantsOf('conductor/core/control/control-work.ts', 'conductor/core/control/override.test.ts', [
    {
      id: 'rule 27',
      law: 'Before a sequencer is started by hand its node holds what the log ends in, committed or not.',
      find: 'const chain = this.#host.endOfLog;',
      replace: 'const chain = this.#host.chain;',
      testName: 'is given to the node before the override is answered, with what is not committed (paused: %s)',
    },
    {
      id: 'rule 27',
      law: 'A pause does not keep the node from what the log ends in.',
      find: "if (this.#running.kind === 'endOfLog' && this.isWanted) return;",
      replace: '',
      testName: 'is given to the node before the override is answered, with what is not committed (paused: %s)',
    },
  ]),
  ...mutantsOf('conductor/core/raft/membership.ts', 'conductor/core/rpc/service.test.ts', [
    {
      id: 'membership-race',
      law: 'Over RPC too, of two changes that name the same version the second is refused.',
      find: 'if (command.previousIndex > 0 && command.previousIndex !== current.index) {',
      replace: 'if (command.previousIndex < 0) {',
      testName: 'the second is refused and changes nothing; with the new version it is done',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/service.ts', 'conductor/core/rpc/audit.test.ts', [
    {
      id: 'audit',
      law: 'Every admin call leaves one line, with who, what and outcome.',
      find: 'this.#record(event, outcome);\n    this.#host.answer(event.answerId, outcome);',
      replace: 'this.#host.answer(event.answerId, outcome);',
      testName: '%s leaves one line and one count, with who, what and outcome',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/service.ts', 'conductor/core/rpc/audit.test.ts', [
    {
      id: 'audit',
      law: 'The line says what a call changed: the state before and after.',
      find: 'if (before !== null) this.#before.set(event.answerId, before.value);',
      replace: '',
      testName: 'says what a call changed: the state before and after',
    },
  ]),
  ...mutantsOf('conductor/cli/flags.ts', 'conductor/host/settings/body-limit.test.ts', [
    {
      id: 'body-limit',
      law: 'By default a request body may have 64 MiB, so that blocks of 20 MB can be committed.',
      find: "fallback: '67108864',",
      replace: "fallback: '5242880',",
      testName: 'by default a body of 64 MiB is read, so that a block of 20 MB can be committed',
    },
  ]),
];

export const serviceMutants: readonly Mutant[] = [...health, ...rpc];
