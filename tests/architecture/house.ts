/**
 * The arrows of the house as data: which part of the repository may import which, and who may import platform modules
 * and packages. Parts stand in order, what is imported before what imports it, so that every arrow leads downwards.
 * conductor/README.md says the same in words.
 */

export interface Part {
  readonly name: string;
  /** The files that belong to it; the first part that matches a path owns it. */
  readonly files: RegExp;
  /** Names of the parts it may import, all of them above it in this list; every part may import itself. */
  readonly mayImport: readonly string[];
  /** `anything`: bun:*, node:* and every package. A list: these packages only. */
  readonly mayUse: 'anything' | readonly string[];
  /** The part whose folder it shares: the two may import each other, file by file without cycles. */
  readonly room?: string;
}

/** The one package the core may use: hashing in WebAssembly, the same in every host. */
const PURE_PACKAGES = ['hash-wasm'];

const CORE = [
  'foundation',
  'ports',
  'codecs',
  'wire',
  'raft',
  'payload',
  'node',
  'health',
  'evidence',
  'control',
  'rpc',
  'conductor',
];
/** What a conductor is made of below its life: what can be asked of the platform, of a volume and of flags. */
const RINGS = [...CORE, 'process', 'adapters', 'tables', 'flags', 'migration'];

function core(name: string, files: RegExp, mayImport: readonly string[]): Part {
  return { name, files, mayImport, mayUse: PURE_PACKAGES };
}

function outer(name: string, files: RegExp, mayImport: readonly string[]): Part {
  return { name, files, mayImport, mayUse: 'anything' };
}

/** The parts of the core up to one of them, without it. */
function below(name: string): readonly string[] {
  return CORE.slice(0, CORE.indexOf(name));
}

export const parts: readonly Part[] = [
  // The core.
  core(
    'foundation',
    /^conductor\/core\/(assert|difference|edit-distance|errors|metrics|same-bytes|metrics\/[a-z]+|own-stall|published-event|raft\/types)\.ts$|^conductor\/core\/globals\.d\.ts$/,
    [],
  ),
  core('ports', /^conductor\/core\/ports\.ts$/, ['foundation']),
  // What travels inside opaque byte fields of messages; raft reads it, the rest of its room frames it.
  {
    ...core('codecs', /^conductor\/core\/wire\/(configuration|go-time|peer-status|peers)\.ts$/, ['foundation', 'wire']),
    room: 'wire',
  },
  core('wire', /^conductor\/core\/wire\/(?!testing\/)/, ['foundation', 'codecs']),
  core('raft', /^conductor\/core\/raft\/(?!testing\/)/, ['foundation', 'ports', 'codecs']),
  core('payload', /^conductor\/core\/payload\/(?!testing\/)/, ['foundation', 'ports']),
  core('node', /^conductor\/core\/node\/(?!testing\/)/, below('node')),
  core('health', /^conductor\/core\/health\/(?!testing\/)/, below('health')),
  core('evidence', /^conductor\/core\/evidence\/(?!testing\/)/, below('evidence')),
  core('control', /^conductor\/core\/control\/(?!testing\/)/, below('control')),
  // Calls are events of a conductor, and its events name calls.
  core('rpc', /^conductor\/core\/(rpc\/(?!testing\/)|events\.ts$)/, below('rpc')),
  core('conductor', /^conductor\/core\/(behaviour\/)?[^/]+\.ts$/, below('conductor')),

  // Which process it is that had a number, and locks by it: for everything that runs on a machine.
  outer('process', /^conductor\/adapters\/process\//, []),
  // The rings around it.
  outer('adapters', /^conductor\/adapters\/(?!(.+\/)?testing\/)/, CORE),
  // What pages and alerts are made from, too; it loads in a browser.
  outer('tables', /^conductor\/cli\/(documentation|flags|startup-differences|flags\/[a-z]+)\.ts$/, CORE),
  // Parsing, help and terminal: what every command line needs. Commands and main.ts are the last ring.
  outer('flags', /^conductor\/cli\/(?!main\.ts$|[a-z-]+-command\.ts$)/, [...CORE, 'tables']),
  outer('migration', /^conductor\/migration\/(?!testing\/)/, [...CORE, 'adapters']),
  outer('host', /^conductor\/host\/(?!testing\/)/, RINGS),
  // What the operators' tool makes of what it sees, without asking anybody: the simulator's operator goes by it, too.
  {
    ...outer(
      'judgement',
      /^conductor\/operate\/(advice|cluster-config|cluster-nodes|cluster-view|conductor-state|disputes|eligibility|node-state|printable|quorum|repair-plan|sequencers)\.ts$/,
      [],
    ),
    mayUse: [],
  },
  outer('operate', /^conductor\/operate\/(?!(.+\/)?testing\/)/, [...RINGS, 'host', 'judgement']),
  // What the console's server and its page say to each other; it loads in a browser.
  outer('console-protocol', /^conductor\/console\/protocol\.ts$/, []),
  outer('console', /^conductor\/console\//, [...RINGS, 'host', 'judgement', 'operate', 'console-protocol']),
  outer('dev-sequencer', /^conductor\/dev-sequencer\//, [...CORE, 'adapters', 'tables', 'flags']),
  outer('devnet', /^conductor\/devnet\//, [...RINGS, 'host', 'judgement', 'operate', 'console', 'dev-sequencer']),
  outer('program', /^conductor\/cli\//, [
    ...RINGS,
    'host',
    'judgement',
    'operate',
    'console',
    'dev-sequencer',
    'devnet',
  ]),

  {
    name: 'simulator',
    // Its command line and what starts processes stand above it; the rest runs in a browser, too.
    files: /^simulator\/(?!(main|shard-command)\.ts$|exhaustive\/hunt\.ts$|spec\/|(.+\/)?testing\/)/,
    mayImport: [...CORE, 'judgement'],
    mayUse: [...PURE_PACKAGES, 'fast-check'],
  },
  // A model checker that others wrote, and the modules of TLA+ beside it.
  outer('specifications', /^simulator\/spec\//, ['simulator', ...CORE]),
  {
    name: 'mutants',
    files: /^mutants\/(?!vitest\/|search\/|(main|load|options)\.ts$|simulation\/(hunt|hunting|install|simulate)\.ts$)/,
    mayImport: ['simulator'],
    mayUse: ['fast-check'],
  },
  outer('mutants-cli', /^mutants\//, ['mutants', 'simulator']),
  outer('simulator-cli', /^simulator\/(main|shard-command|exhaustive\/hunt)\.ts$/, [
    ...['simulator', 'specifications'],
    ...['mutants', 'mutants-cli'],
  ]),

  // What only tests import: no arrow leads here but theirs.
  outer('support', /^[a-z]+\/(.+\/)?testing\//, [...RINGS, 'host', 'judgement', 'operate']),
  // Makes the page of the console for the binary, and cuts the runbook.
  outer('console-build', /^site\/console\/(build|runbook-text)\.ts$/, []),
  // Rules of command lines, and tables of text, that several programs share.
  outer('shared', /^scripts\/(port-option|text-table)\.ts$/, []),
  outer('scripts', /^scripts\/|^[^/]+\.config\.ts$/, ['process', 'shared', 'console-build']),
  // What answers a search: pure, for it runs in browsers, on the edge and in the build alike. What makes the index, reads
  // it from a disk or talks to a page is the site's.
  {
    name: 'search',
    files:
      /^site\/search\/(answer|find|find-names|fragment|index-format|kinds|known-section|outline|query|rank|rarity|search-index|spelling|synonyms|tokenize|vocabulary)\.ts$/,
    mayImport: [],
    mayUse: [],
  },
  // Facts that pages and drawings show, as JSON.
  outer('facts', /^content\/data\//, []),
  outer('site', /^site\//, [
    'facts',
    'process',
    'search',
    'console-protocol',
    'simulator',
    ...CORE,
    'tables',
    'shared',
  ]),
  outer('tests', /^tests\//, [
    ...RINGS,
    ...[
      'host',
      'judgement',
      'operate',
      'console-protocol',
      'console',
      'dev-sequencer',
      'devnet',
      'support',
      'shared',
      'scripts',
      'search',
      'site',
    ],
  ]),
  // It offers blocks to whole servers, and must make blocks that they accept; it times the simulator, and counts
  // elections in the raft core's own test cluster.
  outer('bench', /^bench\/(?!micro\/)/, [
    'foundation',
    'process',
    'tables',
    'tests',
    'payload',
    'simulator',
    'shared',
    'support',
  ]),
  // Measures single parts from inside.
  outer('micro-benchmarks', /^bench\/micro\//, [...CORE, 'adapters', 'tables', 'bench', 'support', 'shared']),
  outer('infra', /^infra\//, ['foundation', 'tables', 'search']),
];

/** Imports that close a cycle which moves cannot open; what is here and closes none is told, so that it goes. */
export const knownCycles: readonly (readonly [file: string, imported: string])[] = [
  // A machine hosts a process, which acts on its machine, and an observer is told of both.
  ['simulator/machine.ts', 'simulator/conductor-process.ts'],
  ['simulator/machine.ts', 'simulator/observer.ts'],
  // A node has a sequencing loop and a queue of payloads, which act on their node.
  ['simulator/rollup-node.ts', 'simulator/sequencing.ts'],
  ['simulator/rollup-node.ts', 'simulator/unsafe-payloads.ts'],
  // A world builds its machines, which live in it.
  ['simulator/world.ts', 'simulator/machine-building.ts'],
];
