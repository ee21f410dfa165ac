/**
 * A cluster in memory for tests of procedures: servers that answer at once and do what they are told, as conductors
 * with op-nodes would, and calls that fail where a test says so. Every change is written down.
 */
import type { ClusterNodes, Disputed, NodeStanding } from '../cluster-nodes.ts';
import type { ClusterConfig, ServerConfig } from '../cluster-config.ts';
import { parseClusterFile } from '../cluster-file.ts';
import type { ClusterView, ServerView } from '../cluster-view.ts';
import type { ConductorClient } from '../conductor-client.ts';
import type { Member } from '../conductor-state.ts';
import type { NodeClient } from '../node-client.ts';
import type { ClusterAccess } from '../observe.ts';
import { RpcCallError } from '../rpc-endpoint.ts';

/** What a test may set on a server. */
export interface MemoryServer {
  readonly id: string;
  /** Conductor and op-node answer. */
  isUp: boolean;
  /** The conductor answers. */
  isConductorUp: boolean;
  /** The op-node answers. */
  isNodeUp: boolean;
  isPaused: boolean;
  isHealthy: boolean;
  isOverridden: boolean;
  isSequencing: boolean;
  isConductorEnabled: boolean;
  head: number;
  /** What its node shows; null for what op-conductor tells, nothing. */
  standing: Omit<NodeStanding, 'id'> | null;
}

/** How the next call of a method fails. */
export type Failure =
  /** The server says no; nothing happens. */
  | 'refused'
  /** Nobody answers; nothing happens. */
  | 'lost'
  /** It happens, and nobody hears of it. */
  | 'unheard';

export class MemoryCluster implements ClusterAccess {
  readonly config: ClusterConfig;
  readonly servers: MemoryServer[];
  members: Member[];
  leader: string | null = 'node-1';
  version = 7;
  /** "method id" of every change, in order. */
  readonly changes: string[] = [];
  /** By "method id". A failure is used up by one call. */
  readonly failures = new Map<string, Failure>();
  /** Whether a block is made after each look. */
  isBuilding = true;
  /** What the leader tells beside where its members' nodes stand. */
  committed: ClusterNodes['committed'] = null;
  disputed: readonly Disputed[] = [];
  givenUp: ClusterNodes['givenUp'] = null;
  /** Called after each change, for what a cluster does by itself. */
  react: (change: string) => void = () => undefined;

  /** `count` servers; all are voters, node-1 leads and sequences. */
  constructor(count = 3) {
    const ids = Array.from({ length: count }, (_, at) => `node-${at + 1}`);
    const rows = ids.map(
      (id, at) =>
        `[[server]]\nid = "${id}"\nconductor = "http://host-${at + 1}:8547"\nconsensus = "host-${at + 1}:50050"\nnode = "http://host-${at + 1}:9545"`,
    );
    this.config = parseClusterFile(rows.join('\n'), '/nowhere/conductor.toml');
    this.servers = ids.map((id) => ({
      id,
      isUp: true,
      isConductorUp: true,
      isNodeUp: true,
      isPaused: false,
      isHealthy: true,
      isOverridden: false,
      isSequencing: id === 'node-1',
      isConductorEnabled: true,
      head: 100,
      standing: null,
    }));
    this.members = ids.map((id, at) => ({ id, address: `host-${at + 1}:50050`, isVoter: true }));
  }

  server(id: string): MemoryServer {
    const found = this.servers.find((server) => server.id === id);
    if (found === undefined) throw new RangeError(`there is no ${id}`);
    return found;
  }

  observe(): Promise<ClusterView> {
    const view = this.view();
    if (this.isBuilding) this.#build();
    return Promise.resolve(view);
  }

  view(): ClusterView {
    return { atMs: 0, servers: this.config.servers.map((config) => this.#look(config)) };
  }

  conductor(config: ServerConfig): ConductorClient {
    const { id } = config;
    const change = (method: string, target: string, effect: () => void): Promise<void> =>
      this.#change(`${method} ${target}`, id, effect);
    const membership = (version: number, edit: (members: Member[]) => Member[]): void => {
      if (this.leader !== id) throw new RpcCallError('node is not the leader', -32000);
      if (version !== 0 && version !== this.version)
        throw new RpcCallError(`configuration changed since ${version} (latest is ${this.version})`, -32000);
      this.members = edit(this.members);
      this.version += 1;
    };
    const others = (target: string): ((members: Member[]) => Member[]) => {
      return (members) => members.filter((member) => member.id !== target);
    };
    return {
      state: () => Promise.reject(new Error('views are made by observe')),
      readiness: () => Promise.reject(new Error('views are made by observe')),
      pause: () => change('pause', id, () => void (this.server(id).isPaused = true)),
      resume: () => change('resume', id, () => void (this.server(id).isPaused = false)),
      stop: () => change('stop', id, () => void (this.server(id).isConductorUp = false)),
      override: (isOn) =>
        change(isOn ? 'override' : 'overrideOff', id, () => void (this.server(id).isOverridden = isOn)),
      transferTo: (member) => change('transfer', member.id, () => this.#lead(member.id)),
      addNonvoter: (member, version) =>
        change('addNonvoter', member.id, () =>
          membership(version, (members) => [...others(member.id)(members), { ...member, isVoter: false }]),
        ),
      addVoter: (member, version) =>
        change('addVoter', member.id, () =>
          membership(version, (members) => [...others(member.id)(members), { ...member, isVoter: true }]),
        ),
      demote: (target, version) =>
        change('demote', target, () =>
          membership(version, (members) =>
            members.map((member) => (member.id === target ? { ...member, isVoter: false } : member)),
          ),
        ),
      remove: (target, version) => change('remove', target, () => membership(version, others(target))),
      giveUp: (block) => change('giveUp', id, () => void (this.givenUp = { ...block, isDone: true })),
    };
  }

  node(config: ServerConfig): NodeClient {
    const server = this.server(config.id);
    return {
      state: () =>
        server.isUp && server.isNodeUp
          ? Promise.resolve(nodeState(server))
          : Promise.reject(new RpcCallError(`${server.id}: no answer within 2.5 s`, null)),
      blockSeconds: () => Promise.resolve(1),
      startSequencer: (hash) =>
        this.#change(`startSequencer ${server.id}`, server.id, () => {
          if (server.isConductorEnabled && this.leader !== server.id)
            throw new RpcCallError('sequencer is not the leader, aborting', -32000);
          if (hash !== hashOf(server.head)) throw new RpcCallError(`block hash does not match: ${hash}`, -32000);
          server.isSequencing = true;
        }),
      stopSequencer: async () => {
        await this.#change(`stopSequencer ${server.id}`, server.id, () => void (server.isSequencing = false));
        return hashOf(server.head);
      },
    };
  }

  /** The next block of the one that sequences, and of all that follow it. */
  #build(): void {
    const top = this.servers.find(({ isSequencing }) => isSequencing)?.head;
    for (const server of this.servers) if (server.head === top) server.head += 1;
  }

  #lead(id: string): void {
    for (const server of this.servers) server.isSequencing = server.id === id && !server.isPaused;
    this.leader = id;
  }

  async #change(name: string, on: string, effect: () => void): Promise<void> {
    const failure = this.failures.get(name);
    this.failures.delete(name);
    const isNode = name.includes('Sequencer');
    if (!this.server(on).isUp || failure === 'lost')
      throw new RpcCallError(`${on}: connection refused`, null, { cause: { code: 'ECONNREFUSED' } });
    if (isNode && !this.server(on).isNodeUp) throw new RpcCallError(`${on}: no answer within 20 s`, null);
    if (failure === 'refused') throw new RpcCallError(`${on} says no`, -32000);
    effect();
    this.changes.push(name);
    this.react(name);
    if (failure === 'unheard') throw new RpcCallError(`${on}: no answer within 8 s`, null);
    return Promise.resolve();
  }

  /** A follower tells of itself alone. */
  #nodesOf(server: MemoryServer, isLeader: boolean): ClusterNodes | null {
    if (server.standing === null) return null;
    const known = this.servers.filter((one) => one === server || isLeader);
    const nodes = known.flatMap(({ id, standing }) => (standing === null ? [] : [{ id, ...standing }]));
    const { committed, givenUp } = this;
    return { committed, nodes, disputed: isLeader ? this.disputed : [], givenUp };
  }

  #look(config: ServerConfig): ServerView {
    const server = this.server(config.id);
    const isLeader = this.leader === server.id;
    const isMember = this.members.some((member) => member.id === server.id);
    const base = { id: server.id, isNamed: true, config, readiness: null, term: null };
    if (!server.isUp)
      return {
        ...base,
        conductor: null,
        whySilent: 'connection refused',
        node: null,
        whyNodeSilent: 'connection refused',
      };
    return {
      ...base,
      conductor: !server.isConductorUp
        ? null
        : {
            version: 'v0.1.0',
            claimsLeader: isLeader || server.isOverridden,
            leaderId: server.isOverridden ? 'N/A (Leader overridden)' : isMember ? (this.leader ?? '') : '',
            isPaused: server.isPaused,
            isStopped: false,
            isActive: !server.isPaused,
            isHealthy: server.isHealthy,
            isOverridden: server.isOverridden,
            nodes: this.#nodesOf(server, isLeader),
            membership: isMember ? { members: this.members, version: this.version } : { members: [], version: 0 },
            proxied: { syncStatus: null, isSequencing: null },
          },
      whySilent: server.isConductorUp ? '' : 'connection refused',
      node: server.isNodeUp ? nodeState(server) : null,
      whyNodeSilent: server.isNodeUp ? '' : 'no answer within 2.5 s',
    };
  }
}

/** The hash of the block at a height. */
export function hashOf(height: number): string {
  return `0x${height.toString(16).padStart(64, '0')}`;
}

function nodeState({ head, isSequencing, isConductorEnabled }: MemoryServer) {
  return {
    unsafeHead: { number: head, hash: hashOf(head), timestamp: 1000 + head },
    isSequencing,
    isConductorEnabled,
    peerCount: 2,
  };
}
