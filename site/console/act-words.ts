/** How the page calls what the operators' tool does, and where its buttons stand. */
import type { ClusterNow } from '../../conductor/console/protocol.ts';

export interface ActWords {
  readonly title: string;
  /** On the button that begins it. */
  readonly verb: string;
  readonly group: string;
  /** Before the servers. */
  readonly who: string;
  /** The name of the cluster is to be written down first: it is for the worst day. */
  readonly isGrave?: true;
}

export const actWords: Readonly<Record<string, ActWords>> = {
  transfer: { title: 'Hand leadership over', verb: 'Hand over', group: 'Leadership', who: 'To' },
  pause: { title: 'Pause', verb: 'Pause', group: 'Leadership', who: 'Conductors' },
  resume: { title: 'Resume', verb: 'Resume', group: 'Leadership', who: 'Conductors' },
  join: { title: 'Join', verb: 'Take in', group: 'Members', who: 'Server' },
  leave: { title: 'Leave', verb: 'Take out', group: 'Members', who: 'Server' },
  rolling: { title: 'Rolling', verb: 'Deploy', group: 'Deploy', who: '' },
  canary: { title: 'Canary', verb: 'Deploy', group: 'Deploy', who: 'First' },
  bluegreen: { title: 'Blue/green', verb: 'Deploy', group: 'Deploy', who: 'First' },
  repair: { title: 'Repair', verb: 'Repair', group: 'Emergency', who: '', isGrave: true },
  stop: { title: 'Stop', verb: 'Stop', group: 'Emergency', who: 'Conductor' },
  override: { title: 'Override', verb: 'Override', group: 'Emergency', who: 'Server that is left', isGrave: true },
};

/** Buttons by group, in order. */
export const actGroups: readonly (readonly [group: string, commands: readonly string[]])[] = [
  'Leadership',
  'Members',
  'Deploy',
  'Emergency',
].map((group) => [group, Object.keys(actWords).filter((command) => actWords[command]?.group === group)] as const);

/** Where nothing else was said, what is chosen: who is likely to be meant. */
export function likelyServers(command: string, { servers, leader }: Pick<ClusterNow, 'servers' | 'leader'>): string[] {
  const others = servers.filter(({ id }) => id !== leader);
  const of = (found: { readonly id: string } | undefined): string[] => (found === undefined ? [] : [found.id]);
  switch (command) {
    case 'transfer':
      return of(others.find(({ state }) => state.answers && state.isPaused !== true));
    case 'resume':
      return servers.filter(({ state }) => state.isPaused === true).map(({ id }) => id);
    case 'join':
      return of(servers.find(({ state }) => state.role === 'outside') ?? others[0]);
    case 'override':
      return of(servers.find(({ state }) => state.answers) ?? servers[0]);
    case 'pause':
      return [];
    default:
      return of(others.find(({ state }) => state.answers) ?? others[0]);
  }
}
