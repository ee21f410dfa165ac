/**
 * The scenes of service.test.ts again and again in random order on the same clusters, and those that an
 * op-conductor survives too in clusters with one of them.
 */
import { Seeded } from '../cluster/seeded.ts';
import { describeScenes } from './service-suite.ts';
import { harms } from '../cluster/service-harms.ts';
import { deaths, fromHarm, operations, partitions, type Scene } from './service-scenes.ts';

const ROUNDS = 30;
const PARTITION_ROUNDS = 9;
const MIXED_ROUNDS = 8;

const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };
const ours = ['bun', 'bun', 'bun'] as const;

/** `count` scenes drawn from a list, with the round in their titles. */
function drawn(title: string, count: number, scenes: readonly Scene[]): Scene[] {
  const random = Seeded.announced(title);
  return Array.from({ length: count }, (_, round) => {
    const scene = random.pick(scenes);
    return { ...scene, title: `round ${round + 1}: ${scene.title}` };
  });
}

const shared = [harms.conductorKilled, harms.bothKilled, harms.sequencerKilled, harms.transferred].map(fromHarm);

describeScenes('rounds on services of three', [
  {
    title: 'all ours',
    cluster: { implementations: ours, settings },
    scenes: drawn('rounds', ROUNDS, [...deaths, ...operations]),
  },
  {
    title: 'with links',
    cluster: { implementations: ours, settings, hasLinks: true },
    scenes: drawn('partition rounds', PARTITION_ROUNDS, partitions),
  },
  {
    title: 'with an op-conductor',
    cluster: { implementations: ['bun', 'bun', 'go'], settings },
    scenes: drawn('mixed rounds', MIXED_ROUNDS, shared),
  },
]);
