/**
 * What may be done from the page: commands of the operators' tool, with the words and options that each takes there, as
 * forms for the page and as the check of what a page sends.
 */
import { bluegreenCommand } from '#conductor/operate/bluegreen-command';
import { canaryCommand } from '#conductor/operate/canary-command';
import type { Flags } from '#conductor/operate/command-flags';
import { joinCommand } from '#conductor/operate/join-command';
import { idleOption } from '#conductor/operate/known-idle';
import { leaveCommand } from '#conductor/operate/leave-command';
import type { OperatorCommand } from '#conductor/operate/operator-command';
import { overrideCommand } from '#conductor/operate/override-command';
import { pauseCommand, resumeCommand } from '#conductor/operate/pause-command';
import { repairCommand } from '#conductor/operate/repair-command';
import { rollingCommand } from '#conductor/operate/rolling-command';
import { stopCommand } from '#conductor/operate/stop-command';
import { transferCommand } from '#conductor/operate/transfer-command';
import type { ActForm, ActOption } from './protocol.ts';

const offered: readonly OperatorCommand[] = [
  transferCommand,
  pauseCommand,
  resumeCommand,
  joinCommand,
  leaveCommand,
  rollingCommand,
  canaryCommand,
  bluegreenCommand,
  repairCommand,
  stopCommand,
  overrideCommand,
];

/** By name. */
export const actCommands: ReadonlyMap<string, OperatorCommand> = new Map(
  offered.map((command) => [command.name, command]),
);

/** Servers in one request, and characters of what is written into a field. */
const wordsMax = 64;
const textLengthMax = 256;

export interface ActRequest {
  readonly command: string;
  /** Ids of servers. */
  readonly words: readonly string[];
  /** By camel-case name, as the tool has them. */
  readonly flags: Flags;
  /** The plan that was shown and agreed to; '' where one is asked for. */
  readonly plan: string;
}

/** For the page, in the order of its buttons. */
export function actForms(): ActForm[] {
  return offered.map((command) => ({
    command: command.name,
    description: command.description,
    details: command.details,
    servers: serversOf(command),
    options: optionsOf(command),
  }));
}

function serversOf({ arguments: [first] = [] }: OperatorCommand): ActForm['servers'] {
  if (first === undefined) return 'none';
  if (first.name.includes('...')) return 'many';
  return first.name.startsWith('<') ? 'one' : 'any';
}

function optionsOf({ options = [] }: OperatorCommand): ActOption[] {
  return [...options, idleOption].map(({ flags, doc }) => {
    const [, name = '', value] = /^--([a-z-]+)(?: <(.+)>)?$/.exec(flags) ?? [];
    const key = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return { key, doc, value: value ?? null };
  });
}

/** The request in a body; null for anything else. */
export function readActRequest(body: Readonly<Record<string, unknown>>): ActRequest | null {
  const { command, words, flags = {}, plan = '' } = body;
  const definition = typeof command === 'string' ? actCommands.get(command) : undefined;
  if (definition === undefined || !areWords(words) || typeof plan !== 'string') return null;
  const read = readFlags(definition, flags);
  return read === null ? null : { command: definition.name, words, flags: read, plan };
}

function areWords(words: unknown): words is string[] {
  return Array.isArray(words) && words.length <= wordsMax && words.every((word) => isText(word));
}

/** Nothing that could be taken for an option. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= textLengthMax && !value.startsWith('-');
}

/** Null for an option that the command does not have, or with a value that is none. */
function readFlags(command: OperatorCommand, given: unknown): Flags | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const known = optionsOf(command);
  const entries = Object.entries(given);
  const areGood = entries.every(([key, value]) => {
    const option = known.find((one) => one.key === key);
    return option !== undefined && (option.value === null ? value === true : isText(value));
  });
  return areGood ? Object.fromEntries(entries) : null;
}
