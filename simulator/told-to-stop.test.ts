import { expect, it } from 'vitest';
import { Judge } from './judge.ts';
import type { Machine } from './machine.ts';
import { execute } from './run.ts';
import { runFromText } from './run-value.ts';

class Starts extends Judge {
  readonly ids: string[] = [];

  override started(machine: Machine): void {
    super.started(machine);
    this.ids.push(machine.id);
  }
}

it('a conductor that is told to stop hands leadership over, and is started again', () => {
  const judge = new Starts();
  // Five seconds after the run began, at the leader.
  const report = execute(runFromText(`v1~~toldToStop-${(5000).toString(36)}`), { judge });
  expect(report.violation).toBeNull();
  expect(judge.ids.toSorted()).toEqual(['s0', 's0', 's1', 's2']);
});
