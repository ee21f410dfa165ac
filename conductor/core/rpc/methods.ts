/**
 * The method table: every JSON-RPC method we answer, with its parameters in both documented call
 * forms, its result and whether it changes anything (admin). Dispatch, rpc_modules and the
 * OpenRPC document are made from it.
 */
import type { Shape } from './answer-shape.ts';
import type { ParamSpec } from './params.ts';
import { outputShape, rollupConfigShape, syncStatusShape } from './rollup-shapes.ts';

/** Names of the methods; what each does is in the table below. */
export type MethodName = (typeof methodTable)[number]['name'];

export interface MethodDefinition {
  readonly name: string;
  readonly params: readonly ParamSpec[];
  /** Shape of the result in a few words. */
  readonly result: string;
  readonly doc: string;
  /** Changes the cluster or this node: needs --rpc.enable-admin (rule 23). */
  readonly admin: boolean;
  /** Answered by the node or the execution client behind this conductor: needs --rpc.enable-proxy. */
  readonly proxy?: ProxySpec;
}

/** How a method is proxied. */
export interface ProxySpec {
  readonly target: 'node' | 'execution';
  /** Type of the answer. */
  readonly shape: Shape;
  /**
   * What comes of a backend's error with data: 'forwarded' keeps code and data, 'flattened' becomes
   * -32000 with the data in the message. Two clients of theirs differ in this.
   */
  readonly errorData: 'forwarded' | 'flattened';
  /** The first parameter is a height in hex whose problems are errors of the call itself. */
  readonly isHeightChecked?: boolean;
  /** Changes something behind us: where credentials are set, callers must have them, as for admin methods. */
  readonly isGuarded?: boolean;
}

const id: ParamSpec = { name: 'id', type: 'string', doc: 'Server id of the member' };
const address: ParamSpec = { name: 'addr', type: 'string', doc: 'Its raft address, host:port' };
const version: ParamSpec = {
  name: 'version',
  type: 'uint64',
  doc: 'Apply only if the membership still has this version; 0 means whatever it is',
};

function read<const Name extends string>(name: Name, result: string, doc: string) {
  return { name, params: [] as readonly ParamSpec[], result, doc, admin: false };
}

function admin<const Name extends string>(name: Name, params: readonly ParamSpec[], doc: string) {
  return { name, params, result: 'null', doc, admin: true };
}

function proxied<const Name extends string>(
  name: Name,
  params: readonly ParamSpec[],
  proxy: ProxySpec,
  [result, doc]: readonly [result: string, doc: string],
) {
  return { name, params, result, doc: `${doc} Answered by the leader only.`, admin: false, proxy };
}

export const methodTable = [
  read('conductor_leader', 'bool', 'Whether this node leads, or is overridden to say so.'),
  read(
    'conductor_leaderWithID',
    '{id, addr, suffrage}',
    'The leader as this node knows it; empty texts when there is none.',
  ),
  read('conductor_active', 'bool', 'Whether the control loop acts: neither paused nor stopped.'),
  read('conductor_paused', 'bool', 'Whether the control loop is paused.'),
  read('conductor_stopped', 'bool', 'Whether the conductor has been stopped.'),
  read('conductor_sequencerHealthy', 'bool', 'The latest verdict on the own sequencer.'),
  read('conductor_leaderOverridden', 'bool', 'Whether the leadership answer is overridden.'),
  read(
    'conductor_clusterMembership',
    '{servers: [{id, addr, suffrage}], version}',
    'The members and the version that preconditions compare with.',
  ),
  read(
    'conductor_clusterNodes',
    '{committed, nodes: [{id, …, node, client, safe, verdict}], disputed, givenUp}',
    "Where each member's node and execution client stand, what they show about the newest committed block, and how old that word is. A follower knows itself and its leader. Not a method of op-conductor.",
  ),
  {
    name: 'conductor_commitUnsafePayload',
    params: [
      { name: 'payload', type: 'payload', doc: 'Execution payload envelope as op-node sends it' },
    ] as readonly ParamSpec[],
    result: 'null',
    doc: 'Replicates an unsafe payload and answers when it is committed.',
    admin: false,
  },
  admin('conductor_pause', [], 'Pauses the control loop: no action until resumed, everything else goes on.'),
  admin('conductor_resume', [], "Resumes it, after reading the sequencer's real state."),
  admin('conductor_stop', [], 'Stops the conductor; it answers first.'),
  admin(
    'conductor_overrideLeader',
    [
      {
        name: 'override',
        type: 'bool',
        doc: 'true to claim leadership in answers, false to stop that',
        fallback: true,
      },
    ],
    'Makes this node answer that it leads. Never admits a commit on a node that does not, and does not stop it from stopping a sequencer that it does not lead: pause it first.',
  ),
  admin(
    'conductor_addServerAsVoter',
    [id, address, version],
    'Adds a voter, promotes a nonvoter or changes an address.',
  ),
  admin('conductor_addServerAsNonvoter', [id, address, version], 'Adds a member that replicates but does not vote.'),
  admin('conductor_removeServer', [id, version], 'Removes a member.'),
  admin('conductor_demoteVoter', [id, version], 'Turns a voter into a nonvoter.'),
  admin('conductor_transferLeader', [], 'Hands leadership to the best peer; success without effect on a follower.'),
  admin(
    'conductor_transferLeaderToServer',
    [id, address, { ...version, fallback: 0n }],
    'Hands leadership to the named peer.',
  ),
  admin(
    'conductor_giveUpBlock',
    [
      { name: 'number', type: 'uint64', doc: 'Height of the lowest block to give up' },
      { name: 'hash', type: 'string', doc: 'Its hash' },
    ],
    'Lets the leader build below a committed block that nobody can build on, where the nodes do not prove it by themselves; what is committed above it goes, too. Refused while a server that answers has the block, stands on it, or has it in its safe chain. Not a method of op-conductor.',
  ),
  proxied(
    'eth_getBlockByNumber',
    [
      { name: 'number', type: 'block', doc: 'Height in hex, or earliest, latest, pending, safe, finalized' },
      { name: 'fullTransactions', type: 'bool', doc: 'Whole transactions instead of their hashes' },
    ],
    { target: 'execution', shape: { kind: 'map' }, errorData: 'forwarded' },
    ['block', 'A block of the execution client.'],
  ),
  proxied(
    'miner_setMaxDASize',
    [
      { name: 'maxTxSize', type: 'quantity', doc: 'Most bytes of one transaction, 0 for no limit' },
      { name: 'maxBlockSize', type: 'quantity', doc: 'Most bytes of one block, 0 for no limit' },
    ],
    { target: 'execution', shape: { kind: 'bool' }, errorData: 'forwarded', isGuarded: true },
    ['bool', 'Limits the data that the execution client puts into blocks.'],
  ),
  proxied(
    'optimism_outputAtBlock',
    [{ name: 'number', type: 'string', doc: 'Height in hex' }],
    { target: 'node', shape: outputShape, errorData: 'flattened', isHeightChecked: true },
    ['output', 'The output root at a height.'],
  ),
  proxied('optimism_syncStatus', [], { target: 'node', shape: syncStatusShape, errorData: 'flattened' }, [
    'sync status',
    'The heads of the node.',
  ]),
  proxied('optimism_rollupConfig', [], { target: 'node', shape: rollupConfigShape, errorData: 'flattened' }, [
    'rollup configuration',
    "The node's rollup configuration.",
  ]),
  proxied('admin_sequencerActive', [], { target: 'node', shape: { kind: 'bool' }, errorData: 'flattened' }, [
    'bool',
    'Whether the sequencer is started.',
  ]),
  read('health_status', 'string', 'The version of the binary.'),
  read('rpc_modules', '{module: version}', 'The modules that have methods here.'),
  read('rpc.discover', 'OpenRPC document', 'This very list, as an OpenRPC document.'),
] as const satisfies readonly MethodDefinition[];

const byName = new Map<string, MethodDefinition>(methodTable.map((method) => [method.name, method]));

/** Whether callers must say who they are, where credentials are set. */
export function asksWhoCalls(method: MethodDefinition): boolean {
  return method.admin || method.proxy?.isGuarded === true;
}

/** The definition of a method, or undefined. Names are compared exactly. */
export function findMethod(name: string): (MethodDefinition & { readonly name: MethodName }) | undefined {
  return byName.get(name) as (MethodDefinition & { readonly name: MethodName }) | undefined;
}

/** Which methods a server offers beyond those that are always there. */
export interface Exposure {
  /** --rpc.enable-admin (rule 23). */
  readonly isAdminEnabled: boolean;
  /** --rpc.enable-proxy. */
  readonly isProxyEnabled: boolean;
}

/** The methods a server offers. */
export function offeredMethods({ isAdminEnabled, isProxyEnabled }: Exposure): readonly MethodDefinition[] {
  const all: readonly MethodDefinition[] = methodTable;
  return all.filter((method) => (isAdminEnabled || !method.admin) && (isProxyEnabled || method.proxy === undefined));
}

/** Result of rpc_modules: module names in order, each with version 1.0. */
export function moduleVersions(exposure: Exposure): Readonly<Record<string, string>> {
  const names = offeredMethods({ ...exposure, isAdminEnabled: true }).map((method) => method.name);
  const modules = new Set(names.filter((name) => name.includes('_')).map((name) => name.slice(0, name.indexOf('_'))));
  return Object.fromEntries([...modules].toSorted().map((name) => [name, '1.0']));
}
