/** Plays an incident on a net of real op-nodes and op-geths: ours with the engine API, or op-conductors. */
import { clusters } from '../disagreement/clusters.ts';
import { Rounds } from '../disagreement/rounds.ts';
import { needOpStack } from '../op-stack.ts';
import type { Round, Sample } from './round.ts';
import { titleOf, type NetScene } from './scenes.ts';

/** Null, with the reason told, where the programs of the OP Stack are not there. */
export async function playOnNet(scene: NetScene, { side, rounds, random }: Round): Promise<readonly Sample[] | null> {
  const [geth, opNode] = [await needOpStack('op-geth'), await needOpStack('op-node')];
  if ('missing' in geth) return leftOut(scene, geth.missing);
  if ('missing' in opNode) return leftOut(scene, opNode.missing);
  const programs = { geth: geth.path, opNode: opNode.path };
  await using net = new Rounds(clusters[side === 'bun' ? 'validated' : 'go'], programs, random);
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { ms, faults } = await net.play({ ...scene.row, title: titleOf(scene) }, () => null);
    samples.push({ ms, faults });
  }
  return samples;
}

function leftOut({ id }: NetScene, why: string): null {
  console.log(`${id} is left out: ${why}`);
  return null;
}
