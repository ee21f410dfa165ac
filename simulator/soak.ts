/** Progress of a soak: rate, what was covered, and what sometimes happened. */
import type { EventKind } from './faults.ts';
import { usualKinds } from './fault-sets.ts';
import type { RunReport } from './run.ts';
import { runToText, type Run } from './run-value.ts';
import { sometimesNames } from './sometimes.ts';

/** A line of progress this often, milliseconds. */
export const PROGRESS_MS = 10_000;

export class Soak {
  readonly #kinds: readonly EventKind[];
  readonly #beganMs: number;
  readonly #print: (line: string) => void;
  #printedMs: number;
  #runs = 0;
  #virtualMs = 0;
  #published = 0;
  readonly #sometimes = new Map<string, number>();

  /** `kinds`: what may happen in its runs. */
  constructor(nowMs: number, print: (line: string) => void, kinds: readonly EventKind[] = usualKinds) {
    this.#kinds = kinds;
    this.#beganMs = nowMs;
    this.#printedMs = nowMs;
    this.#print = print;
  }

  done({ virtualMs, published, judge }: RunReport, nowMs: number): void {
    this.#runs++;
    this.#virtualMs += virtualMs;
    this.#published += published;
    for (const [name, count] of judge.sometimes) this.#sometimes.set(name, (this.#sometimes.get(name) ?? 0) + count);
    this.#now(nowMs, () => this.#line(nowMs));
  }

  /** A law is broken: the run is made small from now on. It is told first, for that may be cut short. */
  found(law: string, run: Run): void {
    this.#print(`a run breaks ${law}; looking for a smaller one that does\n${runToText(run)}`);
  }

  /** So many smaller runs were tried; the smallest that breaks the law has so many events. */
  shrinks(tried: number, events: number, nowMs: number): void {
    this.#now(nowMs, () => `${tried} smaller runs tried, the smallest that breaks it has ${events} events`);
  }

  summary(nowMs: number): void {
    this.#print(this.#line(nowMs));
    for (const [name, count] of [...this.#sometimes].toSorted()) this.#print(`  ${name}: ${count}`);
    const wanted = [...this.#kinds.map((kind) => `event ${kind}`), ...sometimesNames];
    for (const name of wanted) if (!this.#sometimes.has(name)) this.#print(`  never: ${name}`);
  }

  #now(nowMs: number, line: () => string): void {
    if (nowMs - this.#printedMs < PROGRESS_MS) return;
    this.#printedMs = nowMs;
    this.#print(line());
  }

  #line(nowMs: number): string {
    const seconds = (nowMs - this.#beganMs) / 1000;
    const rate = Math.round(this.#virtualMs / 1000 / seconds);
    const kinds = this.#kinds.filter((kind) => this.#sometimes.has(`event ${kind}`)).length;
    const sometimes = sometimesNames.filter((name) => this.#sometimes.has(name)).length;
    const reached = `${kinds} of ${this.#kinds.length} kinds of events, ${sometimes} of ${sometimesNames.length} sometimes-assertions`;
    return `${this.#runs} runs, ${Math.round(this.#virtualMs / 1000)} virtual seconds (${rate} per second), ${this.#published} blocks published, ${reached}`;
  }
}
