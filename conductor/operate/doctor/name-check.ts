/** Names and addresses: whether others can reach this server as it advertises itself, and it can reach them. */
import { isLoopback } from '#conductor/adapters/system/loopback';
import { parseHostPort } from '#conductor/adapters/tcp/address';
import { systemResolve } from '#conductor/adapters/tcp/dial';
import { messageOf } from '#conductor/core/errors';
import type { Server } from '#conductor/core/raft/types';
import { isListening } from '../store/answering.ts';
import { text } from '#conductor/host/settings/config-values';
import { findingsOf, flagLink, type Finding } from './finding.ts';
import { membershipOf, ownAddress, type Subject } from './subject.ts';

const { good, warning, bad, unseen } = findingsOf('names');

/** `stored` are the members in the store, for a conductor that does not run. Never rejects. */
export async function checkNames(subject: Subject, stored: readonly Server[]): Promise<Finding[]> {
  const members = membershipOf(subject.conductor);
  const { values, config } = subject;
  const id = values === null ? '' : text(values, 'raft.server.id');
  const findings: Finding[] = [];
  const address = ownAddress(config);
  if (address !== null) findings.push(...(await checkOwn(subject, address)));
  const self = members?.find((member) => member.id === id);
  const advertised = config?.consensus?.advertised ?? '';
  const link = flagLink('consensus.advertised');
  if (self !== undefined && advertised !== '' && self.addr !== advertised)
    findings.push(
      bad(
        `the members know ${id} as ${self.addr}, and it advertises ${advertised}`,
        `Advertise ${self.addr}, or let it leave and join again.`,
        link,
      ),
    );
  else if (self !== undefined) findings.push(good(`the members know ${id} at ${self.addr}`));
  const known = members ?? stored.map((one) => ({ id: one.id, addr: one.address }));
  const others = known.filter((member) => member.id !== id);
  const holder = self === undefined ? others.find(({ addr }) => addr === address) : undefined;
  if (address !== null && holder !== undefined && id !== '')
    findings.push(addressTaken({ id, address, holder: holder.id }));
  else if (self === undefined && members !== null && members.length > 0 && id !== '')
    findings.push(warning(`${id} is not in the membership its conductor knows`, `conductor join ${id}`));
  findings.push(...(await Promise.all(others.map((other) => checkOther(other.id, other.addr)))));
  return findings;
}

/** It would be taken for the other one: there is one server at an address. */
function addressTaken({ id, address, holder }: Readonly<Record<'id' | 'address' | 'holder', string>>): Finding {
  return bad(
    `${address}, which ${id} advertises, is the raft address of ${holder}`,
    `Set --raft.server.id to ${holder} if this is that server, else advertise an address of its own.`,
    flagLink('raft.server.id'),
  );
}

async function checkOwn({ conductor }: Subject, address: string): Promise<Finding[]> {
  const link = flagLink('consensus.advertised');
  const target = parseHostPort(address);
  if (target === null) return [bad(`${address} is no address that others could dial`, 'Advertise host:port.', link)];
  const findings: Finding[] = [];
  if (isLoopback(target.host))
    findings.push(
      warning(
        `${address} reaches this machine only: servers on others cannot connect`,
        'Advertise a name or address that they know.',
        link,
      ),
    );
  if (!target.isLiteral) findings.push(await checkResolution(target.host));
  if (findings.some(({ verdict }) => verdict === 'bad')) return findings;
  const isOpen = await isListening(address);
  if (conductor.why !== '')
    findings.push(
      isOpen
        ? warning(`somebody listens at ${address} while this conductor's RPC does not answer`, 'Look who has the port.')
        : unseen(`nobody listens at ${address} yet: the conductor does not run`),
    );
  else if (isOpen) findings.push(good(`its raft port is open at ${address}`));
  else
    findings.push(
      bad(
        `the conductor runs, and from here nobody answers at ${address}`,
        'Look at --consensus.addr and --consensus.port, the firewall, and where the name leads.',
        link,
      ),
    );
  return findings;
}

async function checkResolution(host: string): Promise<Finding> {
  try {
    const addresses = await systemResolve(host);
    return good(`${host} is ${addresses.join(', ')} here`);
  } catch (error) {
    return bad(
      `${host} cannot be resolved here: ${messageOf(error)}`,
      'Fix the name, or advertise another one; the others must know it, too.',
      flagLink('consensus.advertised'),
    );
  }
}

async function checkOther(id: string, address: string): Promise<Finding> {
  if (await isListening(address)) return good(`${id} can be reached at ${address}`);
  return warning(`${id} cannot be reached at ${address}`, 'Look whether it runs, its name, and the firewall between.');
}
