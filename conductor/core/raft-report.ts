/**
 * Says in the log what the replicated log tells of itself: whom this server follows, who the members
 * are, snapshots and warnings. What was so before the start is not said again.
 */
import type { ConductorPorts } from './conductor-options.ts';
import type { Logger } from './ports.ts';
import type { EventSink } from './published-event.ts';
import { shortened } from './raft/alarms.ts';
import type { RaftNotice } from './raft/events.ts';
import { Suffrage, type IndexedConfiguration, type Server } from './raft/types.ts';

export class RaftReport {
  readonly #logger: Logger;
  readonly #events: EventSink;
  readonly #selfId: string;
  /** Index of the membership that was said last, or known at the start. */
  #membershipIndex: number;
  #isMember: boolean;
  readonly #faultOf: (address: string) => string | null;
  /** Addresses of members that were warned of. */
  #unreachable: ReadonlySet<string> = new Set();

  constructor(
    { logger, events }: Pick<ConductorPorts, 'logger' | 'events'>,
    selfId: string,
    known: IndexedConfiguration,
    faultOf: (address: string) => string | null = () => null,
  ) {
    this.#logger = logger;
    this.#events = events;
    this.#selfId = selfId;
    this.#membershipIndex = known.index;
    this.#isMember = isIn(known.configuration.servers, selfId);
    this.#faultOf = faultOf;
    this.#addresses(known.configuration.servers);
  }

  notice(notice: RaftNotice): void {
    switch (notice.kind) {
      case 'leader':
        return this.#leader(notice);
      case 'configuration':
        this.#addresses(notice.configuration.configuration.servers);
        if (notice.committed) this.#membership(notice.configuration);
        return;
      case 'snapshot': {
        const peer = notice.peerId === undefined ? {} : { peer: notice.peerId };
        return this.#logger.log('info', `snapshot ${notice.action}`, { index: notice.index, ...peer });
      }
      case 'recovered': {
        const { index, term } = notice;
        return this.#logger.log('info', 'recovered from an empty store', { index, term });
      }
      case 'warning':
        return this.#logger.log('warn', notice.message, { component: 'raft', ...notice.fields });
      case 'clockJump':
        return this.#logger.log(
          'warn',
          'time passed unseen: the machine was suspended or moved, or its clock was set',
          { ms: notice.ms },
        );
      case 'alarm':
        return this.#logger.log('error', notice.message, { component: 'raft', ...notice.fields });
      case 'role': // Said by the conductor, in the words alerts know.
      case 'verdict': // For whoever asked.
      case 'verdictAsked':
    }
  }

  #leader({ leaderId, address, term }: Extract<RaftNotice, { kind: 'leader' }>): void {
    if (leaderId === this.#selfId) return; // Said as a change of leadership.
    if (leaderId === null) this.#logger.log('info', 'no leader is known', { term });
    else {
      const leader = { leader: shortened(leaderId), addr: shortened(address ?? '') };
      this.#logger.log('info', 'following the leader', { ...leader, term });
    }
  }

  /** Warns of members that nobody here can reach, of each once. */
  #addresses(servers: readonly Server[]): void {
    const faulty = servers.filter(({ address }) => this.#faultOf(address) !== null);
    for (const { id, address } of faulty)
      if (!this.#unreachable.has(address))
        this.#logger.log(
          'warn',
          'a member can never be reached at its address: add it again with host and port as a number',
          { server: id, addr: address, err: this.#faultOf(address) },
        );
    this.#unreachable = new Set(faulty.map(({ address }) => address));
  }

  #membership({ index, configuration }: IndexedConfiguration): void {
    if (index <= this.#membershipIndex) return;
    this.#membershipIndex = index;
    const { servers } = configuration;
    this.#logger.log('info', 'cluster membership changed', { version: index, servers: servers.map(textOf) });
    this.#events.publish({
      kind: 'membership',
      version: index,
      servers: servers.map(({ id, address, suffrage }) => ({ id, address, suffrage: wordOf(suffrage) })),
    });
    const isMember = isIn(servers, this.#selfId);
    if (this.#isMember && !isMember) {
      this.#logger.log('warn', 'this server is no longer a member of the cluster', { version: index });
    }
    this.#isMember = isMember;
  }
}

function isIn(servers: readonly Server[], id: string): boolean {
  return servers.some((server) => server.id === id);
}

function textOf({ id, address, suffrage }: Server): string {
  return `${id} (${wordOf(suffrage)}, ${address})`;
}

function wordOf(suffrage: Suffrage): 'voter' | 'nonvoter' {
  return suffrage === Suffrage.voter ? 'voter' : 'nonvoter';
}
