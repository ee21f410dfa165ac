/** What is known of one server: joined from its events, which are exact, and from looks, which know more. */
import type { NodeVerdict } from '#conductor/operate/cluster-nodes';
import type { ClusterView, ServerView } from '#conductor/operate/cluster-view';
import { roleOf } from '#conductor/operate/view-document';
import type { SourceState } from './event-source.ts';
import type { LaneChange, ServerRow, ServerState } from './protocol.ts';

export interface ServerWatchOptions {
  /** As the configuration calls it, until the server says its own. */
  readonly id: string;
  /** '' where the configuration does not say. */
  readonly zone: string;
  laneChanged(change: LaneChange): void;
}

/** Events after which everything is looked at. */
const changing: ReadonlySet<string> = new Set(['role', 'membership', 'admin', 'orderDone', 'health', 'shutdown']);

const verdictWords: Readonly<Record<NodeVerdict, string>> = {
  l1: 'L1 has another block',
  left: 'has left the block',
  invalid: 'says INVALID',
  notTaken: 'does not take it',
  valid: 'says VALID',
  holds: 'holds it',
  unknown: '',
};

const roles: ReadonlyMap<unknown, ServerState['role']> = new Map(
  (['leader', 'follower', 'candidate', 'nonvoter'] as const).map((role) => [role, role]),
);

const nothingKnown: ServerState = { answers: false, role: null, isSequencing: null, isHealthy: null, isPaused: null };

export class ServerWatch {
  readonly #laneChanged: ServerWatchOptions['laneChanged'];
  readonly #zone: string;
  id: string;
  state: ServerState = nothingKnown;
  source: SourceState = 'polled';
  /** Its events arrive now: a server whose stream has broken may be gone. */
  isStreaming = false;
  /** The leader of whom its events told last; '' for none. */
  follows = '';
  term: number | null = null;
  roleSinceMs: number | null = null;
  /** Id of the newest event that was read. */
  cursor = '';
  #toldAtMs = 0;
  #overtakenAtMs = 0;
  #seen: ServerView | null = null;
  #version: string | null = null;
  #word = '';
  #clientHead: number | null = null;
  #wasSeen = false;

  constructor({ id, zone, laneChanged }: ServerWatchOptions) {
    this.id = id;
    this.#zone = zone;
    this.#laneChanged = laneChanged;
  }

  /** The first line of a stream. */
  greet(name: string, { version }: Readonly<Record<string, unknown>>): void {
    this.id = name;
    // No change of its lane: what it was is in the events that follow.
    if (!this.#wasSeen) this.state = { ...this.state, answers: true };
    this.#version = typeof version === 'string' ? version : null;
  }

  /** Takes an event; true when it is worth a look at the whole cluster. */
  take(kind: string, data: Readonly<Record<string, unknown>>, atMs: number): boolean {
    this.#toldAtMs = Date.now();
    if (kind === 'leader') this.follows = typeof data['leader'] === 'string' ? data['leader'] : '';
    if (typeof data['term'] === 'number') this.term = data['term'];
    const change = changeOf(kind, data);
    if (change !== null) this.#set({ ...this.state, answers: true, ...change }, atMs);
    return changing.has(kind);
  }

  /** Another leads in this term since this moment: whatever it said before, it does not. */
  overtaken(term: number, atMs: number): void {
    if (this.state.role !== 'leader' || (this.term ?? 0) >= term) return;
    this.#overtakenAtMs = Date.now();
    this.#set({ ...this.state, role: null }, atMs);
  }

  /** Takes what a look saw of it that began at `beganMs`; an event where it fell silent, or came back. */
  look(
    view: ClusterView,
    seen: ServerView,
    beganMs: number,
  ): { readonly kind: string; readonly atMs: number; readonly data: Readonly<Record<string, unknown>> } | null {
    const { conductor, node } = seen;
    this.#seen = seen;
    if (this.source !== 'stream' && seen.isNamed) this.id = seen.id;
    this.#version = conductor?.version ?? this.#version;
    if (seen.term !== null) this.term = seen.term;
    this.#readNodes(view);
    const before = this.state;
    const isNodeSilent = node === null && seen.whyNodeSilent !== '';
    // A look that began before another led may have heard it say that it leads.
    const isNew = this.#overtakenAtMs <= beganMs && (this.#toldAtMs <= beganMs || before.role === null);
    if (isNew || conductor === null) {
      const role = roleOf(view, seen.id);
      const isKnown = role !== 'silent' && role !== 'unknown';
      this.#set(
        {
          answers: conductor !== null,
          role: isKnown ? role : null,
          isSequencing: node?.isSequencing ?? (conductor === null || isNodeSilent ? null : before.isSequencing),
          isHealthy: conductor?.isHealthy ?? null,
          isPaused: conductor?.isPaused ?? null,
        },
        view.atMs,
      );
    }
    const wasSeen = this.#wasSeen;
    this.#wasSeen = true;
    if (!wasSeen || before.answers === this.state.answers) return null;
    return this.state.answers
      ? { kind: 'answers', atMs: view.atMs, data: {} }
      : { kind: 'silent', atMs: view.atMs, data: { why: seen.whySilent } };
  }

  /** `certificateEndMs`: as in the row. */
  row(certificateEndMs: number | null): ServerRow {
    const seen = this.#seen;
    return {
      id: this.id,
      state: this.state,
      term: this.term,
      head: seen?.node?.unsafeHead?.number ?? null,
      clientHead: this.#clientHead,
      word: this.#word,
      version: this.#version,
      zone: this.#zone,
      certificateEndMs,
      source: this.source,
      why: seen?.whySilent ?? '',
    };
  }

  /** Where the leader says that its node and client stand. */
  #readNodes(view: ClusterView): void {
    const told = view.servers.flatMap(({ conductor }) => conductor?.nodes?.nodes ?? []);
    // Several tell of each: the freshest word counts.
    const own = told
      .filter(({ id, client }) => id === this.id && client !== null)
      .toSorted((a, b) => (a.ageMs ?? Infinity) - (b.ageMs ?? Infinity))[0];
    this.#clientHead = own?.client?.number ?? null;
    this.#word = own === undefined ? '' : verdictWords[own.verdict];
  }

  #set(state: ServerState, atMs: number): void {
    const before = this.state;
    if (before.role !== state.role) this.roleSinceMs = atMs;
    this.state = state;
    const isSame = (Object.keys(state) as (keyof ServerState)[]).every((key) => before[key] === state[key]);
    // Also the first word about it: that nobody knows it before is no state.
    if (!isSame || !this.#wasSeen) this.#laneChanged({ server: this.id, atMs, state });
  }
}

function changeOf(kind: string, data: Readonly<Record<string, unknown>>): Partial<ServerState> | null {
  switch (kind) {
    case 'role':
      return { role: roles.get(data['role']) ?? null };
    case 'health':
      return { isHealthy: data['healthy'] === true };
    case 'orderDone':
      if (data['done'] !== true || data['order'] === 'transfer') return null;
      return { isSequencing: data['order'] === 'start' };
    case 'admin':
      return data['state'] === 'paused' ? { isPaused: data['after'] === 'true' } : null;
    default:
      return null;
  }
}
