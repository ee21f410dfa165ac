/**
 * No advice of the tool and nothing that its guards let pass makes two sequencers: tried for every combination of
 * paused, overridden, building, leading and silent of three servers, against a model of what conductors do then.
 */
import { describe, expect, test } from 'vitest';
import { howToStart } from './advice.ts';
import { whyInCharge } from './bluegreen-command.ts';
import { troubles } from './cluster-summary.ts';
import type { ClusterView } from './cluster-view.ts';
import { deployBesideOthers } from './deploy-step.ts';
import { bestSuccessor } from './eligibility.ts';
import { transferAwayStep, transferStep } from './leadership-step.ts';
import { Output } from './output.ts';
import { overrideStep, takeBackStep } from './override-command.ts';
import { pauseStep, resumeStep } from './pause-steps.ts';
import { quorumRefusal } from './quorum.ts';
import { giveUpStep } from './repair-command.ts';
import { moveSequencingSteps } from './sequencing-step.ts';
import { stopStep } from './stop-command.ts';
import { MemoryCluster } from './testing/memory-cluster.ts';
import { building, futureOf, withConductor, type Conductor, type World } from './testing/sequencer-model.ts';

/** What a server shows of itself. */
interface Shown {
  readonly conductor: Conductor | 'silent';
  /** 'unasked': its URL is not given. */
  readonly node: 'builds' | 'idle' | 'silent' | 'unasked';
}

interface State {
  readonly servers: readonly [Shown, Shown, Shown];
  /** Position; of a silent conductor only the others tell. */
  readonly leader: 0 | null;
}

/** One thing that somebody may do: what it is called, whether the tool lets it pass, and what it does at once. */
interface Act {
  readonly name: string;
  /** Null where the tool lets it pass. */
  readonly refusal: string | null;
  effect(world: World): World;
}

const conductors = ['silent', 'inCharge', 'paused', 'overridden', 'pausedOverridden'] as const;
const nodes = ['builds', 'idle', 'silent', 'unasked'] as const;
const shown: readonly Shown[] = conductors.flatMap((conductor) => nodes.map((node) => ({ conductor, node })));
const ids = ['node-1', 'node-2', 'node-3'] as const;

/** Every state of three servers, but for the order of those that do not lead. */
function* states(): Generator<State> {
  for (const leader of [0, null] as const)
    for (const [i, first] of shown.entries())
      for (const [j, second] of shown.entries())
        for (const [k, third] of shown.entries())
          if (k >= j && (leader === 0 || j >= i)) yield { servers: [first, second, third], leader };
}

/** Puts a cluster into a state. */
function putInto(cluster: MemoryCluster, { servers, leader }: State): MemoryCluster {
  cluster.leader = leader === null ? null : ids[leader];
  for (const [at, { conductor, node }] of servers.entries()) {
    const server = cluster.server(ids[at] ?? '');
    server.isConductorUp = conductor !== 'silent';
    server.isPaused = conductor === 'paused' || conductor === 'pausedOverridden';
    server.isOverridden = conductor === 'overridden' || conductor === 'pausedOverridden';
    server.isNodeUp = node === 'builds' || node === 'idle';
    server.isSequencing = node === 'builds';
  }
  return cluster;
}

/** What is seen of it; all conductors are ours, and ready. */
function viewOf(cluster: MemoryCluster, { servers }: State): ClusterView {
  for (const [at, config] of cluster.config.servers.entries())
    Object.assign(config, { node: servers[at]?.node === 'unasked' ? null : `http://host-${at + 1}:9545` });
  const { servers: seen, ...rest } = cluster.view();
  return {
    ...rest,
    servers: seen.map((server) => ({
      ...server,
      readiness: server.conductor === null ? null : { isReady: true, reason: '' },
      whyNodeSilent: server.config.node === null ? '' : server.whyNodeSilent,
    })),
  };
}

/** All that may be so in truth where this is shown: who is silent may be anything. */
function worldsOf({ servers, leader }: State, silent: readonly Conductor[]): World[] {
  let worlds: World[] = [{ conductors: [], leader, builds: [] }];
  for (const { conductor, node } of servers) {
    const possible = conductor === 'silent' ? silent : [conductor];
    const mayBuild = node === 'silent' || node === 'unasked' ? [true, false] : [node === 'builds'];
    worlds = worlds.flatMap((world) =>
      possible.flatMap((one) =>
        mayBuild.map((does) => ({
          ...world,
          conductors: [...world.conductors, one],
          builds: [...world.builds, does],
        })),
      ),
    );
  }
  return worlds;
}

const anything: readonly Conductor[] = ['down', 'inCharge', 'paused', 'overridden', 'pausedOverridden'];

/** What the act makes possible that was not before: a start beside another, or one more at once. */
function harmOf(world: World, { effect }: Pick<Act, 'effect'>): string | null {
  const before = futureOf(world);
  const after = futureOf(effect(world));
  const now = world.builds.filter(Boolean).length;
  if (after.most > Math.max(1, before.most)) return `${after.most} at once`;
  // Where two build already, one that starts for one that stopped makes nothing worse.
  if (now > 1) return null;
  return [...after.overlaps].find((one) => !before.overlaps.has(one)) ?? null;
}

const resumed = (world: World, at: number): World => {
  const was = world.conductors[at];
  return was === 'paused'
    ? withConductor(world, at, 'inCharge')
    : was === 'pausedOverridden'
      ? withConductor(world, at, 'overridden')
      : world;
};
const paused = (world: World, at: number): World => {
  const was = world.conductors[at];
  return was === 'inCharge'
    ? withConductor(world, at, 'paused')
    : was === 'overridden'
      ? withConductor(world, at, 'pausedOverridden')
      : world;
};
const started = (world: World, at: number): World =>
  world.conductors[at] === 'down' ? withConductor(world, at, 'inCharge') : world;
const allStartedPaused = (world: World): World => ({
  ...world,
  conductors: world.conductors.map((was) => (was === 'down' ? 'paused' : was)),
});
/** Overridden, and its op-node told to build, as it is for that. */
const overridden = (world: World, at: number): World => {
  const was = world.conductors[at];
  const isPaused = was === 'paused' || was === 'pausedOverridden';
  return building(withConductor(world, at, isPaused ? 'pausedOverridden' : 'overridden'), at, true);
};
const takenBack = (world: World, at: number): World => {
  const was = world.conductors[at];
  return was === 'overridden'
    ? withConductor(world, at, 'inCharge')
    : was === 'pausedOverridden'
      ? withConductor(world, at, 'paused')
      : world;
};
const led = (world: World, at: number): World => (world.conductors[at] === 'down' ? world : { ...world, leader: at });

/** By its name and position, as a sentence would tell somebody to do it. */
function effectOf(verb: string, at: number): Act['effect'] {
  switch (verb) {
    case 'resume':
      return (world) => resumed(world, at);
    case 'pause':
      return (world) => paused(world, at);
    case 'transfer':
      return (world) => led(world, at);
    case 'start':
      return (world) => started(world, at);
  }
  throw new RangeError(`the model does not know ${verb}`);
}

function actsOf(cluster: MemoryCluster, view: ClusterView): Act[] {
  return cluster.config.servers.flatMap((config, at): Act[] => {
    const { id } = config;
    const deployed = deployBesideOthers(
      { server: config, output: new Output(true), clusterFile: '' },
      { isDone: () => false },
    );
    const away = transferAwayStep(cluster, ids[0]);
    return [
      {
        name: `resume ${id}`,
        refusal: resumeStep(cluster, config, view).guard(view),
        effect: effectOf('resume', at),
      },
      { name: `pause ${id}`, refusal: pauseStep(cluster, config, view).guard(view), effect: effectOf('pause', at) },
      {
        name: `transfer ${id}`,
        refusal: quorumRefusal(view) ?? transferStep(cluster, id).guard(view),
        effect: effectOf('transfer', at),
      },
      {
        name: `away from ${ids[0]}, to ${id}`,
        refusal: bestSuccessor(view, ids[0]) === id ? (quorumRefusal(view) ?? away.guard(view)) : 'to another',
        effect: effectOf('transfer', at),
      },
      {
        name: `deploy to ${id}`,
        refusal: quorumRefusal(view) ?? deployed.guard(view),
        effect: (world) => withConductor(world, at, 'inCharge'),
      },
      {
        name: `override ${id}`,
        refusal: overrideStep(cluster, config, view).guard(view),
        effect: (world) => overridden(world, at),
      },
      {
        name: `back ${id}`,
        refusal: takeBackStep(cluster, config, view).guard(view),
        effect: (world) => takenBack(world, at),
      },
      {
        name: `stop ${id}`,
        refusal: quorumRefusal(view) ?? stopStep(cluster, config, id).guard(view),
        effect: (world) => withConductor(world, at, 'down'),
      },
      {
        name: `start the conductor of ${id}`,
        refusal: howToStart(view, view.servers[at]!) === 'start it again' ? null : 'only with --paused',
        effect: effectOf('start', at),
      },
    ];
  });
}

/** Every command in a text, by its name and position. */
function commandsIn(text: string): { readonly verb: string; readonly at: number }[] {
  const commands = [...text.matchAll(/conductor (resume|pause|transfer) (node-\d)/g)];
  return commands.map(([, verb = '', id = '']) => ({ verb, at: ids.indexOf(id as (typeof ids)[number]) }));
}

/**
 * The first world in which it does harm; null when there is none. A pause or a stop is looked at in those where no conductor is
 * just stopping a sequencer of which nobody can know.
 */
function firstHarm(state: State, act: Pick<Act, 'effect'>, isLeftAlone = false): string | null {
  for (const world of worldsOf(state, anything)) {
    const isUnseen = ({ node }: Shown): boolean => node === 'silent' || node === 'unasked';
    if (isLeftAlone && state.servers.some((one, at) => isUnseen(one) && isStopping(world, at))) continue;
    const harm = harmOf(world, act);
    if (harm !== null) return `${harm}, where in truth ${JSON.stringify(world)}`;
  }
  return null;
}

const isStopping = ({ conductors: ones, leader, builds }: World, at: number): boolean =>
  ones[at] === 'inCharge' && at !== leader && builds[at] === true;

const told = (state: State, what: string): string => `${JSON.stringify(state)}: ${what}`;

describe('of every state of three servers', () => {
  const cluster = new MemoryCluster();
  for (const server of cluster.config.servers) Object.assign(server, { deploy: 'true' });
  const all = [...states()].map((state) => {
    const view = viewOf(putInto(cluster, state), state);
    return { state, acts: actsOf(cluster, view), sentences: troubles(view) };
  });

  test('there are thousands', () => expect(all.length).toBe(5740));

  test('no command that passes its guard makes a second sequencer', () => {
    const broken: string[] = [];
    const passed = new Map<string, number>();
    for (const { state, acts } of all) {
      for (const act of acts) {
        if (act.refusal !== null) continue;
        const verb = act.name.split(' ')[0] ?? '';
        passed.set(verb, (passed.get(verb) ?? 0) + 1);
        const harm = firstHarm(state, act, verb === 'pause' || verb === 'stop');
        if (harm !== null) broken.push(told(state, `${act.name}: ${harm}`));
      }
    }
    expect(broken.slice(0, 5)).toEqual([]);
    // Each passes somewhere: a guard that always refuses would keep the law, too.
    for (const verb of ['resume', 'pause', 'transfer', 'away', 'deploy', 'override', 'back', 'stop', 'start'])
      expect(passed.get(verb)).toBeGreaterThan(50);
  });

  test('no sentence advises what makes a second sequencer; what status advises passes its guard', () => {
    const broken: string[] = [];
    for (const { state, acts, sentences } of all) {
      const refusals = acts.flatMap(({ refusal }) => refusal ?? []);
      for (const text of new Set([...sentences, ...refusals])) {
        for (const { verb, at } of commandsIn(text)) {
          const harm = firstHarm(state, { effect: effectOf(verb, at) }, verb === 'pause');
          if (harm !== null) broken.push(told(state, `${text}: ${harm}`));
          const refusal = acts.find(({ name }) => name === `${verb} ${ids[at]}`)?.refusal ?? null;
          if (refusal !== null && sentences.includes(text)) broken.push(told(state, `${text}: refused: ${refusal}`));
        }
        if (!/start the others(?! with --paused)/.test(text)) continue;
        for (const [at, { conductor }] of state.servers.entries()) {
          const harm = conductor === 'silent' ? firstHarm(state, { effect: effectOf('start', at) }) : null;
          if (harm !== null) broken.push(told(state, `${text}: ${harm}`));
        }
      }
    }
    expect(broken.slice(0, 5)).toEqual([]);
  });

  test('who is told to end an override, or to hand leadership to one that builds, is told to restart its op-node, too', () => {
    const told = new Set<string>();
    for (const { acts, sentences } of all)
      for (const text of [...sentences, ...acts.flatMap(({ refusal }) => refusal ?? [])])
        if (/hand leadership to it|take .* override/.test(text)) told.add(text);
    expect(told.size).toBeGreaterThan(10);
    expect([...told].filter((text) => !text.includes('if admin_overrideLeader was called there'))).toEqual([]);
  });

  test('who pauses and starts the others as told gives nobody a majority that would start a second sequencer', () => {
    const broken: string[] = [];
    let tried = 0;
    for (const { state, acts, sentences } of all) {
      for (const text of sentences.filter((one) => one.includes('start the others with --paused'))) {
        const pauses = commandsIn(text).filter(({ verb }) => verb === 'pause');
        const named = acts.filter(({ name }) => pauses.some(({ at }) => name === `pause ${ids[at]}`));
        for (const { refusal } of named) if (refusal !== null) broken.push(told(state, `${text}: refused: ${refusal}`));
        // Without it the runner refuses, for there is no quorum.
        if (pauses.length !== text.split('--without-quorum').length - 1) broken.push(told(state, text));
        for (const world of worldsOf(state, ['down'])) {
          tried += 1;
          const quiet = pauses.reduce((one, { at }) => paused(one, at), world);
          const harm = harmOf(quiet, { effect: allStartedPaused });
          if (harm !== null) broken.push(told(state, `${text}: ${harm}, where in truth ${JSON.stringify(world)}`));
        }
      }
    }
    expect(broken.slice(0, 5)).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
  });

  test('where nobody says that it builds, a sentence says what is safe to do, or what to find out first', () => {
    const broken: string[] = [];
    for (const { state, sentences } of all) {
      if (state.servers.some(({ node }) => node === 'builds')) continue;
      const [leader] = state.servers;
      const isInCharge = leader.conductor === 'inCharge' || leader.conductor === 'overridden';
      // Nothing speaks for trouble.
      if (state.leader === 0 && isInCharge && leader.node === 'unasked') continue;
      const isHelped = sentences.some(
        (text) =>
          commandsIn(text).length > 0 ||
          /find out whether|start the others|see in its log|they do not reach each other/.test(text),
      );
      if (!isHelped) broken.push(told(state, sentences.join('; ')));
    }
    expect(broken.slice(0, 5)).toEqual([]);
  });

  test('where one builds that does not lead, a sentence says how that ends', () => {
    const broken: string[] = [];
    for (const { state, sentences } of all) {
      const [leader, ...others] = state.servers;
      const astray = others.some(
        ({ conductor, node }) => node === 'builds' && conductor !== 'inCharge' && leader.conductor !== 'silent',
      );
      if (state.leader !== 0 || !astray) continue;
      const isHelped = sentences.some(
        (text) => commandsIn(text).length > 0 || /admin_stopSequencer|start no conductor beside it/.test(text),
      );
      if (!isHelped) broken.push(told(state, sentences.join('; ')));
    }
    expect(broken.slice(0, 5)).toEqual([]);
  });

  test('no block is given up, so that the leader builds, while another builds or may build', () => {
    const broken: string[] = [];
    let passed = 0;
    const block = { number: 101, hash: `0x${'ab'.repeat(32)}` };
    const step = giveUpStep(cluster, block);
    for (const { state } of all) {
      const view = viewOf(putInto(cluster, state), state);
      if ((quorumRefusal(view) ?? step.guard(view)) !== null) continue;
      passed += 1;
      for (const world of worldsOf(state, anything)) {
        const beside = world.builds.findIndex((does, at) => does && at !== world.leader && !isStopping(world, at));
        if (beside >= 0) broken.push(told(state, `${ids[beside]} builds, where in truth ${JSON.stringify(world)}`));
      }
    }
    expect(broken.slice(0, 5)).toEqual([]);
    expect(passed).toBeGreaterThan(50);
  });

  test('no sequencer is started by hand beside another, or a conductor that may be in charge', () => {
    const broken: string[] = [];
    let passed = 0;
    const byHand = new MemoryCluster();
    for (const server of byHand.servers) server.isConductorEnabled = false;
    for (const { state } of all) {
      const view = viewOf(putInto(byHand, state), state);
      const isAnswered = state.servers.some(({ conductor }) => conductor !== 'silent');
      const from = state.servers.findIndex(({ node }) => node === 'builds');
      for (const [at, to] of byHand.config.servers.entries()) {
        if (at === from) continue;
        const move = { from: byHand.config.servers[from] ?? null, to, journal: null, whyNot: whyInCharge };
        const step = moveSequencingSteps(byHand, move).at(-1);
        if (step?.guard(view) !== null) continue;
        passed += 1;
        const effect = (world: World): World => building(from < 0 ? world : building(world, from, false), at, true);
        // Where none answers there are no conductors: that is what it is for.
        for (const world of worldsOf(state, isAnswered ? anything : ['down'])) {
          const after = futureOf(effect(world));
          if (after.most > 1) broken.push(told(state, `start ${to.id}, where in truth ${JSON.stringify(world)}`));
        }
      }
    }
    expect(broken.slice(0, 5)).toEqual([]);
    expect(passed).toBeGreaterThan(20);
  });
});

test('a member that nobody can ask may build', () => {
  const cluster = new MemoryCluster();
  const [first] = cluster.config.servers;
  Object.assign(cluster.server('node-1'), { isPaused: true, isSequencing: false });
  const { servers, ...rest } = cluster.view();
  const view = { ...rest, servers: servers.filter(({ id }) => id !== 'node-3') };
  expect(resumeStep(cluster, first!, view).guard(view)).toContain('node-3 is a member and has no URL here');
});

describe('all are paused and one builds under an override', () => {
  const measured = (): MemoryCluster => {
    const cluster = new MemoryCluster();
    for (const server of cluster.servers) server.isPaused = true;
    cluster.server('node-1').isSequencing = false;
    Object.assign(cluster.server('node-3'), { isSequencing: true, isOverridden: true });
    return cluster;
  };
  const guardOf = (cluster: MemoryCluster, id: string): string | null => {
    const config = cluster.config.servers.find((server) => server.id === id);
    return config === undefined ? null : resumeStep(cluster, config, cluster.view()).guard(cluster.view());
  };

  test('the leader must stay paused; leadership goes to the one that builds, or that stops first', () => {
    const cluster = measured();
    const sentences = troubles(cluster.view()).join('\n');
    expect(sentences).not.toContain('conductor resume');
    expect(sentences).toContain('conductor transfer node-3');
    expect(guardOf(cluster, 'node-1')).toContain('node-3 builds blocks, and node-1 could begin to, beside it');
    expect(guardOf(cluster, 'node-2')).toContain('node-3 builds blocks, and node-2 could begin to, beside it');
    cluster.leader = 'node-3';
    for (const id of ids) expect(guardOf(cluster, id)).toBe(null);
    const stopped = measured();
    stopped.server('node-3').isSequencing = false;
    expect(guardOf(stopped, 'node-1')).toBe(null);
    expect(troubles(stopped.view()).join('\n')).toContain('conductor resume node-1');
  });

  test('its silence is no reason to start another, but the word of the operator is', () => {
    const cluster = measured();
    cluster.server('node-3').isNodeUp = false;
    expect(guardOf(cluster, 'node-1')).toContain('say so with --idle node-3');
    const view = cluster.view();
    const servers = view.servers.map((one) => (one.id === 'node-3' ? { ...one, isKnownIdle: true } : one));
    const [first] = cluster.config.servers;
    expect(resumeStep(cluster, first!, view).guard({ ...view, servers })).toBe(null);
    // Its own word counts more.
    cluster.server('node-3').isNodeUp = true;
    const seen = cluster.view();
    const claimed = seen.servers.map((one) => (one.id === 'node-3' ? { ...one, isKnownIdle: true } : one));
    expect(resumeStep(cluster, first!, seen).guard({ ...seen, servers: claimed })).toContain('node-3 builds blocks');
  });
});
