/**
 * Blocks of settings on a page as environment variables of one server: what stands in angle brackets is filled
 * in, nothing else.
 */
import { parse } from 'yaml';

/** A chain of --network whose blocks come every second, as the development sequencers' do. */
const NETWORK = 'unichain-sepolia';
/** Added to the settings: leadership must not change by itself where a busy machine stops a process for a while. */
export const slowTimers = { OP_CONDUCTOR_RAFT_HEARTBEAT_TIMEOUT: '5s', OP_CONDUCTOR_RAFT_LEASE_TIMEOUT: '4s' } as const;

/** Environment variables, as a block of the page has them. */
export type Settings = Readonly<Record<string, string>>;

/** A YAML block of the page for one server, with what stands in angle brackets filled in. */
export function settingsFor(at: number, ...blocks: readonly string[]): Settings {
  const names: Readonly<Record<string, string>> = {
    '<conductor>': `conductor-${at}`,
    '<op-node>': `op-node-${at}`,
    '<op-geth>': `op-geth-${at}`,
    '<sequencer>': `sequencer-${at}`,
    '<network>': NETWORK,
  };
  const merged = Object.assign({}, ...blocks.map((block) => parse(block) as unknown)) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(merged).map(([name, value]) => {
      if (typeof value !== 'string') throw new Error(`${name} is no text: quote it, so that YAML keeps it as it is`);
      return [name, value.replaceAll(/<[a-z-]+>/g, (open) => names[open] ?? open)];
    }),
  );
}
