/**
 * The arrows of the house as data: which part of the repository may import which, and who may
 * import platform modules and packages. conductor/README.md says the same in words.
 */

export interface Part {
  readonly name: string;
  /** The files that belong to it; the first part that matches a path owns it. */
  readonly files: RegExp;
  /** Names of the parts it may import; every part may import itself. */
  readonly mayImport: readonly string[];
  /** `anything`: bun:*, node:* and every package. A list: these packages only. */
  readonly mayUse: 'anything' | readonly string[];
  /** Part of the sans-IO core: no cycles between its files. */
  readonly isCore: boolean;
}

/** The one package the core may use: hashing in WebAssembly, the same in every host. */
const PURE_PACKAGES = ['hash-wasm'];

const CORE = [
  'foundation',
  'ports',
  'codecs',
  'raft',
  'wire',
  'payload',
  'control',
  'evidence',
  'health',
  'rpc',
  'conductor',
];

function core(name: string, files: RegExp, mayImport: readonly string[]): Part {
  return { name, files, mayImport, mayUse: PURE_PACKAGES, isCore: true };
}

function host(name: string, files: RegExp, mayImport: readonly string[]): Part {
  return { name, files, mayImport, mayUse: 'anything', isCore: false };
}

export const parts: readonly Part[] = [
  // What only tests import: no arrow leads here.
  host('support', /^[a-z]+\/(.+\/)?testing\//, [...CORE, 'adapters', 'cli', 'tables']),
  core('foundation', /^conductor\/(assert|errors|metrics|raft\/types)\.ts$|^conductor\/globals\.d\.ts$/, []),
  core('ports', /^conductor\/ports\.ts$/, ['foundation']),
  // What travels inside opaque byte fields of messages; raft reads it, the rest of wire frames it.
  core('codecs', /^conductor\/wire\/(configuration|go-time|hints|peers)\.ts$/, ['foundation', 'wire']),
  core('wire', /^conductor\/wire\//, ['foundation', 'codecs']),
  core('raft', /^conductor\/raft\//, ['foundation', 'ports', 'codecs']),
  core('payload', /^conductor\/payload\//, ['foundation', 'ports']),
  core('control', /^conductor\/control\//, CORE),
  core('evidence', /^conductor\/evidence\//, CORE),
  core('health', /^conductor\/health\//, CORE),
  core('rpc', /^conductor\/rpc\//, CORE),
  core('conductor', /^conductor\/[^/]+\.ts$/, CORE),
  host('adapters', /^conductor\/adapters\//, CORE),
  host('tables', /^conductor\/cli\/(documentation|flags|startup-differences)\.ts$/, CORE),
  host('cli', /^conductor\/cli\//, [...CORE, 'adapters', 'tables']),
  // Its command line and what starts processes; the rest runs in a browser, too.
  host('simulator-cli', /^simulator\/(main|mutants\/(main|hunt|hunting|load|install)|exhaustive\/hunt)\.ts$/, [
    'simulator',
  ]),
  {
    name: 'simulator',
    files: /^simulator\//,
    mayImport: CORE,
    mayUse: [...PURE_PACKAGES, 'fast-check'],
    isCore: false,
  },
  host('site', /^site\//, ['simulator', ...CORE, 'tables', 'shared']),
  host('tests', /^tests\//, [...CORE, 'adapters', 'tables', 'cli', 'scripts', 'shared', 'site', 'support']),
  // Measures single parts from inside.
  host('micro-benchmarks', /^bench\/micro\//, [...CORE, 'adapters', 'tables', 'bench', 'support']),
  // It offers blocks to whole servers, and must make blocks that they accept; and it times the simulator.
  host('bench', /^bench\//, ['foundation', 'tables', 'tests', 'payload', 'simulator', 'shared']),
  host('infra', /^infra\//, ['foundation', 'tables']),
  // Rules of command lines and of processes that several programs share.
  host('shared', /^scripts\/(port-option|process-life)\.ts$/, []),
  host('scripts', /^scripts\/|^[^/]+\.config\.ts$/, ['shared']),
];
