/** What changed between two looks at a cluster, told as the devnet tells it, and who fell silent or came back. */
import { ChangeLog } from './changes/changes.ts';
import type { ClusterEvent } from './changes/cluster-event.ts';
import type { FollowedCluster, FollowedNode } from './changes/view.ts';
import { membershipOf, type ClusterView, type ServerView } from './cluster-view.ts';
import { roleOf } from './view-document.ts';

/** Block times without a block, beyond the time from look to look, that are a gap. */
const GAP_BLOCKS_MIN = 1.5;

export class ClusterChanges {
  readonly #log: ChangeLog;
  readonly #blockMs: number;
  #silent = new Map<string, boolean>();
  #lookedAtMs: number | null = null;

  /** `blockSeconds` is the time from one block to the next, by which a gap is one. */
  constructor(blockSeconds: number) {
    this.#log = new ChangeLog(blockSeconds);
    this.#blockMs = blockSeconds * 1000;
  }

  /** Events since the view before this one. */
  advance(view: ClusterView): ClusterEvent[] {
    const sinceLastMs = view.atMs - (this.#lookedAtMs ?? view.atMs);
    this.#lookedAtMs = view.atMs;
    const events = [...this.#reachability(view), ...this.#log.advance(followed(view))];
    // A look that waited for a silent server is no gap of the chain.
    return events.filter(
      ({ kind, fields }) => kind !== 'gap' || Number(fields['ms']) - sinceLastMs >= GAP_BLOCKS_MIN * this.#blockMs,
    );
  }

  #reachability(view: ClusterView): ClusterEvent[] {
    const before = this.#silent;
    this.#silent = new Map(view.servers.map(({ config, conductor }) => [config.conductor, conductor === null]));
    return view.servers.flatMap(({ id, config, conductor, whySilent }): ClusterEvent[] => {
      const was = before.get(config.conductor) ?? false;
      const is = conductor === null;
      if (was === is) return [];
      const text = is ? `${id} does not answer: ${whySilent}` : `${id} answers again`;
      return [{ kind: 'process', atMs: view.atMs, text, fields: { node: id, answers: !is } }];
    });
  }
}

function followed(view: ClusterView): FollowedCluster {
  const { members, version } = membershipOf(view);
  const servers = new Map(members.map(({ id, isVoter }) => [id, isVoter]));
  return {
    atMs: view.atMs,
    members: members.length === 0 ? null : { version, servers },
    nodes: view.servers.map((server, index) => followedNode(view, server, index)),
  };
}

function followedNode(view: ClusterView, server: ServerView, index: number): FollowedNode {
  const { id, conductor, node, term } = server;
  return {
    index,
    id,
    role: roleOf(view, id) === 'leader' ? 'leader' : conductor === null ? null : 'follower',
    term,
    head: node?.unsafeHead ?? null,
    isSequencing: node?.isSequencing ?? null,
    isHealthy: conductor?.isHealthy ?? null,
    isPaused: conductor?.isPaused ?? null,
  };
}
