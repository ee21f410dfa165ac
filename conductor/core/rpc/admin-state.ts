/** The piece of state that an admin method may change, as the audit log tells it before and after. */
import type { MethodName } from './methods.ts';
import type { ReadHost } from './reads.ts';

/** Its name and its present value; null for methods that change nothing this node can tell. */
export function adminState(
  method: MethodName,
  host: ReadHost,
): { readonly state: string; readonly value: string } | null {
  switch (method) {
    case 'conductor_pause':
    case 'conductor_resume':
      return { state: 'paused', value: String(host.control.isPaused) };
    case 'conductor_stop':
      return { state: 'stopped', value: String(host.control.isStopped) };
    case 'conductor_overrideLeader':
      return { state: 'overridden', value: String(host.isOverridden()) };
    case 'conductor_addServerAsVoter':
    case 'conductor_addServerAsNonvoter':
    case 'conductor_removeServer':
    case 'conductor_demoteVoter':
      return { state: 'version', value: String(host.status().configuration.index) };
    case 'conductor_giveUpBlock':
      return { state: 'givenUp', value: givenUpOf(host) };
    case 'conductor_transferLeader':
    case 'conductor_transferLeaderToServer':
      return { state: 'leader', value: host.status().leaderId ?? 'none' };
    default:
      return null;
  }
}

function givenUpOf(host: ReadHost): string {
  const { givenUp } = host.clusterNodes();
  return givenUp === null ? 'none' : `${givenUp.number} ${givenUp.hash}`;
}
