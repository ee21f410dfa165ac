/**
 * Room for large bodies: how many bytes of them are arriving, waiting to be read or being worked on, over all
 * connections. Who finds none waits with its socket unread, so that what it sends stays with it. Addresses take turns
 * (room-turns.ts), and who is slow, or silent, makes room for those that wait.
 */
import { RoomTurns } from './room-turns.ts';

/** Bytes a second below which a body that arrives makes room for one that waits. */
const rateMin = 4 * 1024 * 1024;
/** What is judged is a time of this length, milliseconds: a busy sender may pause. */
const judgedMs = 1000;
/** Those that hold room are looked at this often while others wait; who has sent nothing at the second look goes, milliseconds. */
const lookMs = 250;
/** Looks that are further apart say that we were slow ourselves, milliseconds: nobody is judged by that time. */
const ownStallMs = 2 * lookMs;

/** Memory for what those that wait have sent already, in bytes. Beyond: one whose turn would come last is turned out. */
const waitingBytesMax = 32 * 1024 * 1024;

/** A body that wants room, as its connection has it. */
export interface Guest {
  /** Bytes it may come to have. */
  readonly roomBytes: number;
  /** Bytes that have arrived; null when all have, and it is being worked on. */
  readonly arrivedBytes: number | null;
  /** Where it comes from. */
  readonly address: string;
  /** It has room now: its socket is to be read. */
  admitted(): void;
  /** It has been too slow while others waited, or too many wait. Leaves before this returns. */
  evicted(): void;
}

interface Stay {
  readonly bytes: number;
  sinceMs: number;
  bytesAtStart: number;
  /** What had arrived when it was let in. */
  readonly bytesAtEntry: number;
  /** It has been looked at. */
  wasSeen: boolean;
  /** When others were first seen to wait while it was worked on; null before that. */
  workedSinceMs: number | null;
}

export class BodyRoom {
  readonly bytesMax: number;
  readonly #now: () => number;
  readonly #inside = new Map<Guest, Stay>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Guest>();
  readonly #turns = new RoomTurns();
  #reviewedAtMs = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** `bytesMax` is for two and more; `now` gives monotonic milliseconds. */
  constructor(bytesMax: number, now: () => number) {
    this.bytesMax = bytesMax;
    this.#now = now;
  }

  /** Bytes that are taken. */
  get bytes(): number {
    let bytes = 0;
    for (const stay of this.#inside.values()) bytes += stay.bytes;
    return bytes;
  }

  /** Takes room at once, or waits for `admitted`: false. */
  enter(guest: Guest): boolean {
    if (this.#fits(guest)) {
      this.#admit(guest);
      this.#turns.served(guest, false);
      return true;
    }
    this.#waiting.add(guest);
    if (this.#timer === undefined) {
      this.#reviewedAtMs = this.#now();
      this.#timer = setInterval(() => this.#review(), lookMs);
    }
    while (this.#waitingBytes > waitingBytesMax) this.#turns.last([...this.#waiting]).evicted();
    return false;
  }

  get #waitingBytes(): number {
    let bytes = 0;
    for (const { arrivedBytes } of this.#waiting) bytes += arrivedBytes ?? 0;
    return bytes;
  }

  /** Gives up its room or its place among those that wait; nothing where it has neither. */
  leave(guest: Guest): void {
    this.#waiting.delete(guest);
    if (this.#inside.delete(guest)) this.#fill();
    this.#rest();
  }

  /** Whether it has been worked on for long while others wait: what is left of its work is better left undone. */
  isOverdue(guest: Guest): boolean {
    const sinceMs = this.#inside.get(guest)?.workedSinceMs ?? null;
    return sinceMs !== null && this.#waiting.size > 0 && this.#now() - sinceMs >= judgedMs;
  }

  /** One always fits by itself. */
  #fits({ roomBytes }: Guest): boolean {
    return this.#inside.size === 0 || this.bytes + roomBytes <= this.bytesMax;
  }

  #admit(guest: Guest): void {
    this.#inside.set(guest, {
      bytes: guest.roomBytes,
      sinceMs: this.#now(),
      bytesAtStart: guest.arrivedBytes ?? 0,
      bytesAtEntry: guest.arrivedBytes ?? 0,
      wasSeen: false,
      workedSinceMs: null,
    });
  }

  /** Lets in those whose turn it is, as long as they fit. */
  #fill(): void {
    while (this.#waiting.size > 0) {
      const guest = this.#turns.next([...this.#waiting]);
      if (!this.#fits(guest)) return;
      this.#waiting.delete(guest);
      this.#admit(guest);
      this.#turns.served(guest, true);
      guest.admitted();
    }
  }

  /** Turns out those that are silent, or slower than they may be, the oldest first, while others wait; begins to measure anew. */
  #review(): void {
    const nowMs = this.#now();
    const wasStalled = nowMs - this.#reviewedAtMs > ownStallMs;
    this.#reviewedAtMs = nowMs;
    for (const [guest, stay] of this.#inside) {
      const { arrivedBytes } = guest;
      if (this.#waiting.size === 0) break;
      if (arrivedBytes === null) {
        stay.workedSinceMs ??= nowMs;
        continue;
      }
      const elapsedMs = nowMs - stay.sinceMs;
      const isSilent = stay.wasSeen && arrivedBytes === stay.bytesAtEntry;
      stay.wasSeen = true;
      if (elapsedMs < judgedMs && !isSilent && !wasStalled) continue;
      const isSlow = (arrivedBytes - stay.bytesAtStart) * 1000 < rateMin * elapsedMs;
      stay.sinceMs = nowMs;
      stay.bytesAtStart = arrivedBytes;
      if ((isSilent || isSlow) && !wasStalled) guest.evicted();
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
