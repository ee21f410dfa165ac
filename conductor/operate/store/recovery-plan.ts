/**
 * Decides whether a cluster that lost its majority for ever may go on from one store, and from which (pure).
 * The log with the highest last term, and among those the highest last index, holds every entry that any of the
 * survivors acknowledged (thesis §3.6.1). Its server becomes the only voter; the others are added again.
 */
import { quorumSize, votersOf } from '#conductor/core/raft/quorum';
import { Suffrage, type Configuration, type Server } from '#conductor/core/raft/types';
import type { StoreReport } from './store-report.ts';
import type { Survivor } from './survey.ts';

/** Elections without an entry that anybody kept: more than ten a second for a day, one after the other. */
const TERMS_UNLED_MAX = 1_000_000;

export interface Situation {
  readonly survivors: readonly Survivor[];
  /** Members at whose raft address somebody answers, other than those the operator declared lost. */
  readonly answering: readonly string[];
  /** The raft address the recovered server will have; null to keep the one it has. */
  readonly address: string | null;
}

export type RecoveryPlan =
  | { readonly kind: 'refused'; readonly message: string }
  /** Done before: it has been the only voter since. */
  | { readonly kind: 'done'; readonly chosen: Survivor }
  | {
      readonly kind: 'planned';
      readonly chosen: Survivor;
      /** Replaces the membership. */
      readonly configuration: Configuration;
      readonly index: number;
      /** Beyond every term a survivor knows, but for terms that no election can have reached. */
      readonly term: number;
      /** Voters of the old membership that are given up, or have to be added again. */
      readonly dropped: readonly Server[];
    };

/** Positive when `a` holds more than `b`. */
export function compareLogs(a: StoreReport, b: StoreReport): number {
  return a.lastTerm - b.lastTerm || a.lastIndex - b.lastIndex;
}

export function planRecovery({ survivors, answering, address }: Situation): RecoveryPlan {
  const chosen = survivors.toSorted(bestFirst)[0];
  if (chosen === undefined) return refused('No store was named: name the directory of every server that survived.');
  const { report } = chosen;
  const { configuration } = report.membership;
  const self = configuration.servers.find(({ id }) => id === report.serverId);
  const voters = votersOf(configuration);
  if (self === undefined) return refused(notNamed(report));
  const stranger = survivors.find((other) => !areRelated(other.report, report));
  if (stranger !== undefined) return refused(strange(stranger, chosen));
  const isAlone = voters.length === 1 && voters[0] === report.serverId && configuration.servers.length === 1;
  if (isAlone && !report.isRecovering && !isForged(report) && (address ?? self.address) === self.address)
    return { kind: 'done', chosen };
  const obstacle = (isAlone ? null : quorumObstacle(survivors, answering, voters)) ?? unsuitable(chosen);
  if (obstacle !== null) return refused(obstacle);
  return {
    kind: 'planned',
    chosen,
    configuration: {
      servers: [{ id: report.serverId, address: address ?? self.address, suffrage: Suffrage.voter }],
    },
    index: report.lastIndex + 1,
    term: termAfter(survivors, report.lastTerm),
    dropped: configuration.servers.filter(({ id }) => id !== report.serverId),
  };
}

/**
 * Beyond all terms that survivors know: in those others may have led. A term far above the log's was forged by
 * somebody who reached the raft port; nobody led in it, and counting on from it would leave no terms to go on with.
 */
function termAfter(survivors: readonly Survivor[], lastTerm: number): number {
  const known = survivors.map((one) => one.report.term).filter((term) => !isForged({ term, lastTerm }));
  return Math.max(lastTerm, ...known) + 1;
}

function isForged({ term, lastTerm }: Pick<StoreReport, 'term' | 'lastTerm'>): boolean {
  return term > lastTerm + TERMS_UNLED_MAX;
}

/** A directory before a copy of it; one that may vote before one that may not. */
function bestFirst(a: Survivor, b: Survivor): number {
  const rank = ({ kind, report }: Survivor): number => (kind === 'store' ? 2 : 0) + (report.isRecovering ? 0 : 1);
  return compareLogs(b.report, a.report) || rank(b) - rank(a);
}

/** Membership is only ever taken from a majority that is really gone. */
function quorumObstacle(
  survivors: readonly Survivor[],
  answering: readonly string[],
  voters: readonly string[],
): string | null {
  const stored = survivors
    .filter(({ kind, report }) => kind !== 'backup' && !report.isRecovering)
    .map(({ report }) => report.serverId);
  // All their disks are sound, and yet nobody can be elected: of a majority's logs the best holds all that counts.
  const isStuck = survivors.some(({ report }) => isForged(report));
  const whole = voters.filter((id) => stored.includes(id) || answering.includes(id));
  const needed = quorumSize(voters.length);
  if (isStuck && answering.length === 0 && stored.length >= needed) return null;
  if (whole.length >= needed)
    return `The majority is not lost: of the voters ${list(voters)}, ${list(whole)} can still vote, and ${needed} suffice. See that ${whole.length === 1 ? 'it runs' : 'they run'}, and replace the others by leave and join. Rewriting the membership could lose committed blocks.`;
  if (answering.length > 0)
    return `${list(answering)} still ${answering.length === 1 ? 'answers at its' : 'answer at their'} raft address, and may hold more than the stores named here. Stop ${answering.length === 1 ? 'it' : 'them'} and name the store too, or a backup of it; if somebody else listens there, say so with --lost.`;
  return null;
}

function unsuitable({ kind, path, report }: Survivor): string | null {
  if (kind === 'backup')
    return `The backup ${path} holds more than every directory named (term ${report.lastTerm}, index ${report.lastIndex}). Recover on the server it was taken from, or restore it as server ${report.serverId} with \`conductor restore\` and name that directory.`;
  if (kind === 'op-conductor')
    return `${path} holds the most, and it is op-conductor's, which cannot recover by itself. Take it over with \`conductor import\`, then run this again; \`conductor export\` is the way back.`;
  return null;
}

/** One of them knows the other as a member; a server recovered before knows nobody, and is known. */
function areRelated(a: StoreReport, b: StoreReport): boolean {
  const knows = ({ membership }: StoreReport, id: string): boolean =>
    membership.configuration.servers.some((server) => server.id === id);
  return a.lastIndex === 0 || knows(a, b.serverId) || knows(b, a.serverId);
}

function strange(stranger: Survivor, chosen: Survivor): string {
  return `${stranger.path} and ${chosen.path} are stores of two clusters: neither membership names the other's server. Name the stores of one cluster.`;
}

function notNamed({ serverId, membership }: StoreReport): string {
  if (membership.configuration.servers.length === 0)
    return `The store of ${serverId} holds no membership: it never belonged to a cluster. Bootstrap a new one instead.`;
  return `The membership in the log with the highest term and index, that of ${serverId}, does not name ${serverId}: it was removed before the disaster. Name the store of one of ${list(membership.configuration.servers.map(({ id }) => id))}.`;
}

function refused(message: string): RecoveryPlan {
  return { kind: 'refused', message };
}

function list(ids: readonly string[]): string {
  return ids.length <= 1 ? (ids[0] ?? 'none') : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
}
