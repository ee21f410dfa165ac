import { expect, it } from 'vitest';
import { defaultConfiguration } from '../configuration.ts';
import { Judge } from '../judge.ts';
import type { Machine } from '../machine.ts';
import type { World } from '../world.ts';
import type { LawName } from './laws.ts';
import { inMixedCluster, mixedScopes, type MixedScope } from './mixed-laws.ts';

const ours = { id: 's0', isOpConductor: false } as Machine;
const others = { id: 's1', isOpConductor: true } as Machine;

/** Whose news reach an oracle of this scope, by what they are about. */
function toldOf(scope: MixedScope): string[] {
  const told: string[] = [];
  const oracle = inMixedCluster(
    {
      watch: () => void told.push('watch'),
      started: ({ id }) => void told.push(`started ${id}`),
      exited: ({ id }, undone) => void told.push(`exited ${id} ${undone}`),
    },
    scope,
  );
  oracle.watch?.({} as World);
  for (const machine of [ours, others]) {
    oracle.started?.(machine);
    oracle.exited?.(machine, 'nothing');
  }
  return told;
}

it('a law of everybody is told of everybody, and one of ours of ours, or of ours in some things', () => {
  const all = ['watch', 'started s0', 'exited s0 nothing', 'started s1', 'exited s1 nothing'];
  expect(toldOf('everybody')).toEqual(all);
  expect(toldOf({ oursAlone: 'everything' })).toEqual(all.slice(0, 3));
  expect(toldOf({ oursAlone: ['exited'] })).toEqual(all.slice(0, 4));
  expect(toldOf({ notJudgedBecause: 'it promises nothing of the kind' })).toEqual([]);
});

it.each([
  [0, 's1 ends and leaves its sequencer running without a word'],
  [2, null],
])('a conductor that ends without a word is one of ours or is not judged (%i)', (opConductors, message) => {
  const judge = new Judge(['endsInOrder']);
  const world = { configuration: { ...defaultConfiguration, opConductors }, machines: [], nowMs: 0 };
  judge.watch(world as unknown as World);
  const node = { isActive: true, isUp: true };
  judge.exited({ id: 's1', isOpConductor: opConductors > 0, node } as Machine, '');
  expect(judge.violation?.message ?? null).toBe(message);
});

it('the laws of safety judge every cluster', () => {
  const safety: readonly LawName[] = [
    'electionSafety',
    'stateMachineSafety',
    'leaderCompleteness',
    'committedIsKept',
    'acknowledgedSurvives',
    'onePublisherPerHeight',
    'noUnsafeReorg',
  ];
  expect(safety.filter((law) => mixedScopes[law] !== 'everybody')).toEqual([]);
  expect(mixedScopes.startsOnTheTip).toEqual({ oursAlone: ['ordered'] });
});

it.each(['everybody', { oursAlone: 'everything' }] as const)(
  'what an oracle says that it is to be told stays said (%j)',
  (scope) => {
    const oracle = {
      goesByPosition: true,
      handles: ['drain'],
      observed: () => undefined,
      handled: () => undefined,
    } as const;
    expect(inMixedCluster(oracle, scope)).toMatchObject({ goesByPosition: true, handles: ['drain'] });
  },
);
