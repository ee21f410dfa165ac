/**
 * Transcripts: text files of commands, each with what happened, in the manner of etcd's testdata. A block is comment
 * lines, a command, `----`, and the lines that followed from it. Running one gives the same file with what happens now.
 */
import type { RaftOptions } from '../events.ts';
import { Suffrage } from '../types.ts';
import { TranscriptCluster } from './transcript-cluster.ts';

const RULE = '----';
/** In this time the followers of a new leader learn that its no-op is committed. */
const LEARNING_MS = 100;

/** The file as it would be written today. Throws for a command it does not know. */
export function runTranscript(text: string): string {
  const blocks = text
    .trim()
    .split(/\n{2,}/)
    .map(inputOf);
  let cluster = new TranscriptCluster();
  const written = blocks.map(({ comments, command }) => {
    if (command === null) return comments.join('\n');
    const [name, ...words] = command.split(' ');
    if (name === 'cluster') cluster = foundedBy(words);
    else carryOut(cluster, name!, words);
    const lines = cluster.takeLines();
    return [...comments, command, RULE, ...(lines.length === 0 ? ['nothing'] : lines)].join('\n');
  });
  return `${written.join('\n\n')}\n`;
}

/** Comments and the command of a block; what is below the rule is what happened last time. */
function inputOf(block: string): { readonly comments: readonly string[]; readonly command: string | null } {
  const lines = block.split('\n');
  const rule = lines.indexOf(RULE);
  const given = rule < 0 ? lines : lines.slice(0, rule);
  const commands = given.filter((line) => !line.startsWith('#'));
  if (commands.length > 1) throw new Error(`one command a block, not: ${commands.join('; ')}`);
  return { comments: given.filter((line) => line.startsWith('#')), command: commands[0] ?? null };
}

/** `cluster n1 n2 n3 leader=n1 snapshotThreshold=4`: voters, one that leads already, and settings of all. */
function foundedBy(words: readonly string[]): TranscriptCluster {
  const settings = words.filter((word) => word.includes('=')).map((word) => word.split('=') as [string, string]);
  const options = settings
    .filter(([key]) => key !== 'leader')
    .map(([key, value]) => [key, JSON.parse(value) as unknown]);
  const cluster = new TranscriptCluster(Object.fromEntries(options) as Partial<RaftOptions>);
  cluster.found(words.filter((word) => !word.includes('=')));
  const leader = settings.find(([key]) => key === 'leader')?.[1];
  if (leader !== undefined) {
    cluster.timeout(leader);
    cluster.settle();
    cluster.pass(LEARNING_MS);
    cluster.takeLines();
  }
  return cluster;
}

function carryOut(cluster: TranscriptCluster, name: string, words: readonly string[]): void {
  const run = commands[name];
  if (run === undefined) throw new Error(`no command ${name}: there are ${Object.keys(commands).join(', ')}`);
  run(cluster, words[0] ?? '', words.slice(1));
}

const encoder = new TextEncoder();

const commands: Readonly<Record<string, (cluster: TranscriptCluster, id: string, words: readonly string[]) => void>> = {
  /** A server with an empty disk. */
  start: (cluster, id) => cluster.add(id),
  restart: (cluster, id) => cluster.server(id).start(),
  crash: (cluster, id) => cluster.crash(id),
  wipe: (cluster, id) => cluster.server(id).wipe(),
  'fail-disk': (cluster, id) => cluster.server(id).failDisk(),
  cut: (cluster, from, [to = '']) => cluster.cut(from, to),
  disconnect: (cluster, from, [to = '']) => cluster.disconnect(from, to),
  heal: (cluster) => cluster.heal(),
  /** The server's clock runs until it asks for votes. */
  timeout: (cluster, id) => cluster.timeout(id),
  /** The server's clock runs, and nothing is delivered. */
  wait: (cluster, id, [ms]) => cluster.server(id).wait(Number(ms)),
  /** All clocks run, and everything is delivered. */
  pass: (cluster, ms) => cluster.pass(Number(ms)),
  deliver: (cluster, id) => cluster.deliver(id === '' ? null : id),
  settle: (cluster) => cluster.settle(),
  propose: (cluster, id, [text = '']) =>
    cluster.command(id, { kind: 'propose', data: encoder.encode(text) }, `propose ${text}`),
  read: (cluster, id) => cluster.command(id, { kind: 'read' }, 'read'),
  transfer: (cluster, id, [target]) =>
    cluster.command(id, { kind: 'transfer', target: target ?? null }, `transfer ${target ?? ''}`.trim()),
  'add-voter': (cluster, id, [added = '']) => {
    const server = { id: added, address: `${added}:1`, suffrage: Suffrage.voter };
    cluster.command(id, { kind: 'addServer', ...server, previousIndex: 0 }, `add-voter ${added}`);
  },
  remove: (cluster, id, [removed = '']) =>
    cluster.command(id, { kind: 'removeServer', id: removed, previousIndex: 0 }, `remove ${removed}`),
  snapshot: (cluster, id) => cluster.server(id).takeSnapshot(),
  /** What the disks hold. */
  logs: (cluster) => {
    for (const server of cluster.servers) cluster.say(server.logText());
  },
};
