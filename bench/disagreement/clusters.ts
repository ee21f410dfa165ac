/**
 * Which conductors stand beside each other on a net of the disagreement benchmark, what ours are given to know of their
 * execution clients, and who leads when a round begins.
 */
import type { Implementation } from '../../tests/cluster/node-process.ts';
import type { RealNode } from '../realnet/real-node.ts';

export interface Cluster {
  readonly title: string;
  /** By node. */
  readonly members: readonly Implementation[];
  /** Who is to lead when a round begins. */
  readonly leads: Implementation;
  /** Further flags of ours. */
  readonly flagsOf: (node: RealNode) => readonly string[];
  /** Flags of op-geth that differ from the net's. */
  readonly gethFlags: readonly string[];
  /** The last node's L1 client is its own. */
  readonly hasOtherL1?: boolean;
  /** Each op-node's L1 is behind a proxy. */
  readonly hasL1Proxies?: boolean;
  /** Ours execute a block before they commit it: one that is invalid must reach nobody. */
  readonly isValidated: boolean;
}

export type ClusterName = keyof typeof table;

const ours = ['bun', 'bun', 'bun'] as const;
const five = ['bun', 'bun', 'bun', 'bun', 'bun'] as const;
const nothing = (): readonly string[] => [];
const engine = (node: RealNode): readonly string[] => [
  `--execution.engine-rpc=${node.engineUrl}`,
  `--execution.jwt-secret=${node.jwtSecretFile}`,
];
const plain = { members: ours, leads: 'bun', flagsOf: nothing, gethFlags: [], isValidated: false } as const;
const validated = { ...plain, flagsOf: engine, isValidated: true } as const;
/** What op-geth serves without the namespace in which it tells of bad blocks. */
const WITHOUT_DEBUG = '--http.api=web3,eth,txpool,net,miner,admin';

const table = {
  validated: { ...validated, title: 'ours, validated' },
  quorum: {
    ...{ ...validated, title: 'ours, validated by a majority' },
    flagsOf: (node: RealNode) => [...engine(node), '--consensus.validate=quorum'],
  },
  'validated-full-path': {
    ...{ ...validated, title: 'ours, validated, full path-scheme clients' },
    gethFlags: ['--gcmode=full', '--state.scheme=path'],
  },
  'validated-full-hash': {
    ...{ ...validated, title: 'ours, validated, full hash-scheme clients' },
    gethFlags: ['--gcmode=full', '--state.scheme=hash'],
  },
  'validated-l1': {
    ...{ ...validated, title: 'ours, validated, with an L1 endpoint' },
    flagsOf: (node: RealNode) => [...engine(node), `--l1.rpc=${node.l1Url}`],
  },
  'validated-other-l1': {
    ...{ ...validated, title: 'ours, validated, one with an L1 client of its own', hasOtherL1: true },
    flagsOf: (node: RealNode) => [...engine(node), `--l1.rpc=${node.l1Url}`],
  },
  'plain-other-l1': { ...plain, title: 'ours, no engine API, one with an L1 client of its own', hasOtherL1: true },
  'validated-late-l1': { ...validated, title: 'ours, validated, L1 behind proxies', hasL1Proxies: true },
  'plain-late-l1': { ...plain, title: 'ours, no engine API, L1 behind proxies', hasL1Proxies: true },
  unvalidated: {
    ...{ ...plain, title: 'ours, engine API without validation' },
    flagsOf: (node: RealNode) => [...engine(node), '--consensus.validate=off'],
  },
  plain: { ...plain, title: 'ours, no engine API' },
  blind: { ...plain, title: 'ours, no engine API, no debug namespace', gethFlags: [WITHOUT_DEBUG] },
  five: { ...validated, title: 'five of ours, validated', members: five },
  'five-unvalidated': {
    ...{ ...plain, title: 'five of ours, engine API without validation', members: five },
    flagsOf: (node: RealNode) => [...engine(node), '--consensus.validate=off'],
  },
  'five-blind': {
    ...{ ...plain, title: 'five of ours, no engine API, no debug namespace' },
    ...{ members: five, gethFlags: [WITHOUT_DEBUG] },
  },
  'one-go': { ...plain, title: 'two of ours, one op-conductor', members: ['bun', 'bun', 'go'] },
  'two-go': { ...plain, title: 'one of ours, two op-conductors', members: ['bun', 'go', 'go'] },
  'go-leads': {
    ...{ ...plain, title: 'op-conductor leads two of ours with engine API', leads: 'go' },
    ...{ members: ['bun', 'bun', 'go'], flagsOf: engine },
  },
  go: { ...plain, title: 'op-conductor', members: ['go', 'go', 'go'], leads: 'go' },
  'go-late-l1': {
    ...{ ...plain, title: 'op-conductor, L1 behind proxies', hasL1Proxies: true },
    ...{ members: ['go', 'go', 'go'], leads: 'go' },
  },
  'go-other-l1': {
    ...{ ...plain, title: 'op-conductor, one with an L1 client of its own', hasOtherL1: true },
    ...{ members: ['go', 'go', 'go'], leads: 'go' },
  },
} as const satisfies Readonly<Record<string, Cluster>>;

export const clusters: Readonly<Record<ClusterName, Cluster>> = table;
