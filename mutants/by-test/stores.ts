/** Mutants of who may do what, and of taking over the volume of an op-conductor (rule 8). */
import { mutantsOf, type Mutant } from './mutant.ts';

const access: readonly Mutant[] = [
  ...mutantsOf('conductor/host/settings/exposure.ts', 'conductor/host/settings/exposure.test.ts', [
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
  ...mutantsOf('conductor/adapters/tcp/inbound.ts', 'conductor/adapters/tcp/tls.test.ts', [
    {
      id: 'further 6',
      law: 'Plain text is taken beside TLS in mixed mode only.',
      find: 'const isMixed = tls?.isMixed === true && material !== null;',
      replace: 'const isMixed = material !== null;',
      testName: 'there is no fallback to plain text on either side',
    },
  ]),
  ...mutantsOf('conductor/adapters/tcp/dial-routes.ts', 'conductor/adapters/tcp/tls-mixed.test.ts', [
    {
      id: 'further 6',
      law: 'In mixed mode a dead peer is noticed as fast as ever: where nobody listens there is no second try.',
      find: 'isThere || other.address !== address',
      replace: "isThere || other.address !== ''",
      testName: 'lead past an address where nobody listens',
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
    {
      id: 'web page',
      law: 'Without credentials a web page may not call admin methods.',
      find: 'return pageSign === null ? anybody :',
      replace: 'return pageSign !== undefined ? anybody :',
      testName: 'without credentials a web page may not pass, whatever it sends, and is told how to',
    },
  ]),
  ...mutantsOf('conductor/adapters/http/body-turns.ts', 'conductor/adapters/http/large-bodies.test.ts', [
    {
      id: 'large bodies',
      law: 'Bodies that are complete at once are read one per turn of the event loop.',
      find: 'if (this.#isTaken) return false;',
      replace: '',
      testName: 'bodies of %s that are complete at once are read in turns of their own',
    },
  ]),
  ...mutantsOf('conductor/adapters/http/body-room.ts', 'conductor/adapters/http/body-room.test.ts', [
    {
      id: 'large bodies',
      law: 'Large bodies that arrive or are worked on hold no more than the room together.',
      find: 'this.bytes + roomBytes <= this.bytesMax;',
      replace: 'roomBytes <= this.bytesMax;',
      testName: 'whatever comes and goes, what is taken is within the room, and who fits is inside',
    },
    {
      id: 'large bodies',
      law: 'One that arrives slowly gives its room to one that waits.',
      find: 'if (isSlow && !wasStalled) guest.evicted();',
      replace: '',
      testName: 'one that arrives slowly goes as soon as another waits, and not before',
    },
  ]),
  ...mutantsOf('conductor/adapters/http/request-head.ts', 'conductor/adapters/http/server.test.ts', [
    {
      id: 'request smuggling',
      law: 'White space around a value is spaces and tabs alone: other control characters are refused.',
      find: 'const outerSpace = /^[ \\t]+|[ \\t]+$/g;',
      replace: 'const outerSpace = /^\\s+|\\s+$/g;',
      testName: 'a control character before the coding',
    },
    {
      id: 'request smuggling',
      law: 'Fields that decide where a request ends or goes may not be repeated.',
      find: "return key === 'transfer-encoding' || key === 'host';",
      replace: "return key === 'host';",
      testName: 'the coding in two fields',
    },
  ]),
  ...mutantsOf('conductor/core/rpc/proxy.ts', 'conductor/adapters/http/frozen-backend.test.ts', [
    {
      id: 'frozen backend',
      law: 'Calls that wait for one backend take few of the connections and requests that there are.',
      find: 'if (this.#counts[spec.target] >= proxiesWaitingMax) {',
      replace: 'if (this.#counts[spec.target] >= 3 * proxiesWaitingMax) {',
      testName: 'calls to a backend that hangs leave every other caller alone',
    },
  ]),
  ...mutantsOf('conductor/adapters/auth/web-page.ts', 'conductor/adapters/http/web-page.test.ts', [
    {
      id: 'web page',
      law: 'A request with an Origin header is a web page’s.',
      find: 'if (origin !== undefined) return',
      replace: "if (origin === '') return",
      testName: 'a web page cannot call admin methods: %s',
    },
    {
      id: 'web page',
      law: 'On a loopback listener so is one for a host that is not this machine (DNS rebinding).',
      find: 'if (!isLocal || host === undefined || isLoopbackHost(host)) return null;',
      replace: 'if (!isLocal || host !== undefined) return null;',
      testName: 'a web page cannot call admin methods: %s',
    },
  ]),
];

const stores: readonly Mutant[] = [
  ...mutantsOf('conductor/adapters/sqlite/database.ts', 'conductor/adapters/sqlite/database.test.ts', [
    {
      id: 'further 1',
      law: 'A store of a newer release is refused before anything is changed, and the sentence says what to do.',
      find: "if (typeof version === 'number' && version > formatVersion) {",
      replace: "if (typeof version === 'number' && version > 2 * formatVersion) {",
      testName: 'refuses a store written by a newer release without touching it',
    },
  ]),
  ...mutantsOf('conductor/migration/import-plan.ts', 'conductor/migration/import-refusals.test.ts', [
    {
      id: 'rule 8',
      law: 'A log with a gap above its snapshot is refused, and nothing is changed.',
      find: 'if (!isEmpty && run.first > covered + 1) {',
      replace: 'if (!isEmpty && run.first < 0) {',
      testName: 'a gap above the snapshot',
    },
    {
      id: 'rule 8',
      law: 'A log that does not begin at 1 needs its snapshot.',
      find: 'if (isNeeded || problems.length > 0) {',
      replace: 'if (problems.length > 0) {',
      testName: 'a log that begins later, without a snapshot',
    },
  ]),
  ...mutantsOf('conductor/migration/snapshot-files.ts', 'conductor/migration/import-refusals.test.ts', [
    {
      id: 'rule 8',
      law: 'A snapshot counts only with the right checksum.',
      find: "if (Buffer.from(crc64(data)).toString('base64') !== meta.checksum)",
      replace: "if (data.length === 0 && meta.checksum === '')",
      testName: '(%s) is refused where it is needed, and left behind where it is not',
    },
  ]),
  ...mutantsOf('conductor/adapters/sqlite/directory.ts', 'conductor/adapters/sqlite/directory.test.ts', [
    {
      id: 'rule 8',
      law: 'A directory with a store of Go’s and none of ours is never begun afresh.',
      find: 'const valid = legacy.filter((name) => isBoltFile(join(directory, name)));\n  if (valid.length > 0) {',
      replace:
        'const valid = legacy.filter((name) => isBoltFile(join(directory, name)));\n  if (valid.length > 0) return;\n  if (valid.length > 0) {',
      testName: "refuses op-conductor's votes alone",
    },
    {
      id: 'rule 8',
      law: 'A directory with a valid store of each is refused: it cannot be told which is current.',
      find: 'if (valid.length === 0) return;',
      replace: 'if (valid.length >= 0) return;',
      testName: 'refuses both logs',
    },
  ]),
  ...mutantsOf('conductor/migration/file-lock.ts', 'conductor/migration/import-refusals.test.ts', [
    {
      id: 'rule 8',
      law: 'While Go holds its lock, nothing is imported.',
      find: 'isHeld = flock()(descriptor, LOCK_EXCLUSIVE_NOW) === 0;',
      replace: 'isHeld = true;',
      testName: 'files that another process has locked',
    },
  ]),
  ...mutantsOf('conductor/migration/import-plan.ts', 'conductor/migration/import-store.test.ts', [
    {
      id: 'rule 8',
      law: 'An imported vote counts for its term, for nobody.',
      find: 'votedTerm: lastVoteTerm, votedFor: null,',
      replace: 'votedTerm: 0, votedFor: null,',
      testName: 'votes and a term without any entry',
    },
    {
      id: 'rule 8',
      law: 'A store in which op-conductor never wrote anything is as good as new: it must recover before it votes.',
      find: 'hardState: isNew ? null : hardState,',
      replace: 'hardState,',
      testName: 'a store that op-conductor never wrote to as a new one, which must recover before it votes (rule 9)',
    },
  ]),
  ...mutantsOf('conductor/migration/import-store.ts', 'conductor/migration/import-store.test.ts', [
    {
      id: 'further 7',
      law: 'What an operator’s command would do can be looked at first: a dry run changes nothing.',
      find: "if (options.isDryRun === true) return { kind: 'checked', summary };",
      replace: '',
      testName: 'a snapshot without a log',
    },
  ]),
  ...mutantsOf('conductor/migration/import-plan.ts', 'conductor/migration/boltdb.vectors.test.ts', [
    {
      id: 'further 2',
      law: 'An op-conductor data directory is imported whole, and Go’s files are out of the way.',
      find: 'last: run.last,',
      replace: 'last: run.last - 1,',
      testName: "is imported whole, and Go's files are out of the way",
    },
  ]),
];

const operators: readonly Mutant[] = [
  ...mutantsOf('conductor/operate/store/seal-copy.ts', 'conductor/operate/store/restore.test.ts', [
    {
      id: 'rule 9',
      law: 'A copy of a store has forgotten votes, so it comes back as a new one.',
      find: 'hardState: { ...hardState, recovering: true }',
      replace: 'hardState',
      testName: 'a backup that is put in place by hand comes back as a new store, too',
    },
  ]),
  ...mutantsOf('conductor/operate/store/copy-store.ts', 'conductor/operate/store/backup.test.ts', [
    {
      id: 'further 7',
      law: 'A backup of a running store is of one moment.',
      find: 'if (generation(from) !== before) continue;',
      replace: '',
      testName: 'a log that was begun anew while the database was read is noticed, and the database read again',
    },
  ]),
  ...mutantsOf('conductor/operate/store/recovery-plan.ts', 'conductor/operate/store/recovery-plan.test.ts', [
    {
      id: 'further 7',
      law: 'The membership is not rewritten while a majority can still vote.',
      find: 'if (whole.length >= needed)',
      replace: 'if (whole.length > voters.length)',
      testName: 'while a majority can still vote: two directories of three, or one and a server that answers',
    },
  ]),
];

export const storeMutants: readonly Mutant[] = [...access, ...stores, ...operators];
