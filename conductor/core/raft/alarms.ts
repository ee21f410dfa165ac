/**
 * What only people can put right, told to the host as a notice: at once when it begins, and again now and then while
 * it lasts, so that a peer that is asked ten times a second does not fill the log.
 */
import type { RaftAlarm } from './events.ts';
import type { RaftState } from './state.ts';
import { ALARM_AGAIN_MS } from './timing.ts';

/** `about`: the id of a member, or '' for what whoever may have sent; part of what makes an alarm the same. */
export function raiseAlarm(
  s: RaftState,
  alarm: RaftAlarm,
  about: string,
  message: string,
  fields: Readonly<Record<string, unknown>>,
): void {
  const key = `${alarm} ${about}`;
  if (s.nowMs - (s.alarmedAtMs.get(key) ?? -Infinity) < ALARM_AGAIN_MS) return;
  s.alarmedAtMs.set(key, s.nowMs);
  s.outbox.notices.push({ kind: 'alarm', alarm, message, fields });
}
