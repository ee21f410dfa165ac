/** Events of conductors in one sentence each, for lists and marks. */
import type { StoredEvent } from './history.ts';

type Data = StoredEvent['data'];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function mapOf<Value>(values: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(values));
}

// Maps, because names come from elsewhere: an object has more names than it was given.
const words = mapOf<(data: Data) => string>({
  role: ({ role, term, reason }) =>
    `is ${text(role)}${typeof term === 'number' ? ` in term ${term}` : ''}: ${text(reason)}`,
  leader: ({ leader, term }) =>
    leader === null ? `knows no leader in term ${Number(term)}` : `follows ${text(leader)} in term ${Number(term)}`,
  health: ({ healthy, cause, detail }) =>
    healthy === true ? 'its node is healthy' : `its node is unhealthy: ${text(cause)}${detailOf(detail)}`,
  confirmed: ({ confirmed, message }) =>
    confirmed === true ? 'leadership confirmed by a quorum' : `leadership not confirmed: ${text(message)}`,
  order: ({ order, target }) =>
    `${orders.get(text(order)) ?? text(order)}${text(target) === '' ? '' : ` to ${text(target)}`}`,
  orderDone: ({ order, done, message, ms }) =>
    `${text(order)} ${done === true ? 'done' : `failed: ${text(message)}`} after ${Math.round(Number(ms))} ms`,
  membership: ({ version, servers }) =>
    `members, version ${Number(version)}: ${(Array.isArray(servers) ? servers : [])
      .map((one: { id?: unknown; suffrage?: unknown } | null) => `${text(one?.id)} (${text(one?.suffrage)})`)
      .join(', ')}`,
  alarm: ({ alarm }) => `alarm: ${wordsOfAlarm(text(alarm))}`,
  admin: ({ method, as, from, outcome }) =>
    `${text(method).replace('conductor_', '')} by ${text(as) || text(from) || 'somebody'}: ${text(outcome)}`,
  shutdown: ({ reason }) => `ends in order: ${text(reason)}`,
  silent: ({ why }) => `does not answer: ${text(why)}`,
  answers: () => 'answers again',
  seen: (data) => text(data['text']),
  act: (data) => text(data['text']),
});

const alarms = mapOf({
  'other-branch': 'its node is on another branch than the committed chain',
  'node-off': 'its node does not take the committed blocks that it lacks',
  'rollback-refused': 'the rollup has left the committed chain, which may not follow it',
  'no-healthy-peer': 'its node is unhealthy, and no other server is known to be better',
  'bad-seals': 'its sequencer seals invalid blocks',
  unvalidated: 'it commits blocks without a verdict of its execution client',
  'invalid-committed': 'its execution client refuses a block that was committed before it had said so',
  override: 'leadership is overridden while another leads',
  'override-idle': 'leadership is overridden while it leads, and its sequencer does not build',
  'override-behind': 'leadership was overridden, and its node does not hold what the log ends in',
  uncommitted: 'its node gets new blocks that are not offered for commit',
  'own-name': 'somebody speaks to it under its own server id',
  'wrong-server': 'another server answers at the raft address of a member',
  stranger: 'a server that is no member speaks to it as a leader',
  'second-leader': 'two servers speak to it as leaders of one term',
  'port-closed': 'its raft port could not be opened again after its certificate was renewed: nobody can connect to it',
  'term-jump': 'it was told of a term that no elections explain',
});

/** An alarm of alarms_total in a sentence; one that a newer release has, by its name. */
export function wordsOfAlarm(alarm: string): string {
  return alarms.get(alarm) ?? alarm;
}

const orders = mapOf({
  start: 'starts its sequencer',
  stop: 'stops its sequencer',
  transfer: 'hands leadership over',
});

/** Without the server's name, which stands before it. */
export function wordsOf(event: Pick<StoredEvent, 'kind' | 'data'>): string {
  return words.get(event.kind)?.(event.data) ?? event.kind;
}

function detailOf(detail: unknown): string {
  return text(detail) === '' ? '' : ` (${text(detail)})`;
}

/** The runbook's section about an alarm of alarms_total. */
export function sectionOfAlarm(alarm: string): string {
  if (alarm === 'override') return 'ConductorOverrideConflict';
  return `Conductor${alarm.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

const sections: readonly (readonly [RegExp, string])[] = [
  [/^the certificate of/, 'ConductorCertificateExpires'],
  [/below what the log holds/, 'left-below-log'],
  [/^the op-node of \S+ does not answer|is not ready: the node/, 'ConductorSequencerUnhealthy'],
  [/does not answer|^no conductor answers/, 'ConductorDown'],
  [/^nobody leads/, 'ConductorNoLeader'],
  [/ and \S+ sequence|two sequencers|sequences and does not lead/, 'ConductorTwoSequencers'],
  [/nobody sequences|nobody says that it sequences/, 'ConductorNoBlock'],
  [/unhealthy/, 'ConductorSequencerUnhealthy'],
  [/overridden/, 'ConductorOverridden'],
  [/paused|no automatic failover/, 'ConductorPaused'],
  [/membership|is not a member/, 'ConductorMembershipDiffers'],
  [/is not ready/, 'ConductorFollowerLagging'],
  [/is stopped/, 'ConductorPaused'],
  [/no block for/, 'ConductorNoBlock'],
  [/voters? answers?|too few voters/, 'ConductorQuorumAtRisk'],
];

/** The runbook's section about a sentence of the tool; '' where none is. */
export function sectionOfTrouble(sentence: string): string {
  return sections.find(([pattern]) => pattern.test(sentence))?.[1] ?? '';
}
