/**
 * Where the pages name servers, ports and a network, and what stands there for a reader's own. Pure: text in, places
 * out. Names (`conductor-0`, `sequencer-$n`, `<op-node>`) mean the same on every page; loopback addresses are a
 * reader's own server where the page is about running one.
 */
import { byNumber, numbered, usualPorts, type OwnCluster, type OwnServer, type PortName } from './cluster.ts';

/** A part of a text that is replaced; empty where something is put in. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Setting {
  readonly cluster: OwnCluster;
  /** The server that is being worked on: its number. */
  readonly at: number;
  readonly route: string;
  /** `command`: a block that is typed or written; `name`: code within a sentence. */
  readonly kind: 'command' | 'name';
}

type Fill = (match: RegExpExecArray, setting: Setting) => string | null;

interface Rule {
  readonly pattern: RegExp;
  readonly fill: Fill;
  readonly where: (setting: Setting) => boolean;
}

const ALL = (): boolean => true;
const IN_COMMANDS = ({ kind }: Setting): boolean => kind === 'command';
const ABOUT_CONDUCTOR =
  /^\/conductor(?!\/(?:decisions|incidents|changelog|simulator|proofs|rules|architecture)\b)|\/tools\/op-conductor$/;
const ABOUT_NODES = /^\/builders\/node-operators\//;
/** Gone through on one server after the other. */
const ABOUT_EACH_SERVER = /^\/conductor\/migration$/;
const RUNBOOKS = /^\/conductor\/runbooks\//;
const ABOUT_ONE_NETWORK = /\/tutorials\/(?:mainnet|testnet)$/;
const isAbout =
  (pages: RegExp) =>
  ({ kind, route }: Setting): boolean =>
    kind === 'command' && pages.test(route);

/** What the pages call the hosts of a server. */
const hostOf: Readonly<Record<string, keyof OwnServer>> = {
  sequencer: 'id',
  conductor: 'conductor',
  'op-node': 'node',
  'op-geth': 'client',
};
const usualPortNames = new Map<string, PortName>(
  (Object.entries(usualPorts) as [PortName, number][]).map(([name, number]) => [String(number), name]),
);

const networks: Readonly<Record<string, string>> = {
  'op-mainnet': 'https://mainnet-sequencer.optimism.io',
  'op-sepolia': 'https://sepolia-sequencer.optimism.io',
};

const RULES: readonly Rule[] = [
  {
    pattern: /(?<![\w-])(sequencer)-\d(?![\w-])/g,
    where: ({ route }) => ABOUT_EACH_SERVER.test(route),
    fill: here,
  },
  // All servers, in a row.
  { pattern: /http:\/\/conductor-0:8547(?:,http:\/\/conductor-\d:8547)+/g, where: IN_COMMANDS, fill: allConductors },
  { pattern: /(?<=^conductor status)(?=$| \|)/gm, where: isAbout(RUNBOOKS), fill: askedServers },
  { pattern: /\bnode-1 node-2 node-3\b/g, where: IN_COMMANDS, fill: (_, { cluster }) => idsOf(cluster).join(' ') },
  { pattern: /(?<=\bfor n in )(?:0 1 2|0 2)(?=; do)/g, where: IN_COMMANDS, fill: numbersOf },
  // A server by its number. What machines are called comes before what members are.
  {
    pattern: /(?<=\bssh )sequencer-(\d)(?![\w-])/g,
    where: IN_COMMANDS,
    fill: (match, set) => host(match[1], 'conductor', set),
  },
  {
    pattern: /(?<![\w-])(?:sequencer|seq)-(\d):8545\b/g,
    where: IN_COMMANDS,
    fill: (match, set) => hostAndPort(match[1], 'client', set),
  },
  {
    pattern: /(?<![\w-])seq-(\d):8547\b/g,
    where: IN_COMMANDS,
    fill: (match, set) => hostAndPort(match[1], 'node', set),
  },
  {
    pattern: /(?<![\w/-])(sequencer|conductor|op-node|op-geth)-(\d|\$n)(?::(\d+))?(?![\w-]|\.\w+\.)/g,
    where: ALL,
    fill: named,
  },
  {
    pattern:
      /(?<=\/\/|tls\/|lib\/conductor\/)(sequencer|conductor|op-node|op-geth)-(\d|\$n)(?::(\d+))?(?![\w-]|\.\w+\.)/g,
    where: ALL,
    fill: named,
  },
  {
    pattern: /(?<![\w-])node-([123])(?![\w-])/g,
    where: isAbout(ABOUT_CONDUCTOR),
    fill: (match, set) => host(String(Number(match[1]) - 1), 'id', set),
  },
  // The one that is worked on.
  { pattern: /<(sequencer|conductor|op-node|op-geth)>(?::(\d+))?/g, where: ALL, fill: here },
  { pattern: /127\.0\.0\.1:(854[789]|7300)\b/g, where: isAbout(ABOUT_CONDUCTOR), fill: loopback },
  { pattern: /(?<=http:\/\/)127\.0\.0\.1:(8545|9545)\b/g, where: isAbout(ABOUT_NODES), fill: loopback },
  { pattern: /(?<=\b(?:OP_CONDUCTOR_)(?:CONSENSUS|RPC|METRICS)_PORT: ')(\d+)(?=')/g, where: IN_COMMANDS, fill: port },
  // What is said of the chain.
  { pattern: /<network>/g, where: ALL, fill: (_, { cluster }) => cluster.network || null },
  {
    pattern:
      /https:\/\/(?:your-sepolia-node\.example|l1\.internal:8545)|http:\/\/(?:127\.0\.0\.1:18545|l1(?:-node)?:8545)/g,
    where: IN_COMMANDS,
    fill: (_, { cluster }) => cluster.addresses.l1 || null,
  },
  {
    pattern: /https:\/\/your-sepolia-beacon\.example|http:\/\/(?:127\.0\.0\.1|l1-beacon):5052(?!\/)/g,
    where: IN_COMMANDS,
    fill: (_, { cluster }) => cluster.addresses.beacon || null,
  },
];

/** In their order, none within another. */
export function placesIn(text: string, setting: Setting): readonly Place[] {
  const places: Place[] = [];
  const take = (place: Place): void => {
    const isFree = places.every(({ start, end }) => place.end <= start || place.start >= end);
    if (isFree && place.text !== text.slice(place.start, place.end)) places.push(place);
  };
  for (const { pattern, fill, where } of RULES) {
    if (!where(setting)) continue;
    for (const match of text.matchAll(pattern)) {
      const filled = fill(match, setting);
      if (filled !== null) take({ start: match.index, end: match.index + match[0].length, text: filled });
    }
  }
  for (const place of networkPlaces(text, setting)) take(place);
  const functions = neededFunctions(places, setting.cluster);
  if (functions !== '') places.push({ start: 0, end: 0, text: functions });
  return places.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

/** The text with everything filled in. */
export function filledIn(text: string, setting: Setting): string {
  let filled = '';
  let at = 0;
  for (const place of placesIn(text, setting)) {
    filled += text.slice(at, place.start) + place.text;
    at = place.end;
  }
  return filled + text.slice(at);
}

/** What is filled in is different from everything on the pages, so that every place shows. */
const STRANGER: OwnCluster = {
  servers: ['a', 'b', 'c'].map((name) => ({
    id: `${name}.id`,
    conductor: `${name}.c`,
    node: `${name}.n`,
    client: `${name}.e`,
  })),
  ports: { conductor: 1, consensus: 2, metrics: 3, node: 4, client: 5 },
  network: 'other',
  addresses: { sequencer: 'http://s', l1: 'http://l', beacon: 'http://b' },
};

/** Whether a page has anything to fill in, by the texts of its blocks. */
export function hasPlaces(commands: readonly string[], route: string): boolean {
  return commands.some((text) => placesIn(text, { cluster: STRANGER, at: 0, route, kind: 'command' }).length > 0);
}

function idsOf({ servers }: OwnCluster): string[] {
  return servers.map(({ id }) => id);
}

function allConductors(_: RegExpExecArray, { cluster }: Setting): string {
  return cluster.servers.map(({ conductor }) => `http://${conductor}:${cluster.ports.conductor}`).join(',');
}

/** Whoever comes to a runbook may sit at a machine without the cluster's file: the command names the servers itself. */
function askedServers(_: RegExpExecArray, { cluster: { servers, ports } }: Setting): string {
  return ` --rpc ${servers.map(({ id, conductor }) => `${id}=http://${conductor}:${ports.conductor}`).join(',')}`;
}

/** `0 1 2` are all servers; `0 2` all but the one with the number 1. */
function numbersOf([list]: RegExpExecArray, { cluster }: Setting): string {
  const numbers = [...cluster.servers.keys()];
  return (list === '0 2' ? numbers.filter((number) => number !== 1) : numbers).join(' ');
}

function host(number: string | undefined, of: keyof OwnServer, { cluster }: Setting): string | null {
  return cluster.servers[Number(number)]?.[of] ?? null;
}

function hostAndPort(number: string | undefined, of: 'node' | 'client', setting: Setting): string | null {
  const name = host(number, of, setting);
  return name === null ? null : `${name}:${setting.cluster.ports[of]}`;
}

function named([, name = '', number = '', usual]: RegExpExecArray, setting: Setting): string | null {
  const of = hostOf[name] ?? 'id';
  const { cluster, kind } = setting;
  if (number === '$n' && kind === 'name') return null;
  const text = number === '$n' ? numbered(textsOf(cluster, of), name.replace('-', '_')) : host(number, of, setting);
  return text === null ? null : text + portText(usual, cluster);
}

function here([, name = '', usual]: RegExpExecArray, setting: Setting): string | null {
  const text = host(String(setting.at), hostOf[name] ?? 'id', setting);
  return text === null ? null : text + portText(usual, setting.cluster);
}

/** The examples of the reference ask three servers of one machine: the port tells which. */
function loopback([, usual = '']: RegExpExecArray, { cluster, at }: Setting): string | null {
  const { servers, ports } = cluster;
  const offset = usual.startsWith('854') && usual !== '8545' ? Number(usual) - usualPorts.conductor : 0;
  const server = servers[(at + offset) % servers.length];
  const name = usualPortNames.get(String(Number(usual) - offset));
  if (server === undefined || name === undefined || offset >= servers.length) return null;
  const machine = name === 'node' ? server.node : name === 'client' ? server.client : server.conductor;
  return `${machine}:${ports[name]}`;
}

function port([usual = '']: RegExpExecArray, { cluster }: Setting): string | null {
  const name = usualPortNames.get(usual);
  return name === undefined ? null : String(cluster.ports[name]);
}

function portText(usual: string | undefined, { ports }: OwnCluster): string {
  if (usual === undefined) return '';
  const name = usualPortNames.get(usual);
  return `:${name === undefined ? usual : ports[name]}`;
}

function textsOf({ servers }: OwnCluster, of: keyof OwnServer): string[] {
  return servers.map((server) => server[of]);
}

/** A command that names a network and its sequencer keeps both, unless both are known of the reader's. */
function networkPlaces(text: string, { cluster, kind, route }: Setting): Place[] {
  const { network, addresses } = cluster;
  if (kind !== 'command' || network === '' || ABOUT_ONE_NETWORK.test(route)) return [];
  const sequencer = addresses.sequencer || networks[network];
  const ofSequencer = [...text.matchAll(/https:\/\/(?:mainnet|sepolia)-sequencer\.optimism\.io/g)];
  if (ofSequencer.length > 0 && sequencer === undefined) return [];
  const ofNetwork = [...text.matchAll(/(?<=--(?:op-network|network|chain)[= ])op-(?:mainnet|sepolia)(?![\w-])/g)];
  const place = (match: RegExpExecArray, filled: string): Place => {
    return { start: match.index, end: match.index + match[0].length, text: filled };
  };
  return [
    ...ofNetwork.map((match) => place(match, network)),
    ...(ofNetwork.length === 0 ? [] : ofSequencer.map((match) => place(match, sequencer ?? ''))),
  ];
}

function neededFunctions(places: readonly Place[], cluster: OwnCluster): string {
  return Object.entries(hostOf)
    .filter(([name]) => places.some(({ text }) => text.includes(`$(${name.replace('-', '_')}_of $n)`)))
    .map(([name, of]) => `${byNumber(textsOf(cluster, of), name.replace('-', '_'))}\n`)
    .join('');
}
