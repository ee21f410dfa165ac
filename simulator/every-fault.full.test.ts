import { expect, it } from 'vitest';
import { eventKinds, type EventKind } from './faults.ts';
import { Judge } from './judge.ts';
import { execute } from './run.ts';
import { runFromText } from './run-value.ts';

/** Until when two runs are compared, when the fault happens, and how long it lasts, virtual milliseconds. */
const UNTIL_MS = 45_000;
const AT_MS = 14_000;
const LASTS_MS = 8000;
/** Of methods that are answered with errors it names nearly all. */
const AMOUNT = 524;
/** From the fault to the first occasion for it. */
const OCCASION_AFTER_MS = 1000;

/** Logs that are cut short, then long ones: of clients that are asked, of an L1 that is watched, of more servers, of counted peers. */
const SETTINGS = [
  '',
  ...['', 'engine-1.', 'engine-1.layerOne-1.', 'servers-5.', 'clientPeers-2.'].map((one) => `${one}trailingLogs-1000`),
];
/** One only asks, and nobody but the laws hears the answers; the other has to change nothing, which laws judge. */
const CHANGES_NOTHING: ReadonlySet<EventKind> = new Set(['read', 'onePeer']);
const without = new Map<string, string>();

/** That the fault was asked for is no effect of it. */
class EffectsOnly extends Judge {
  override happened(): void {
    return;
  }
}

function hashOf(settings: string, events: string): string {
  return execute(runFromText(`v1~${settings}${events}`), { untilMs: UNTIL_MS, judge: new EffectsOnly([]) }).hash;
}

/** Leadership goes round, a node falls behind, and all conductors are started again: what waits for that has its occasion. */
const occasionsAfter = (ms: number): string => `~transfer-${ms.toString(36)}~nodeDown-rs-1-0-1jk~upgradeAll-rs-0-0-334`;

/** Whether conductors are told, or answer, anything else in a run with the fault than in the same one without it. */
function bites(kind: EventKind, settings: string, at: number): boolean {
  const base = without.get(settings) ?? hashOf(settings, occasionsAfter(AT_MS + OCCASION_AFTER_MS));
  without.set(settings, base);
  const numbers = [AT_MS, at, 1, LASTS_MS, AMOUNT].map((number) => number.toString(36));
  const fault = `~${[kind, ...numbers].join('-')}`;
  return hashOf(settings, `${fault}${occasionsAfter(OCCASION_AFTER_MS)}`) !== base;
}

it.each(eventKinds.filter((kind) => !CHANGES_NOTHING.has(kind)))(
  '%s changes what happens',
  { timeout: 120_000 },
  (kind) => {
    expect(SETTINGS.some((settings) => [0, 1].some((at) => bites(kind, settings, at)))).toBe(true);
  },
);
