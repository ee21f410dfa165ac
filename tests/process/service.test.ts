/**
 * Three conductors with sequencers are hurt in every way we know. Whatever happens: no height with two
 * published hashes, no acknowledged payload lost, never two publishers. Times belong to `bench/gaps.ts`.
 */
import { describeScenes } from './service-suite.ts';
import { deaths, operations, partitions } from './service-scenes.ts';

const settings = { healthIntervalSeconds: 1, unsafeIntervalSeconds: 3 };
const implementations = ['bun', 'bun', 'bun'] as const;

describeScenes('a service of three', { implementations, settings }, [...deaths, ...operations]);
describeScenes('a service over links that can be cut', { implementations, settings, hasLinks: true }, partitions);
