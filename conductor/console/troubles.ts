/** What is wrong with a cluster, since when, and which section of the runbook is about it. */
import { sectionOfAlarm, sectionOfTrouble, wordsOfAlarm } from './event-words.ts';
import type { Trouble } from './protocol.ts';

/** An alarm that was raised is shown so long after it was raised last, milliseconds. */
const alarmMsMax = 15 * 60_000;
const alarmsMax = 200;

interface Silence {
  readonly text: string;
  readonly reason: string;
  readonly untilMs: number;
}

export class Troubles {
  /** Since when each sentence of the last look has been true. */
  #sentences = new Map<string, number>();
  readonly #alarms = new Map<string, { code: string; sinceMs: number; lastMs: number }>();
  #nowMs = 0;

  /** The sentences that are true at a moment; what is not among them is over. */
  set(sentences: readonly string[], atMs: number): void {
    this.#nowMs = atMs;
    this.#sentences = new Map(sentences.map((text) => [text, this.#sentences.get(text) ?? atMs]));
    for (const [text, { lastMs }] of this.#alarms) if (atMs - lastMs > alarmMsMax) this.#alarms.delete(text);
  }

  /** A conductor has raised an alarm. */
  alarm(kind: string, server: string, atMs: number): void {
    const text = `${server}: ${wordsOfAlarm(kind)}`;
    const known = this.#alarms.get(text);
    if (known === undefined && this.#alarms.size >= alarmsMax) return;
    this.#alarms.set(text, { code: sectionOfAlarm(kind), sinceMs: known?.sinceMs ?? atMs, lastMs: atMs });
  }

  /** Alarms first, then the sentences in their order, silenced ones last. */
  list(silences: readonly Silence[]): Trouble[] {
    const silenceOf = (text: string): Trouble['silence'] => {
      const found = silences.find((one) => one.text === text);
      return found === undefined ? null : { reason: found.reason, untilMs: found.untilMs };
    };
    const alarms = [...this.#alarms]
      .filter(([, { lastMs }]) => this.#nowMs - lastMs <= alarmMsMax)
      .map(([text, { code, sinceMs }]): Trouble => ({ text, sinceMs, code, silence: silenceOf(text) }));
    const sentences = [...this.#sentences].map(([text, sinceMs]): Trouble => {
      return { text, sinceMs, code: sectionOfTrouble(text), silence: silenceOf(text) };
    });
    return [...alarms, ...sentences].toSorted((a, b) => Number(a.silence !== null) - Number(b.silence !== null));
  }
}
