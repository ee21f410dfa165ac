/**
 * Leaves out of the page's cluster what its runs have no use for. The vector code of Keccak: its blocks hold a few
 * transactions, and KeccakPairs hashes one by one where there is no module that an engine takes. The OpenRPC document,
 * which no page asks for, and the texts in it; events and gauges, which nobody reads; the types of proxied answers;
 * what finds a node that does not wait for its conductor. The simulator's op-conductors, what happens
 * beside them alone, and by which laws they are judged: site/islands/live-cluster/run-of-moment.ts refuses runs that have
 * any. The laws of calls, members, pauses, overrides, hand-overs, reads, rates, repairs and stalls, of leaders that are
 * well, of alarms, of verdicts, of what disks hold, of service, and of how a run ends: a page makes few calls, shows what each came to,
 * goes on for as long as it is watched, and does not count these laws, nor how often things happen or were judged.
 */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const INSTEAD: Readonly<Record<string, string>> = {
  '/conductor/core/payload/keccak-pair-code.ts':
    'export const keccakPairModule = () => new Uint8Array(); export const roundConstants = keccakPairModule;',
  '/conductor/core/commit-events.ts': 'export class CommitEvents { tipIs() {} }',
  '/conductor/core/gauges.ts': 'export const publishGauges = () => undefined;',
  '/conductor/core/order-events.ts': 'export const withOrderEvents = (host) => host;',
  '/conductor/core/rpc/answer-shape.ts':
    "import { writeExact } from './exact-json.ts'; export const shapeAnswer = (_, value) => ({ json: writeExact(value) });",
  '/conductor/core/rpc/openrpc.ts': 'export const openRpcDocument = () => ({});',
  '/conductor/core/rpc/rollup-shapes.ts':
    'export const outputShape = {}; export const [rollupConfigShape, syncStatusShape] = [{}, {}];',
  '/conductor/core/rpc/refused-blocks.ts': 'export class RefusedBlocks { add() {} has() {} }',
  '/simulator/forgotten-tail.ts': 'export const forgottenTail = () => undefined;',
  '/simulator/tally.ts': 'export const tallyOf = () => new Map();',
  '/simulator/op-conductor/op-conductor.ts': 'export class OpConductor {}',
  '/simulator/oracles/mixed-laws.ts':
    'export const mixedScopes = {}; export const inMixedCluster = (oracle) => oracle;',
  '/simulator/sometimes.ts': 'export const watchForSometimes = () => ({});',
  '/simulator/oracles/second-blocks.ts': 'export class SecondBlocks {}',
};

/** The table of methods; and what is said there of methods, parameters and results, for the OpenRPC document alone. */
const methodsFile = '/conductor/core/rpc/methods.ts';
const saidOfMethods = /(?<=\bdoc: |\['[^']+',\s+)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?=\s*[,}\]])/g;

/** Files of laws, and those of them that a page judges. */
const lawsFile = /\/simulator\/oracles\/[a-z-]+-laws?\.ts$/;
const judgedLaws = /\/(?:chain|commit|invariant|leadership|log|observation)-laws?\.ts$/;
const lawNames = /(?<=^export const )\w+(?=: Law\b)/gm;

/** What stands in the place of a file; null where it stays. */
function insteadOf(path: string): string | null {
  const known = Object.entries(INSTEAD).find(([file]) => path.endsWith(file))?.[1];
  if (known !== undefined || !lawsFile.test(path) || judgedLaws.test(path)) return known ?? null;
  const laws =
    readFileSync(path, 'utf8')
      .match(lawNames)
      ?.map((name) => `${name} = leftOut`) ?? [];
  return `import { leftOut } from './oracle.ts'; export const ${laws.join(', ')};`;
}

/** A plugin for builds whose code runs in a browser's worker. */
export function keepClusterSmall(): Plugin {
  return {
    name: 'keep-cluster-small',
    enforce: 'pre',
    load: (id) => insteadOf(id.replaceAll('\\', '/')),
    transform: (code, id) =>
      id.replaceAll('\\', '/').endsWith(methodsFile) ? { code: code.replaceAll(saidOfMethods, "''"), map: null } : null,
  };
}
