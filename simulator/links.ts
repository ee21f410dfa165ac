/**
 * The state of every directed link between machines: cut, holed, slowed, losing packets, repeating requests, and where an
 * address leads. Faults overlap, so each is counted and taken back by whoever made it.
 */
import type { Stream } from './streams.ts';

/** Time until a lost packet is sent again, as TCP's smallest. */
const RESEND_MS = 200;

interface Link {
  cuts: number;
  holes: number;
  extraDelayMs: number;
  lossPart: number;
  /** Requests still to be delivered twice. */
  repeats: number;
  /** Whom the address of the machine at the other end really leads to; the latest counts. */
  readonly misled: number[];
}

export interface LinkDelays {
  readonly minMs: number;
  readonly maxMs: number;
}

export class Links {
  readonly #links: Link[];
  readonly #size: number;
  readonly #delays: LinkDelays;
  readonly #random: Stream;

  constructor(size: number, delays: LinkDelays, random: Stream) {
    this.#size = size;
    this.#delays = delays;
    this.#random = random;
    this.#links = Array.from({ length: size * size }, () => ({
      cuts: 0,
      holes: 0,
      extraDelayMs: 0,
      lossPart: 0,
      repeats: 0,
      misled: [],
    }));
  }

  isCut(from: number, to: number): boolean {
    return this.#link(from, to).cuts > 0;
  }

  /** Whether nothing gets through somewhere. */
  get isAnyCut(): boolean {
    return this.#links.some(({ cuts }) => cuts > 0);
  }

  /** Whether packets of full size vanish on the way, and small ones get through. */
  isHoled(from: number, to: number): boolean {
    return this.#link(from, to).holes > 0;
  }

  /** Neither cut nor holed nor slowed nor losing anything, and leading where it should. */
  isClean(from: number, to: number): boolean {
    const { cuts, holes, extraDelayMs, lossPart, misled } = this.#link(from, to);
    return cuts + holes === 0 && extraDelayMs <= 0 && lossPart <= 1e-9 && misled.length === 0;
  }

  /** Cuts one direction; the same fault undone with `by` −1. */
  cut(from: number, to: number, by: 1 | -1): void {
    this.#link(from, to).cuts += by;
  }

  /** Packets of full size vanish in one direction; the same fault undone with `by` −1. */
  hole(from: number, to: number, by: 1 | -1): void {
    this.#link(from, to).holes += by;
  }

  slow(from: number, to: number, byMs: number): void {
    this.#link(from, to).extraDelayMs += byMs;
  }

  lose(from: number, to: number, byPart: number): void {
    this.#link(from, to).lossPart += byPart;
  }

  repeat(from: number, to: number, count: number): void {
    this.#link(from, to).repeats += count;
  }

  /** Where `from` gets with the address of `to`. */
  reached(from: number, to: number): number {
    return this.#link(from, to).misled.at(-1) ?? to;
  }

  /** The address of `to` leads `from` to `target`, which may be `from` itself; the same undone with `by` −1. */
  mislead(from: number, to: number, target: number, by: 1 | -1): void {
    const { misled } = this.#link(from, to);
    if (by > 0) misled.push(target);
    else misled.splice(misled.indexOf(target), 1);
  }

  /** Takes one repetition, if any is left. */
  takeRepeat(from: number, to: number): boolean {
    const link = this.#link(from, to);
    if (link.repeats === 0) return false;
    link.repeats--;
    return true;
  }

  /** How long the next message takes. A lost packet costs a resend, its resend may be lost, too. */
  delayMs(from: number, to: number): number {
    const { minMs, maxMs } = this.#delays;
    const link = this.#link(from, to);
    let delayMs = this.#random.between(minMs, maxMs) + link.extraDelayMs;
    for (let wait = RESEND_MS; link.lossPart > 0 && wait < 2000 && this.#random.chance(link.lossPart); wait *= 2)
      delayMs += wait;
    return delayMs;
  }

  #link(from: number, to: number): Link {
    return this.#links[from * this.#size + to]!;
  }
}
