/**
 * Three conductors with sequencers are hurt in every way we know. Whatever happens: no height with two
 * published hashes, no acknowledged payload lost, never two publishers. Times belong to `bench/gaps`.
 */
import { describeScenes } from '../service-suite.ts';
import { deaths, operations, partitions } from '../service-scenes.ts';

const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };
const implementations = ['bun', 'bun', 'bun'] as const;
const cluster = { implementations, settings };

describeScenes('a service of three', [
  { title: 'first', cluster, scenes: deaths.filter((_, at) => at % 2 === 0) },
  { title: 'second', cluster, scenes: deaths.filter((_, at) => at % 2 === 1) },
  { title: 'with links', cluster: { ...cluster, hasLinks: true }, scenes: [...partitions, ...operations] },
]);
