/** A run as a value, and as a string that fits into a URL. */
import { defaultConfiguration, type Configuration } from './configuration.ts';
import { eventKinds, type EventKind, type SimEvent } from './faults.ts';

/** Changes whenever the same string would mean another run. */
export const RUN_VERSION = 1;

export interface Run {
  readonly version: typeof RUN_VERSION;
  readonly configuration: Configuration;
  readonly events: readonly SimEvent[];
}

/** Events a string may name, and characters of one. */
const EVENTS_MAX = 10_000;
const TEXT_MAX = 1_000_000;

/** The string cannot be replayed: it is damaged, or of another version. */
export class RunTextError extends Error {
  override readonly name = 'RunTextError';
}

/** URL-safe: letters, digits, '-', '_', '.' and '~'. */
export function runToText({ version, configuration, events }: Run): string {
  const settings = (Object.keys(defaultConfiguration) as (keyof Configuration)[])
    .filter((key) => configuration[key] !== defaultConfiguration[key])
    .map((key) => `${key}-${configuration[key]}`);
  const list = events.map(({ kind, afterMs, at, to, forMs, amount }) => {
    const numbers = [afterMs, at, to, forMs, amount].map((number) => number.toString(36));
    while (numbers.at(-1) === '0') numbers.pop();
    return [kind, ...numbers].join('-');
  });
  return [`v${version}`, settings.join('.'), ...list].join('~');
}

/** Throws RunTextError for anything that `runToText` does not write. */
export function runFromText(text: string): Run {
  if (text.length > TEXT_MAX) throw new RunTextError(`a run has at most ${TEXT_MAX} characters`);
  const [version, settings, ...list] = text.trim().split('~');
  if (version !== `v${RUN_VERSION}`)
    throw new RunTextError(
      `this is no run of version ${RUN_VERSION}: it begins with "${String(version).slice(0, 20)}"`,
    );
  if (list.length > EVENTS_MAX) throw new RunTextError(`a run has at most ${EVENTS_MAX} events`);
  const configuration: Record<string, number> = { ...defaultConfiguration };
  for (const setting of (settings ?? '').split('.').filter((one) => one !== '' && !/^\d+$/.test(one))) {
    const [name, value] = setting.split('-') as [string, string | undefined];
    if (!Object.hasOwn(defaultConfiguration, name) || value === undefined || !/^\d+$/.test(value))
      throw new RunTextError(`"${setting.slice(0, 40)}" is no setting of a run`);
    configuration[name] = Number(value);
  }
  return { version: RUN_VERSION, configuration: configuration as unknown as Configuration, events: list.map(eventOf) };
}

function eventOf(text: string): SimEvent {
  const [kind, ...numbers] = text.split('-') as [string, ...string[]];
  const isKind = (eventKinds as readonly string[]).includes(kind);
  if (!isKind || numbers.length > 5 || numbers.some((number) => !/^[0-9a-z]{1,8}$/.test(number)))
    throw new RunTextError(`"${text.slice(0, 40)}" is no event of a run`);
  const [afterMs = 0, at = 0, to = 0, forMs = 0, amount = 0] = numbers.map((number) => Number.parseInt(number, 36));
  return { kind: kind as EventKind, afterMs, at, to, forMs, amount };
}
