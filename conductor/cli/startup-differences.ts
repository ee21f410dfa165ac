/**
 * Every deliberate difference of our starts from op-conductor v1.19.6's: which recorded start, what op-conductor
 * does, what ours does and why. The tests take their exceptions from here; a difference without a row is a bug.
 */
import type { Difference } from '#conductor/core/rpc/compatibility';

export interface StartDifference extends Difference {
  /** Exit code of ours, null where it goes on. */
  readonly exitCode: number | null;
  /** What ours writes to its log. */
  readonly says: RegExp;
}

/** Every row. */
export const startDifferences: readonly StartDifference[] = [
  {
    about: '--raft.heartbeat-timeout above 1s',
    cases: /^heartbeat timeout (\d{4,}ms|[2-9]s|\d\d+s)$/,
    opConductor: 'timeouts above the election timeout of 1 s are refused',
    ours: 'the election timeout is raised with them',
    why: 'Clusters over long distances need longer timeouts.',
    exitCode: null,
    says: /OpConductor started/,
  },
  {
    about: 'a word that is neither a flag nor a command',
    cases: /^positional argument$/,
    opConductor: 'a word that is no flag is ignored, and every flag after it',
    ours: 'it is refused',
    why: 'It is a mistyped command, or the value of a boolean; flags must not be dropped in silence.',
    exitCode: 1,
    says: /is neither a flag nor a command/,
  },
  {
    about: '--raft.server.id with a slash',
    cases: /^server id with a slash$/,
    opConductor: 'any server id',
    ours: 'an id with a slash is refused',
    why: 'The id names a folder below the storage directory, and must not lead out of it.',
    exitCode: 1,
    says: /cannot contain slashes/,
  },
  {
    about: 'the node is down',
    cases: /^node down$/,
    opConductor: 'a refused connection ends the process at once',
    ours: 'it is tried again like any other failure, sixty times',
    why: 'After a restart of the machine the node comes up later than the conductor.',
    exitCode: null,
    says: /waiting for the node.* of=60/,
  },
  {
    about: 'the execution client is down',
    cases: /^execution client down$/,
    opConductor: 'a refused connection ends the process at once',
    ours: 'it starts with a warning, and its health checks find the client down until it answers',
    why: 'The server votes and keeps the log meanwhile, so that others can lead.',
    exitCode: null,
    says: /the execution client does not answer/,
  },
  {
    about: 'a node that listens and answers with errors',
    cases: /^node listens but answers HTTP 500/,
    opConductor: 'sixty tries, five seconds apart, in silence',
    ours: 'the same tries, with a line for each',
    why: 'Five minutes without a word look like a hang.',
    exitCode: null,
    says: /waiting for the node.* of=60/,
  },
  {
    about: 'a log database that cannot be read',
    cases: /^log database is /,
    opConductor: 'the log database cannot be opened',
    ours: 'it cannot be taken over, or what took it over is gone',
    why: 'Their files are imported, so the error is one of the import, and says what to do.',
    exitCode: 1,
    says: /(raft-log\.db|Importing from)/,
  },
  {
    about: 'a taken --pprof.port',
    cases: /^pprof port taken$/,
    opConductor: 'the port is never opened, so a taken one is of no concern',
    ours: 'it is opened, so a taken one ends the start',
    why: 'Profiles are really served.',
    exitCode: 1,
    says: /failed to bind to address .*: bind: address already in use/,
  },
  {
    about: 'SIGHUP',
    cases: /^stopped by SIGHUP$/,
    opConductor: 'it dies at once, without handing leadership over',
    ours: 'tokens, secrets and certificates are read again; nothing ends',
    why: 'It is the usual signal for that, and a terminal that closes must not cost a chain its leader.',
    exitCode: null,
    says: /received SIGHUP: tokens, secrets and certificates were read again/,
  },
  {
    about: '--version',
    cases: /^version$/,
    opConductor: 'op-conductor version and the version',
    ours: 'conductor version, the version, the commit, the runtime and the platform',
    why: 'It is another program.',
    exitCode: 0,
    says: /^conductor version v\d/,
  },
];

/** The row of a recorded start, or undefined where ours must agree. */
export function startDifferenceOf(name: string): StartDifference | undefined {
  return startDifferences.find((one) => one.cases.test(name));
}
