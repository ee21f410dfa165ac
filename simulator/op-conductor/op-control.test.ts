import { expect, it } from 'vitest';
import type { Effect, EffectResult } from '#conductor/core/node/effects';
import { encodeSsz } from '#conductor/core/payload/ssz';
import { SszError } from '#conductor/core/payload/ssz-check';
import { Blocks, type Block } from '../blocks.ts';
import { OpControl } from './op-control.ts';
import type { HeldPayload } from './payload-state.ts';

const blocks = new Blocks(1);
const first = blocks.build(blocks.genesis, 0);
const second = blocks.build(first, 0);

function held({ number, hash, envelope }: Block): HeldPayload {
  const ssz = encodeSsz(envelope);
  if (ssz instanceof SszError) throw ssz;
  return { number: BigInt(number), hash, ssz };
}

interface Situation {
  readonly leads?: boolean;
  readonly health?: 'healthy' | 'unhealthy' | 'connection down';
  readonly sequences?: boolean;
  /** Where its node stands; the log ends in `second`. */
  readonly node?: Block;
}

function controlIn({ leads = false, health = 'healthy', sequences = false }: Situation): OpControl {
  const control = new OpControl({ random: () => 0.5, head: () => held(second) }, false, sequences);
  if (leads) control.leaderIs(true);
  if (health !== 'healthy') control.healthIs(health);
  return control;
}

/** What one action asks for, in order; everything succeeds. */
function asked(control: OpControl, { node = second }: Situation = {}): string[] {
  const names: string[] = [];
  const steps = control.action();
  const block = { number: `0x${node.number.toString(16)}`, hash: node.hash, parentHash: node.parentHash };
  const result = (effect: Effect): EffectResult => {
    if (effect.kind === 'read') return { kind: 'read', isConfirmed: true, message: '' };
    if (effect.kind === 'transfer') return { kind: 'transfer', isDone: true, message: '' };
    if (effect.kind !== 'calls') return { kind: 'wait' };
    return { kind: 'calls', results: [{ kind: 'result', value: block }] };
  };
  for (let step = steps.next(); step.done !== true; step = steps.next(result(step.value)))
    names.push(step.value.kind === 'calls' ? step.value.requests[0]!.method : step.value.kind);
  return names;
}

const START = ['read', 'eth_getBlockByNumber', 'admin_startSequencer'];
const STOP = 'admin_stopSequencer';

it.each([
  ['a follower', {}, []],
  ['a follower that is not healthy', { health: 'unhealthy' }, []],
  ['a follower that sequences', { sequences: true }, [STOP]],
  ['a follower that sequences and is not healthy', { health: 'unhealthy', sequences: true }, [STOP]],
  ['a leader', { leads: true }, START],
  ['a leader that sequences', { leads: true, sequences: true }, []],
  [
    'a leader that sequences and is not healthy',
    { leads: true, sequences: true, health: 'unhealthy' },
    [STOP, 'transfer'],
  ],
  ['a leader just elected, not healthy', { leads: true, health: 'unhealthy' }, START],
  ['a leader just elected whose node does not answer', { leads: true, health: 'connection down' }, ['transfer']],
] as const)('what op-conductor does: %s', (_, situation: Situation, expected) => {
  expect(asked(controlIn(situation), situation)).toEqual(expected);
});

it('a node is brought up by one block, and by two it is tried again after a while', () => {
  const posted = [...START.slice(0, 2), 'admin_postUnsafePayload', 'admin_startSequencer'];
  expect(asked(controlIn({ leads: true }), { node: first })).toEqual(posted);
  const control = controlIn({ leads: true });
  expect(asked(control, { node: blocks.genesis })).toEqual([...START.slice(0, 2), 'wait']);
  expect(control.isActionQueued).toBe(true);
});

it('who was started though not healthy is waited for; who fell ill while sequencing hands over', () => {
  const control = controlIn({ leads: true, health: 'unhealthy' });
  expect(asked(control)).toEqual(START);
  control.healthIs('unhealthy');
  expect(asked(control)).toEqual([]);
});

it('while it is paused nothing is done, and then what is due', () => {
  const control = controlIn({ leads: true });
  control.isPaused = true;
  expect(asked(control)).toEqual([]);
  control.resumed(false);
  expect(control.isActionQueued).toBe(true);
  expect(asked(control)).toEqual(START);
});
