/** A run as a value, and as a string that fits into a URL. */
import { configurationLimits, defaultConfiguration, type Configuration } from './configuration.ts';
import { eventKinds, type SimEvent } from './faults.ts';

/** Changes whenever the same string would mean another run. */
export const RUN_VERSION = 1;

export interface Run {
  readonly version: typeof RUN_VERSION;
  readonly configuration: Configuration;
  readonly events: readonly SimEvent[];
}

/** Events of a run, and characters of its string. */
export const EVENTS_MAX = 1000;
const TEXT_MAX = 100_000;
/** What the numbers of an event may be at most: ten minutes, and what `faults.ts` makes a size of. */
export const EVENT_LIMITS = { afterMs: 600_000, at: 63, to: 63, forMs: 600_000, amount: 1000 } as const;
/** Virtual time between the first event and the end of the last. */
const VIRTUAL_MS_MAX = 86_400_000;

/** The string cannot be replayed: it is damaged, of another version, or asks for too much. */
export class RunTextError extends Error {
  override readonly name = 'RunTextError';
}

/** URL-safe: letters, digits, '-', '_', '.' and '~'. What equals the default is left out. */
export function runToText({ version, configuration, events }: Run): string {
  const settings = settingNames
    .filter((key) => configuration[key] !== defaultConfiguration[key])
    .map((key) => `${key}-${configuration[key]}`);
  const list = events.map(({ kind, afterMs, at, to, forMs, amount }) => {
    const numbers = [afterMs, at, to, forMs, amount].map((number) => number.toString(36));
    while (numbers.at(-1) === '0') numbers.pop();
    return [kind, ...numbers].join('-');
  });
  return [`v${version}`, settings.join('.'), ...list].join('~');
}

/** The run that a string names. Throws RunTextError for everything else, with a sentence that says why. */
export function runFromText(text: string): Run {
  if (text.length > TEXT_MAX) throw new RunTextError(`a run has at most ${TEXT_MAX} characters`);
  const [version, settings = '', ...list] = text.trim().split('~');
  if (version !== `v${RUN_VERSION}`)
    throw new RunTextError(`this is no run of version ${RUN_VERSION}: it begins with "${shown(version ?? '')}"`);
  if (list.length > EVENTS_MAX) throw new RunTextError(`a run has at most ${EVENTS_MAX} events`);
  const events = list.map(eventOf);
  const lastsMs = events.reduce((sum, { afterMs }) => sum + afterMs, 0);
  if (lastsMs > VIRTUAL_MS_MAX) throw new RunTextError(`a run lasts at most ${VIRTUAL_MS_MAX} virtual milliseconds`);
  return { version: RUN_VERSION, configuration: configurationOf(settings), events };
}

const settingNames = Object.keys(defaultConfiguration) as (keyof Configuration)[];

function configurationOf(text: string): Configuration {
  const configuration: Record<keyof Configuration, number> = { ...defaultConfiguration };
  const given = new Set<string>();
  for (const setting of text === '' ? [] : text.split('.')) {
    const [, name, value] = /^([A-Za-z]+)-(\d{1,10})$/.exec(setting) ?? [];
    const key = settingNames.find((known) => known === name);
    if (key === undefined) throw new RunTextError(`"${shown(setting)}" is no setting of a run`);
    const [min, max] = configurationLimits[key];
    const number = Number(value);
    if (number < min || number > max) throw new RunTextError(`${key} is ${min} to ${max}, not ${number}`);
    if (given.has(key)) throw new RunTextError(`${key} is set twice`);
    given.add(key);
    configuration[key] = number;
  }
  if (configuration.delayMinUs > configuration.delayMaxUs)
    throw new RunTextError('delayMinUs is above delayMaxUs: messages cannot be faster than they are');
  if (configuration.nonvoters >= configuration.servers)
    throw new RunTextError('nonvoters is not below servers: somebody has to vote');
  return configuration;
}

function eventOf(text: string): SimEvent {
  const [name, ...numbers] = text.split('-');
  const kind = eventKinds.find((known) => known === name);
  if (kind === undefined || numbers.length > 5 || numbers.some((number) => !/^[0-9a-z]{1,6}$/.test(number)))
    throw new RunTextError(`"${shown(text)}" is no event of a run`);
  const [afterMs = 0, at = 0, to = 0, forMs = 0, amount = 0] = numbers.map((number) => Number.parseInt(number, 36));
  const event = { kind, afterMs, at, to, forMs, amount };
  for (const [key, max] of Object.entries(EVENT_LIMITS) as [keyof typeof EVENT_LIMITS, number][])
    if (event[key] > max) throw new RunTextError(`"${shown(text)}": ${key} is at most ${max}, not ${event[key]}`);
  return event;
}

/** A stranger's text, short enough for a message. */
function shown(text: string): string {
  return text.slice(0, 40);
}
