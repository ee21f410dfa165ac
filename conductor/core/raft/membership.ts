/**
 * Cluster membership: which configuration is in force (the latest in the log, committed or not, thesis §4.1),
 * which one is committed, and the rules by which one server at a time is added, removed or demoted.
 * Outcomes and messages follow hashicorp/raft v1.7.3, except that unknown ids are errors.
 */
import { assert } from '../assert.ts';
import { SERVER_TEXT_BYTES_MAX, textBytes } from '../wire/configuration.ts';
import { votersOf } from './quorum.ts';
import { Suffrage, type Configuration, type IndexedConfiguration, type Server } from './types.ts';
import type { RaftCommand, RefusalReason } from './events.ts';

/** Bytes of all ids and addresses, so that a configuration stays far below what fits an entry. */
const CONFIGURATION_TEXT_BYTES_MAX = 1024 * 1024;
/** Counted for each server beside its texts: bounds their number below what can be decoded. */
const SERVER_BYTES = 16;

const NONE: IndexedConfiguration = { index: 0, configuration: { servers: [] } };

/** The configurations of the log, oldest first. */
export class Membership {
  #history: IndexedConfiguration[] = [NONE];

  /** In force: takes effect on append. */
  get latest(): IndexedConfiguration {
    return this.#history[this.#history.length - 1]!;
  }

  /** The configuration in force at an index of the log (for snapshots). */
  at(index: number): IndexedConfiguration {
    return this.#history.findLast((held) => held.index <= index) ?? NONE;
  }

  append(held: IndexedConfiguration): void {
    assert(held.index > this.latest.index, 'a configuration entry lies above the one before it');
    this.#history.push(held);
  }

  /** Forgets configurations whose entries left the log. */
  truncate(from: number): void {
    while (this.latest.index >= from && this.#history.length > 1) this.#history.pop();
  }

  /** Forgets what no snapshot can need: all but the one in force at `through` and those after. */
  compact(through: number): void {
    const keep = this.#history.findLastIndex((held) => held.index <= through);
    if (keep > 0) this.#history.splice(0, keep);
  }

  /** A snapshot brought its configuration; later ones from the log are kept when the log is. */
  install(held: IndexedConfiguration, keepLater: boolean): void {
    const later = keepLater ? this.#history.filter((other) => other.index > held.index) : [];
    this.#history = [held, ...later];
  }

  find(id: string): Server | undefined {
    return this.latest.configuration.servers.find((server) => server.id === id);
  }

  findByAddress(address: string): Server | undefined {
    return this.latest.configuration.servers.find((server) => server.address === address);
  }

  /** Whether a server is a member in the configuration committed last, as far as that is known, or in one since. */
  mayBeMember(id: string, commitIndex: number): boolean {
    const from = this.#history.findLastIndex((held) => held.index <= commitIndex);
    const held = this.#history.slice(Math.max(0, from));
    return held.some(({ configuration }) => configuration.servers.some((server) => server.id === id));
  }

  isVoter(id: string): boolean {
    return this.find(id)?.suffrage === Suffrage.voter;
  }
}

export type MembershipCommand = Extract<RaftCommand, { kind: 'addServer' | 'removeServer' | 'demoteVoter' }>;

export type MembershipChange =
  | { readonly kind: 'changed'; readonly configuration: Configuration }
  | { readonly kind: 'refused'; readonly reason: RefusalReason; readonly message: string };

/** The configuration a command leads to, or why it may not. Does not look at commit state; the caller does. */
export function changeConfiguration(current: IndexedConfiguration, command: MembershipCommand): MembershipChange {
  if (command.previousIndex > 0 && command.previousIndex !== current.index) {
    const message = `configuration changed since ${command.previousIndex} (latest is ${current.index})`;
    return { kind: 'refused', reason: 'configuration-changed', message };
  }
  const servers = [...current.configuration.servers];
  const at = servers.findIndex((server) => server.id === command.id);
  // A member of any size, which a Go leader took in, can still be removed.
  const problem =
    (at < 0 ? tooLong('id', command.id) : null) ??
    (command.kind === 'addServer' ? tooLong('address', command.address) : null);
  if (problem !== null) return { kind: 'refused', reason: 'invalid', message: problem };
  if (command.kind === 'addServer') {
    if (at < 0) servers.push({ id: command.id, address: command.address, suffrage: command.suffrage });
    else {
      const demotes = command.suffrage === Suffrage.nonvoter && servers[at]!.suffrage === Suffrage.voter;
      const suffrage = demotes ? Suffrage.voter : command.suffrage;
      servers[at] = { id: command.id, address: command.address, suffrage };
    }
  } else if (at < 0) {
    const message = `server ${command.id} is not a member of the cluster: nothing was changed`;
    return { kind: 'refused', reason: 'unknown-server', message };
  } else if (command.kind === 'removeServer') servers.splice(at, 1);
  else servers[at] = { ...servers[at]!, suffrage: Suffrage.nonvoter };
  if (command.kind === 'addServer' && sumOfTexts(servers) > CONFIGURATION_TEXT_BYTES_MAX) {
    const message = `the ids and addresses of all servers would have more than ${CONFIGURATION_TEXT_BYTES_MAX} bytes`;
    return { kind: 'refused', reason: 'invalid', message };
  }
  return checkConfiguration({ servers });
}

/** Says that an id or address is longer than a server may have; null when it is not. */
export function tooLong(what: 'id' | 'address', text: string): string | null {
  const bytes = textBytes(text);
  if (bytes <= SERVER_TEXT_BYTES_MAX) return null;
  return `the server ${what} has ${bytes} bytes, at most ${SERVER_TEXT_BYTES_MAX} can be sent to other servers`;
}

function sumOfTexts(servers: readonly Server[]): number {
  return servers.reduce((sum, { id, address }) => sum + SERVER_BYTES + textBytes(id) + textBytes(address), 0);
}

/** Every configuration names each id and address once, leaves none empty, and keeps a voter. */
function checkConfiguration(configuration: Configuration): MembershipChange {
  const ids = new Set<string>();
  const addresses = new Set<string>();
  const refuse = (reason: RefusalReason, message: string): MembershipChange => ({ kind: 'refused', reason, message });
  for (const server of configuration.servers) {
    if (server.id === '') return refuse('invalid', 'empty ID in configuration');
    if (server.address === '') return refuse('invalid', `empty address in configuration: ${server.id}`);
    if (ids.has(server.id)) return refuse('duplicate', `found duplicate ID in configuration: ${server.id}`);
    if (addresses.has(server.address)) {
      return refuse('duplicate', `found duplicate address in configuration: ${server.address}`);
    }
    ids.add(server.id);
    addresses.add(server.address);
  }
  if (votersOf(configuration).length === 0) return refuse('invalid', 'need at least one voter in configuration');
  return { kind: 'changed', configuration };
}
