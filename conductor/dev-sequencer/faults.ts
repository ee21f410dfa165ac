/**
 * What can be made to go wrong in a development sequencer while it runs. Tests and people set
 * these through dev_ methods; every other module only reads them.
 */

/** Largest delay that can be asked for, in milliseconds. */
export const FAULT_DELAY_MS_MAX = 60_000;

/** The switches; all off in a healthy node. */
export interface Faults {
  /** The unsafe head neither grows by own blocks nor by others'. */
  isHeadStalled: boolean;
  /** Milliseconds every answer of both ports is held back, 0..FAULT_DELAY_MS_MAX. */
  answerDelayMs: number;
  /** The next admin_stopSequencer fails and changes nothing. */
  failsNextStop: boolean;
  /** How many of the next own blocks are not told to anybody; Infinity for all. */
  gossipDropsLeft: number;
  /** Share of gossip messages lost, 0..1. */
  gossipLoss: number;
  /** Milliseconds between publishing a block and sending it to peers. */
  gossipDelayMs: number;
  /** Milliseconds between taking a payload in and inserting it. */
  insertDelayMs: number;
  /** Peer counts are reported as 0. */
  hidesPeers: boolean;
  /** Missing blocks are not fetched from peers. */
  isPeerSyncOff: boolean;
  /** How many of the next seals are spoilt; Infinity for all. */
  invalidSealsLeft: number;
  /** Which: any, or those with more than one transaction; 'sticky' gives the same bad block for a job again. */
  invalidSealKind: InvalidSealKind;
  /** Hashes that this execution client alone calls invalid. */
  rejectedHashes: readonly string[];
  /** Milliseconds the execution of a payload takes longer. */
  executionDelayMs: number;
  execution: ExecutionState;
}

/** Which seals `invalidSealsLeft` counts. */
export type InvalidSealKind = 'any' | 'full' | 'sticky';
export const INVALID_SEAL_KINDS: readonly InvalidSealKind[] = ['any', 'full', 'sticky'];

/**
 * How the execution client is: 'down' refuses connections, 'frozen' answers nothing, 'syncing' knows nothing new,
 * 'stopping' says VALID without executing, 'broken' says INVALID of whatever it does not know, and remembers that.
 */
export type ExecutionState = 'up' | 'down' | 'frozen' | 'syncing' | 'stopping' | 'broken';
export const EXECUTION_STATES: readonly ExecutionState[] = ['up', 'down', 'frozen', 'syncing', 'stopping', 'broken'];

/** Milliseconds an inserted payload takes by default: long enough that nobody may take it for synchronous. */
const INSERT_DELAY_DEFAULT_MS = 5;

/** All faults off. */
export function noFaults(): Faults {
  return {
    isHeadStalled: false,
    answerDelayMs: 0,
    failsNextStop: false,
    gossipDropsLeft: 0,
    gossipLoss: 0,
    gossipDelayMs: 0,
    insertDelayMs: INSERT_DELAY_DEFAULT_MS,
    hidesPeers: false,
    isPeerSyncOff: false,
    invalidSealsLeft: 0,
    invalidSealKind: 'any',
    rejectedHashes: [],
    executionDelayMs: 0,
    execution: 'up',
  };
}
