import { describe, expect, test } from 'vitest';
import { clusterLines, describeCluster, troubles } from './cluster-summary.ts';
import { ClusterChanges } from './cluster-changes.ts';
import type { ClusterView } from './cluster-view.ts';
import { commandLine } from './shell-words.ts';
import { statusLines, statusTable } from './status-table.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { viewDocument } from './view-document.ts';
import { wordWrap } from '#conductor/cli/terminal/word-wrap';

const text = (view: ClusterView, width: number): string[] =>
  statusTable(view, width).map((line) => line.map((piece) => piece.text).join(''));

describe('the table', () => {
  test('says of each server who it is, what it does and how it is', () => {
    const cluster = new MemoryCluster();
    cluster.server('node-2').isPaused = true;
    cluster.server('node-3').isUp = false;
    expect(text(cluster.view(), 80).map((line) => line.trimEnd())).toEqual([
      'server  role      sequencer  control  health   block  hash      peers  version',
      'node-1  leader    active     running  healthy    100  00000000      2  v0.1.0',
      'node-2  follower  idle       paused   healthy    100  00000000      2  v0.1.0',
      'node-3  silent    silent     ·        ·            ·  ·             ·  ·',
    ]);
  });

  test.each([10, 40, 60, 80, 120, 200])('is never wider than %i columns', (width) => {
    const cluster = new MemoryCluster(5);
    cluster.server('node-2').isOverridden = true;
    for (const line of text(cluster.view(), width)) expect(line.length).toBeLessThanOrEqual(width);
  });
});

describe('on a narrow terminal', () => {
  const lines = (view: ClusterView, width: number): string[] =>
    statusLines(view, width).map((line) => line.map((piece) => piece.text).join(''));

  test('each server is a block that leaves nothing out', () => {
    const cluster = new MemoryCluster(2);
    cluster.server('node-2').isPaused = true;
    expect(lines(cluster.view(), 40)).toEqual([
      'node-1  leader',
      '  sequencer active, control running,',
      '  health healthy, block 100, hash',
      '  00000000, peers 2, version v0.1.0, rpc',
      '  host-1:8547',
      'node-2  follower',
      '  sequencer idle, control paused, health',
      '  healthy, block 100, hash 00000000,',
      '  peers 2, version v0.1.0, rpc',
      '  host-2:8547',
    ]);
    expect(lines(cluster.view(), 80)).toEqual(text(cluster.view(), 80));
  });

  test.each([10, 20, 40, 79])('no line is wider than %i columns', (width) => {
    for (const line of lines(new MemoryCluster(5).view(), width)) expect(line.length).toBeLessThanOrEqual(width);
  });

  test('a table that has to fit keeps the role of a server with a long name', () => {
    const view = new MemoryCluster().view();
    const servers = view.servers.map((server) => ({
      ...server,
      isNamed: false,
      id: `${server.id}.conductors.internal:8547`,
    }));
    for (const line of text({ ...view, servers }, 20).slice(2)) expect(line).toMatch(/^node-.*… {2}follower$/u);
  });
});

describe('the sentences', () => {
  test('a cluster that is well has none', () => {
    const cluster = new MemoryCluster();
    expect(troubles(cluster.view())).toEqual([]);
    expect(describeCluster(cluster.view())).toBe(
      'node-1 leads; 3 of 3 voters answer, 1 may fail; node-1 sequences, block 100',
    );
  });

  test.each<[string, (cluster: MemoryCluster) => void]>([
    ['node-1 and node-2 sequence at the same time', (cluster) => (cluster.server('node-2').isSequencing = true)],
    ['node-2 sequences and does not lead', (cluster) => (cluster.server('node-2').isSequencing = true)],
    [
      'node-1 leads and does not sequence, no blocks are made; its conductor is in charge: see in its log why it does not start it, or hand leadership on, conductor transfer node-2',
      (cluster) => (cluster.server('node-1').isSequencing = false),
    ],
    [
      'node-1 leads and does not sequence, no blocks are made, because its conductor is paused: conductor resume node-1',
      (cluster) => Object.assign(cluster.server('node-1'), { isSequencing: false, isPaused: true }),
    ],
    ['node-3 does not answer: connection refused', (cluster) => (cluster.server('node-3').isUp = false)],
    [
      'node-3 is overridden: it says that it leads, whether or not it does, and leaves its sequencer to you',
      (cluster) => (cluster.server('node-3').isOverridden = true),
    ],
    ['node-3 calls its sequencer unhealthy', (cluster) => (cluster.server('node-3').isHealthy = false)],
    [
      'the op-node of node-3 has no conductor enabled',
      (cluster) => (cluster.server('node-3').isConductorEnabled = false),
    ],
    [
      'no automatic failover: node-2, node-3 paused, and nobody else could take over from node-1',
      (cluster) => ['node-1', 'node-2', 'node-3'].forEach((id) => (cluster.server(id).isPaused = true)),
    ],
    [
      'no automatic failover: node-2 paused, and nobody else could take over from node-1',
      (cluster) => {
        cluster.server('node-2').isPaused = true;
        cluster.server('node-3').isHealthy = false;
      },
    ],
    [
      'no automatic failover while node-1 leads paused: it would not hand over if its sequencer failed',
      (cluster) => (cluster.server('node-1').isPaused = true),
    ],
    ['node-3 is not a member of the cluster', (cluster) => (cluster.members = cluster.members.slice(0, 2))],
    [
      'node-9 (host-9:1) is a member and has no URL here',
      (cluster) => (cluster.members = [...cluster.members, { id: 'node-9', address: 'host-9:1', isVoter: true }]),
    ],
  ])('%s', (sentence, spoil) => {
    const cluster = new MemoryCluster();
    spoil(cluster);
    expect(troubles(cluster.view())).toContain(sentence);
    expect(viewDocument(cluster.view())).toMatchObject({ troubles: expect.arrayContaining([sentence]) as unknown });
  });
});

describe('nobody leads', () => {
  const told = (spoil: (cluster: MemoryCluster) => void): string => {
    const cluster = new MemoryCluster();
    cluster.leader = null;
    cluster.server('node-1').isSequencing = false;
    spoil(cluster);
    return troubles(cluster.view())[0] ?? '';
  };

  test('in the line of the cluster: all answer, too few do, nobody does', () => {
    const cluster = new MemoryCluster();
    cluster.leader = null;
    cluster.server('node-1').isSequencing = false;
    const lines = (): string => clusterLines(cluster.view()).join('; ');
    expect(lines()).toMatch(/^nobody leads; .*3 of 3 voters answer, and have no leader/);
    for (const id of ['node-2', 'node-3']) cluster.server(id).isConductorUp = false;
    expect(lines()).toMatch(/^nobody leads; .*1 of 3 voters answer, 2 needed/);
    cluster.server('node-1').isConductorUp = false;
    expect(lines()).toMatch(/^nobody answers; /);
  });

  test('and all answer', () => {
    expect(told(() => undefined)).toMatch(/^nobody leads, though 3 of 3 voters answer: they do not reach each other/);
  });

  test('for too few answer', () => {
    const isAlone = (cluster: MemoryCluster): void =>
      ['node-2', 'node-3'].forEach((id) => (cluster.server(id).isConductorUp = false));
    expect(told(isAlone)).toBe('nobody leads: 1 of 3 voters answer, and 2 are needed; start the others');
    const besideOne = (cluster: MemoryCluster): void => {
      isAlone(cluster);
      Object.assign(cluster.server('node-1'), { isSequencing: true, isPaused: true, isOverridden: true });
    };
    expect(told(besideOne)).toBe(
      'node-1 sequences and does not lead: start no conductor beside it without --paused, and resume none',
    );
  });

  test('for nobody answers', () => {
    const text = told((cluster) => cluster.servers.forEach((server) => (server.isConductorUp = false)));
    expect(text).toMatch(/^no conductor answers: see whether they run .* if they do not run, start the others$/);
  });
});

test('the first block of a chain is started by hand, with the command that does it', () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.servers) Object.assign(server, { head: 0, isSequencing: false });
  expect(troubles(cluster.view())[0]).toMatch(
    /^node-1 leads .* on the op-node of node-1: cast rpc admin_startSequencer 0x0{64} --rpc-url http:\/\/[\w-]+:9545$/,
  );
});

test('one paused follower beside one that is eligible is nobody to worry about', () => {
  const cluster = new MemoryCluster();
  cluster.server('node-2').isPaused = true;
  expect(troubles(cluster.view())).toEqual([]);
});

test('where ids are not known, pauses are told as soon as all others have one', () => {
  const cluster = new MemoryCluster();
  const told = (): string[] => {
    const { servers, ...rest } = cluster.view();
    const nameless = servers.map((one) =>
      one.id === 'node-1' ? one : { ...one, id: `host-${one.id}`, isNamed: false },
    );
    return troubles({ ...rest, servers: nameless });
  };
  cluster.server('node-2').isPaused = true;
  expect(told()).toEqual([]);
  cluster.server('node-3').isPaused = true;
  expect(told()).toEqual([
    'no automatic failover: host-node-2, host-node-3 paused, and nobody else could take over from node-1',
  ]);
});

describe('ids of the cluster file that the cluster does not agree with', () => {
  const swapped = (one: number, other: number): ClusterView => {
    const { servers, ...rest } = new MemoryCluster().view();
    const idOf = (at: number): string => servers[at === one ? other : at === other ? one : at]?.id ?? '';
    return { ...rest, servers: servers.map((server, at) => ({ ...server, id: idOf(at) })) };
  };

  test('are told of the leader, who says what it is called', () => {
    expect(troubles(swapped(0, 1))).toContain(
      'the server called node-2 here leads as node-1: correct its id in the cluster file or in --rpc',
    );
  });

  test('are told of any server whose raft address is known', () => {
    for (const sentence of [
      'the server called node-3 here is at the raft address of node-2: correct its id in the cluster file or in --rpc',
      'the server called node-2 here is at the raft address of node-3: correct its id in the cluster file or in --rpc',
    ])
      expect(troubles(swapped(1, 2))).toContain(sentence);
  });
});

describe('changes', () => {
  const at = (cluster: MemoryCluster, atMs: number): ClusterView => ({ ...cluster.view(), atMs });

  test('elections, silence, pauses and members are told once', () => {
    const cluster = new MemoryCluster();
    const changes = new ClusterChanges(1);
    const told = (atMs: number): string[] =>
      changes
        .advance(at(cluster, atMs))
        .filter(({ kind }) => kind !== 'block')
        .map((event) => event.text);
    expect(told(0)).toEqual(['node-1 leads']);
    expect(told(500)).toEqual([]);
    cluster.server('node-3').isUp = false;
    cluster.server('node-2').isPaused = true;
    expect(told(1000)).toEqual(['node-3 does not answer: connection refused', 'node-2 is paused']);
    cluster.server('node-3').isUp = true;
    cluster.members = cluster.members.slice(0, 2);
    cluster.version += 1;
    expect(told(1500)).toEqual(['node-3 answers again', 'node-3 was removed from the cluster']);
  });

  test('a gap is one of the chain, not of a slow look', () => {
    const cluster = new MemoryCluster();
    const changes = new ClusterChanges(1);
    const gaps = (atMs: number): number =>
      changes.advance(at(cluster, atMs)).filter(({ kind }) => kind === 'gap').length;
    gaps(0);
    cluster.server('node-1').head = 104;
    expect(gaps(4000)).toBe(0);
    for (let ms = 4500; ms < 8000; ms += 500) expect(gaps(ms)).toBe(0);
    cluster.server('node-1').head = 105;
    expect(gaps(8000)).toBe(1);
  });
});

describe('texts', () => {
  test('are broken between words', () => {
    expect(wordWrap('one two three', '', 7)).toEqual(['one two', 'three']);
    expect(wordWrap('a-very-long-word b', '', 4)).toEqual(['a-very-long-word', 'b']);
    expect(wordWrap('', '', 4)).toEqual(['']);
  });

  test('the command that goes on can be pasted, and shows no password', () => {
    expect(commandLine(['join', "o'clock"], { cluster: '/a b/c.toml', yes: true })).toBe(
      String.raw`conductor join 'o'\''clock' --cluster '/a b/c.toml'`,
    );
    expect(commandLine(['transfer'], { rpc: 'http://me:secret@a:1,http://b' })).toBe(
      'conductor transfer --rpc http://me:...@a:1,http://b',
    );
  });
});
