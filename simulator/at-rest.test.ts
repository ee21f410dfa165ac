import { expect, it } from 'vitest';
import { isAtRest } from './at-rest.ts';
import { defaultConfiguration } from './configuration.ts';
import { Judge } from './judge.ts';
import { World } from './world.ts';

it('a run is not at rest while a server is a nonvoter that is to vote', () => {
  const judge = new Judge();
  const world = World.form({ ...defaultConfiguration, seed: 3 }, judge, (built) => judge.watch(built));
  world.run(5000);
  expect(isAtRest(world)).toBe(true);
  world.machine(0).call('conductor_demoteVoter', ['s2', 0n], () => undefined);
  world.run(2000);
  expect(isAtRest(world)).toBe(false);
});
