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
  '/simulator/oracles/alarm-laws.ts': withoutLaws('whatIsSickStands'),
  '/simulator/oracles/answer-laws.ts': withoutLaws('answersAgree', 'healthIsTold', 'unreadyIsTold'),
  '/simulator/oracles/proxy-laws.ts': withoutLaws('proxiedByLeaders', 'proxiedIsServed'),
  '/simulator/oracles/call-laws.ts': withoutLaws(
    ...['everyCallIsAnswered', 'refusedIsNeverCommitted', 'activeIsWhatWasTold', 'oneSaysThatItLeads'],
  ),
  '/simulator/oracles/durable-laws.ts': withoutLaws(
    'committedIsKept',
    'membersAreTheLogs',
    'copiesAreThere',
    'toldDamageEndsNothing',
  ),
  '/simulator/oracles/ending-laws.ts': withoutLaws('allAreBack', 'allAreReady', 'oneSequencerAtRest'),
  '/simulator/oracles/fast-laws.ts': withoutLaws('killedLeaderIsReplaced', 'silentLeaderIsReplaced'),
  '/simulator/oracles/flashblock-laws.ts': withoutLaws('oneHandsOnFlashblocks'),
  '/simulator/oracles/hand-over-laws.ts': withoutLaws(
    'heirHoldsTheLog',
    'heirHasAMajority',
    'endHandsOverFirst',
    'handOverIsTold',
    'heirIsNotKnownUnfit',
  ),
  '/simulator/oracles/membership-laws.ts': withoutLaws('changesAreTheCallers', 'takenChangesCommit'),
  '/simulator/oracles/meanwhile-laws.ts': withoutLaws('servesWhileItCan'),
  '/simulator/oracles/move-laws.ts': withoutLaws('heldBlocksStay', 'movesOnProof'),
  '/simulator/oracles/operator-laws.ts': withoutLaws(
    'pausedStandsStill',
    'pausedIsTold',
    'resumedIsAsItShould',
    'endsInOrder',
  ),
  '/simulator/oracles/override-laws.ts': withoutLaws('overriddenStandsStill', 'overrideStandsAlone'),
  '/simulator/oracles/rate-laws.ts': withoutLaws('ratesAreBounded'),
  '/simulator/oracles/read-laws.ts': withoutLaws('readsSeeTheLog'),
  '/simulator/oracles/recover-mode-law.ts': withoutLaws('recoverModeIsGivenBack'),
  '/simulator/oracles/repair-laws.ts': withoutLaws('givenUpIsDead', 'givenUpIsReplaced'),
  '/simulator/oracles/service-laws.ts': withoutLaws('availability', 'boundedResources', 'chainGoesOn'),
  '/simulator/oracles/settled-leader-laws.ts': withoutLaws(
    'leadershipIsHandedOver',
    'leadershipIsKept',
    'takeoverIsQuick',
  ),
  '/simulator/oracles/settling-laws.ts': withoutLaws('leadershipSettles'),
  '/simulator/oracles/stall-laws.ts': withoutLaws('stallEndsLeadership'),
  '/simulator/oracles/verdict-laws.ts': withoutLaws('refusedIsNotAcknowledged'),
  '/simulator/oracles/word-law.ts': withoutLaws('movesOnWordAlone'),
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

/** A module of laws, beside oracle.ts, in which none is judged. */
function withoutLaws(...names: readonly string[]): string {
  const laws = names.map((name) => `${name} = leftOut`);
  return `import { leftOut } from './oracle.ts'; export const ${laws.join(', ')};`;
}

/** A plugin for builds whose code runs in a browser's worker. */
export function keepClusterSmall(): Plugin {
  return {
    name: 'keep-cluster-small',
    enforce: 'pre',
    load: (id) => {
      const path = id.replaceAll('\\', '/');
      return Object.entries(INSTEAD).find(([file]) => path.endsWith(file))?.[1] ?? null;
    },
    transform: (code, id) =>
      id.replaceAll('\\', '/').endsWith(methodsFile) ? { code: code.replaceAll(saidOfMethods, "''"), map: null } : null,
  };
}
