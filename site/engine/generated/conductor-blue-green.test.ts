import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { blueGreenSwitch, SWITCH_FILE, type SwitchTimes } from './conductor-blue-green.ts';

it('the drawing of a blue/green switch shows the times that were recorded', () => {
  const { startMs, gapMs } = JSON.parse(readFileSync(SWITCH_FILE, 'utf8')) as SwitchTimes;
  const shown = [...blueGreenSwitch({}).matchAll(/(\d+) ms/g)].map(([, ms]) => Number(ms));
  expect(shown).toEqual([startMs, gapMs]);
});
