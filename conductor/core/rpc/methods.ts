/**
 * The method table: every JSON-RPC method we answer, with its parameters in both documented call forms, its result,
 * whether it changes anything (admin), and what answers it. Dispatch, the service, rpc_modules and the OpenRPC document
 * are made from it.
 */
import { Suffrage } from '../raft/types.ts';
import { clusterNodesOf, clusterNodesResult } from './cluster-nodes.ts';
import { admin, described, method, modulesResult, moduleVersions, read, type MethodDefinition } from './method.ts';
import { openRpcDocument } from './openrpc.ts';
import type { ParamSpec } from './params.ts';
import { proxiedMethods } from './proxied-methods.ts';
import { leaderOf, leaderResult, membershipOf, membershipResult, saysItLeads } from './reads.ts';

/** Names of the methods; what each does is in the table below. */
export type MethodName = (typeof methodTable)[number]['name'];

const id = {
  name: 'id',
  type: 'string',
  doc: 'Server id of the member',
  example: 'node-2',
} as const satisfies ParamSpec;
const address = {
  name: 'addr',
  type: 'string',
  doc: 'Its raft address, host:port',
  example: '127.0.0.1:50051',
} as const satisfies ParamSpec;
const version = {
  name: 'version',
  type: 'uint64',
  doc: 'Apply only if the membership still has this version; 0 means whatever it is',
  example: 0,
} as const satisfies ParamSpec;

export const methodTable = [
  read(
    'conductor_leader',
    { result: 'bool', doc: 'Whether this node leads, or is overridden to say so.' },
    saysItLeads,
  ),
  read(
    'conductor_leaderWithID',
    { result: leaderResult, doc: 'The leader as this node knows it; empty texts when there is none.' },
    leaderOf,
  ),
  // Not whether the sequencer is active (rule 22).
  read(
    'conductor_active',
    { result: 'bool', doc: 'Whether the control loop acts: neither paused nor stopped.' },
    ({ control }) => !control.isPaused && !control.isStopped,
  ),
  read(
    'conductor_paused',
    { result: 'bool', doc: 'Whether the control loop is paused.' },
    ({ control }) => control.isPaused,
  ),
  read(
    'conductor_stopped',
    { result: 'bool', doc: 'Whether the conductor has been stopped.' },
    ({ control }) => control.isStopped,
  ),
  read(
    'conductor_sequencerHealthy',
    { result: 'bool', doc: 'The latest verdict on the own sequencer.' },
    ({ health }) => health.verdict?.isHealthy ?? true,
  ),
  read(
    'conductor_leaderOverridden',
    { result: 'bool', doc: 'Whether the leadership answer is overridden.' },
    ({ override }) => override.isOn,
  ),
  read(
    'conductor_clusterMembership',
    { result: membershipResult, doc: 'The members and the version that preconditions compare with.' },
    membershipOf,
  ),
  read(
    'conductor_clusterNodes',
    {
      result: clusterNodesResult,
      doc: "Where each member's node and execution client stand, what they show about the newest committed block, and how old that word is. A follower knows itself and its leader.",
      own: {
        area: 'rpc',
        opConductor: 'no method shows the heads of the nodes and clients of the members',
        ours: 'conductor_clusterNodes has the heads, the verdicts on the newest committed block, and their age',
        why: 'If nodes and log disagree, operators have to see the report of each.',
        shownBy: 'conductor_clusterNodes tells where node and client stand, and how old that is',
      },
    },
    clusterNodesOf,
  ),
  method(
    'conductor_commitUnsafePayload',
    [{ name: 'payload', type: 'payload', doc: 'Execution payload envelope as op-node sends it', example: {} }],
    { doc: 'Replicates an unsafe payload and answers when it is committed.' },
    ({ host }, { answerId }, { payload }) => host.commits.commit(answerId, payload),
  ),
  admin(
    'conductor_pause',
    [],
    { changes: 'paused', doc: 'Pauses the control loop: no action until resumed, everything else goes on.' },
    ({ changes }, call) => changes.pause(call),
  ),
  admin(
    'conductor_resume',
    [],
    { changes: 'paused', doc: "Resumes it, after reading the sequencer's real state." },
    ({ changes }, call) => changes.resume(call),
  ),
  admin(
    'conductor_stop',
    [],
    { changes: 'stopped', doc: 'Stops the conductor; it answers first.' },
    ({ changes }, call) => changes.stop(call),
  ),
  admin(
    'conductor_overrideLeader',
    [
      {
        name: 'override',
        type: 'bool',
        doc: 'true to claim leadership in answers, false to stop that',
        example: true,
        fallback: true,
      },
    ],
    {
      changes: 'overridden',
      doc: 'Makes this node answer that it leads, and leaves its sequencer to you: it is neither started nor stopped, and leadership is handed to nobody. Never admits a commit on a node that does not lead.',
    },
    ({ changes }, call, isOverridden) => changes.override(call, isOverridden),
  ),
  admin(
    'conductor_addServerAsVoter',
    [id, address, version],
    { changes: 'version', doc: 'Adds a voter, promotes a nonvoter or changes an address.' },
    ({ changes }, call, ...server) => changes.add(call, Suffrage.voter, ...server),
  ),
  admin(
    'conductor_addServerAsNonvoter',
    [id, address, version],
    { changes: 'version', doc: 'Adds a member that replicates but does not vote.' },
    ({ changes }, call, ...server) => changes.add(call, Suffrage.nonvoter, ...server),
  ),
  admin(
    'conductor_removeServer',
    [id, version],
    { changes: 'version', doc: 'Removes a member.' },
    ({ changes }, call, ...server) => changes.leave(call, 'removeServer', ...server),
  ),
  admin(
    'conductor_demoteVoter',
    [id, version],
    { changes: 'version', doc: 'Turns a voter into a nonvoter.' },
    ({ changes }, call, ...server) => changes.leave(call, 'demoteVoter', ...server),
  ),
  admin(
    'conductor_transferLeader',
    [],
    { changes: 'leader', doc: 'Hands leadership to the best peer; success without effect on a follower.' },
    ({ changes }, call) => changes.transfer(call),
  ),
  admin(
    'conductor_transferLeaderToServer',
    [id, address, { ...version, fallback: 0n }],
    { changes: 'leader', doc: 'Hands leadership to the named peer.' },
    ({ changes }, call, ...target) => changes.transferTo(call, ...target),
  ),
  admin(
    'conductor_giveUpBlock',
    [
      { name: 'number', type: 'uint64', doc: 'Height of the lowest block to give up', example: 1 },
      { name: 'hash', type: 'string', doc: 'Its hash', example: `0x${'00'.repeat(32)}` },
    ],
    {
      changes: 'givenUp',
      doc: 'Lets the leader build below a committed block that nobody can build on; what is committed above it goes, too. Without proof by the nodes, refused while a server that answers has the block, stands on it, or has it in its safe chain.',
      own: {
        area: 'control',
        opConductor:
          'a committed block that no node can build on is given up by pausing all and starting a sequencer by hand',
        ours: 'conductor_giveUpBlock, an admin method: unless the nodes prove it, refused while a server that answers has the block or has it in its safe chain',
        why: 'The log must follow, and no block on which a node can build may be given up.',
        shownBy: 'lets the leader go on below the block, in one entry, which is audited',
      },
    },
    ({ changes }, call, number, hash) => changes.giveUp(call, number, hash),
  ),
  ...proxiedMethods,
  read('health_status', { result: 'string', doc: 'The version of the binary.' }, ({ options }) => options.version),
  described('rpc_modules', { result: modulesResult, doc: 'The modules that have methods here.' }, moduleVersions),
  described(
    'rpc.discover',
    {
      result: { words: 'OpenRPC document', schema: { type: 'object', required: ['openrpc', 'info', 'methods'] } },
      doc: 'This very list, as an OpenRPC document.',
    },
    openRpcDocument,
  ),
] as const satisfies readonly MethodDefinition[];

const byName = new Map<string, MethodDefinition>(methodTable.map((row) => [row.name, row]));

/** The definition of a method, or undefined. Names are compared exactly. */
export function findMethod(name: string): (MethodDefinition & { readonly name: MethodName }) | undefined {
  return byName.get(name) as (MethodDefinition & { readonly name: MethodName }) | undefined;
}
