/**
 * What only people can put right, and what peers do that nobody honest does, told to the host as a notice: at once when it
 * begins, and again now and then while it lasts, so that a peer that is asked ten times a second does not fill the log.
 */
import type { RaftAlarm } from './events.ts';
import type { RaftState } from './state.ts';
import { ALARM_AGAIN_MS } from './timing.ts';

/** Longest text of a peer in a notice, in characters. */
const PEER_TEXT_MAX = 256;

/** `about`: the id of a member, or '' for what whoever may have sent; part of what makes an alarm the same. */
export function raiseAlarm(
  s: RaftState,
  alarm: RaftAlarm,
  about: string,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (isDue(s, `${alarm} ${about}`))
    s.outbox.notices.push({ kind: 'alarm', alarm, message, fields: withShortTexts(fields) });
}

/** A warning about what whoever may have sent, told as seldom as an alarm. */
export function warnOfPeer(s: RaftState, message: string, fields: Readonly<Record<string, unknown>>): void {
  if (isDue(s, `warning ${message}`)) s.warn(message, withShortTexts(fields));
}

/** Whether a notice has its time again; it then has had it. */
function isDue(s: RaftState, key: string): boolean {
  if (s.nowMs - (s.alarmedAtMs.get(key) ?? -Infinity) < ALARM_AGAIN_MS) return false;
  s.alarmedAtMs.set(key, s.nowMs);
  return true;
}

function withShortTexts(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? shortened(value) : value]),
  );
}

/** An id or address in a notice: a peer is whom it says it is, in 64 KiB if it likes. */
export function shortened(text: string): string {
  return text.slice(0, PEER_TEXT_MAX);
}
