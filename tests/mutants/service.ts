/** Mutants of health, readiness, RPC, access and the ports (rules 22 to 27 and where ours goes further). */
import { mutantsOf, type Mutant } from './mutant.ts';

const health: readonly Mutant[] = [
  ...mutantsOf('conductor/health/checks.ts', 'conductor/health/checks.test.ts', [
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
  ...mutantsOf('conductor/readiness.ts', 'conductor/readiness.test.ts', [
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
  ...mutantsOf('conductor/flashblocks.ts', 'conductor/flashblocks.test.ts', [
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
  ...mutantsOf('conductor/rpc/reads.ts', 'conductor/rpc/service.test.ts', [
    {
      id: 'rule 22',
      law: 'conductor_active is neither paused nor stopped, not the sequencer’s activity.',
      find: 'return result(!host.control.isPaused && !host.control.isStopped);',
      replace: 'return result(!host.control.isPaused);',
      testName: 'is neither paused nor stopped, whatever the sequencer does',
    },
  ]),
  ...mutantsOf('conductor/rpc/dispatch.ts', 'conductor/rpc/dispatch.test.ts', [
    {
      id: 'rule 23',
      law: 'Without --rpc.enable-admin the admin methods are closed, with a sentence that names the flag.',
      find: 'if (isAdmin && !options.isAdminEnabled) {',
      replace: 'if (isAdmin && options.isAdminEnabled === undefined) {',
      testName:
        'rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag',
    },
  ]),
  ...mutantsOf('conductor/rpc/proxy.ts', 'conductor/rpc/service.test.ts', [
    {
      id: 'rule 23',
      law: 'Proxied methods, miner_setMaxDASize too, are answered by the leader only, checked after the backend’s answer.',
      find: "if (!isLeader()) return failed('refusing to proxy request to non-leader sequencer');",
      replace: '',
      testName: '%s is answered by the leader only, checked after the backend has answered',
    },
  ]),
  ...mutantsOf('conductor/leader-override.ts', 'conductor/leader-override.test.ts', [
    {
      id: 'rule 27',
      law: 'An override beside another leader is an alarm.',
      find: "this.#host.metrics.count('alarms_total', { kind: 'override' });",
      replace: '',
      testName: 'an override beside another leader is an alarm, at once and for each new leader',
    },
  ]),
  ...mutantsOf('conductor/raft/membership.ts', 'conductor/rpc/service.test.ts', [
    {
      id: 'membership-race',
      law: 'Over RPC too, of two changes that name the same version the second is refused.',
      find: 'if (command.previousIndex > 0 && command.previousIndex !== current.index) {',
      replace: 'if (command.previousIndex < 0) {',
      testName: 'the second is refused and changes nothing; with the new version it is done',
    },
  ]),
  ...mutantsOf('conductor/rpc/service.ts', 'conductor/rpc/audit.test.ts', [
    {
      id: 'audit',
      law: 'Every admin call leaves one line, with who, what and outcome.',
      find: 'this.#record(event, outcome);\n    this.#host.answer(event.answerId, outcome);',
      replace: 'this.#host.answer(event.answerId, outcome);',
      testName: '%s leaves one line and one count, with who, what and outcome',
    },
  ]),
  ...mutantsOf('conductor/rpc/service.ts', 'conductor/rpc/audit.test.ts', [
    {
      id: 'audit',
      law: 'The line says what a call changed: the state before and after.',
      find: 'if (before !== null) this.#before.set(event.answerId, before.value);',
      replace: '',
      testName: 'says what a call changed: the state before and after',
    },
  ]),
  ...mutantsOf('conductor/cli/flags.ts', 'conductor/cli/body-limit.test.ts', [
    {
      id: 'body-limit',
      law: 'By default a request body may have 64 MiB, so that blocks of 20 MB can be committed.',
      find: "fallback: '67108864',",
      replace: "fallback: '5242880',",
      testName: 'by default a body of 64 MiB is read, so that a block of 20 MB can be committed',
    },
  ]),
];

const access: readonly Mutant[] = [
  ...mutantsOf('conductor/cli/exposure.ts', 'conductor/cli/exposure.test.ts', [
    {
      id: 'further 6',
      law: 'Admin methods that are open beyond loopback without credentials are a loud warning at start.',
      find: 'if (isAdminEnabled && auth === null && !isLoopback(rpc.hostname)) {',
      replace: 'if (isAdminEnabled && auth === undefined && !isLoopback(rpc.hostname)) {',
      testName: 'admin methods for everybody',
    },
  ]),
  ...mutantsOf('conductor/adapters/tcp/inbound-connection.ts', 'conductor/adapters/tcp/tls.test.ts', [
    {
      id: 'further 6',
      law: 'With mutual TLS a server is heard only under the name its certificate carries.',
      find: "if (this.#names !== null && !this.#names.includes(request.id ?? '')) {",
      replace: 'if (this.#names !== null && this.#names.length === 0) {',
      testName: 'a request that names another server than the certificate closes the connection',
    },
  ]),
  ...mutantsOf('conductor/adapters/auth/admin-gate.ts', 'conductor/adapters/auth/admin-gate.test.ts', [
    {
      id: 'audit',
      law: 'A refused admin call is in the audit log too.',
      find: 'auditAdminCall({ logger, metrics }, call);',
      replace: '',
      testName: 'a refused admin call leaves a line and a count',
    },
  ]),
];

const stores: readonly Mutant[] = [
  ...mutantsOf('conductor/adapters/boltdb/import-plan.ts', 'conductor/adapters/boltdb/import-store.test.ts', [
    {
      id: 'rule 8',
      law: 'An imported vote counts for its term, for nobody.',
      find: 'votedTerm: lastVoteTerm, votedFor: null,',
      replace: 'votedTerm: 0, votedFor: null,',
      testName: '$law',
    },
    {
      id: 'rule 8',
      law: 'A store in which op-conductor never wrote anything is as good as new: it must recover before it votes.',
      find: 'hardState: isNew ? null : hardState,',
      replace: 'hardState,',
      testName: 'a store that op-conductor never wrote to as a new one, which must recover before it votes (rule 9)',
    },
  ]),
  ...mutantsOf('conductor/adapters/boltdb/import-store.ts', 'conductor/adapters/boltdb/import-store.test.ts', [
    {
      id: 'further 7',
      law: 'What an operator’s command would do can be looked at first: a dry run changes nothing.',
      find: "if (options.isDryRun === true) return { kind: 'checked', summary };",
      replace: '',
      testName: '$law',
    },
  ]),
  ...mutantsOf('conductor/adapters/boltdb/import-plan.ts', 'conductor/adapters/boltdb/boltdb.vectors.test.ts', [
    {
      id: 'further 2',
      law: 'An op-conductor data directory is imported whole, and Go’s files are out of the way.',
      find: 'last: run.last,',
      replace: 'last: run.last - 1,',
      testName: "is imported whole, and Go's files are out of the way",
    },
  ]),
];

export const serviceMutants: readonly Mutant[] = [...health, ...rpc, ...access, ...stores];
