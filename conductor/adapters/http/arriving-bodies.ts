/**
 * The bodies of a server's requests from their first byte to the last: what all of them hold and how long each may
 * take. Small ones are the runtime's until they are whole; large ones need room (body-room.ts) and are read from
 * their sockets only while they have it. At a bound the body that has been arriving longest is given up.
 */
import { callerAddress } from '../system/every-interface.ts';
import { releaseChunk } from '../tcp/release-chunk.ts';
import type { Arrival, ArrivalHost, GivenUp, ReceivedBody } from './arrival.ts';
import { BodyRoom } from './body-room.ts';
import { LargeBody } from './large-body.ts';

const mebibyte = 1024 * 1024;
/** Memory for several large bodies, until they are answered: as a multiple of the largest one, and in bytes. */
const largeBodiesMax = 3;
const largeBodiesBytesMax = 16 * mebibyte;
/** Memory for all others, from their announcement until they are read, in bytes. */
const smallBodiesBytesMax = 64 * mebibyte;
/** Larger bodies, or those larger than a quarter of the largest, need room of their own. */
const smallBytesMax = mebibyte;
/** Longest wait for a body to arrive, and for room before that, milliseconds. */
const arrivalMsMax = 30_000;
/** Deadlines are looked at this often, milliseconds. */
const sweepMs = 1000;

export interface ArrivingBodiesOptions {
  readonly bodyBytesMax: number;
  /** Monotonic milliseconds. */
  now(): number;
  /** A body was given up. */
  shed(why: GivenUp): void;
}

/** Knows where requests come from; asked only about large ones. */
export type Addresses = Pick<Bun.Server<undefined>, 'requestIP'>;

const nothingToDo = (): void => undefined;
const never = (): boolean => false;
const empty: ReceivedBody = {
  kind: 'whole',
  bytes: new Uint8Array(0),
  release: nothingToDo,
  isOverdue: never,
  leave: nothingToDo,
};

export class ArrivingBodies implements ArrivalHost {
  readonly #options: ArrivingBodiesOptions;
  /** The longest first. */
  readonly #arriving = new Set<Arrival>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  #smallBytes = 0;
  readonly room: BodyRoom;
  readonly roomlessBytesMax: number;

  constructor(options: ArrivingBodiesOptions) {
    const { bodyBytesMax } = options;
    this.#options = options;
    this.roomlessBytesMax = Math.min(smallBytesMax, bodyBytesMax / 4);
    this.room = new BodyRoom(Math.min(largeBodiesMax * bodyBytesMax, largeBodiesBytesMax), () => options.now());
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
  }

  get bodyBytesMax(): number {
    return this.#options.bodyBytesMax;
  }

  /** Bytes of small bodies that are arriving or wait to be read, and how many bodies of all sizes arrive. */
  get held(): { readonly bytes: number; readonly bodies: number } {
    return { bytes: this.#smallBytes, bodies: this.#arriving.size };
  }

  /** Reads the body of a request that came at `nowMs` and whose announced length, where there is one, is within `bodyBytesMax`. */
  receive(request: Request, server: Addresses, nowMs: number): Promise<ReceivedBody> {
    const announced = request.headers.get('content-length');
    if (announced === null && !request.headers.has('transfer-encoding')) return Promise.resolve(empty);
    const length = announced === null ? null : Number(announced);
    if (length === 0) return Promise.resolve(empty);
    if (length !== null && length <= this.roomlessBytesMax) return this.#receiveSmall(request, length, nowMs);
    if (request.body === null) return Promise.resolve(empty);
    const address = callerAddress(server.requestIP(request)?.address ?? '');
    return new LargeBody(this, request.body, { length, address }).receive();
  }

  add(arrival: Arrival, nowMs = this.#options.now()): void {
    arrival.sinceMs = nowMs;
    this.#arriving.add(arrival);
  }

  remove(arrival: Arrival): void {
    if (this.#arriving.delete(arrival)) this.#smallBytes -= arrival.bytes;
  }

  settle(arrival: Arrival): () => void {
    if (!this.#arriving.delete(arrival)) return nothingToDo;
    let held = arrival.bytes;
    return () => {
      this.#smallBytes -= held;
      held = 0;
    };
  }

  hold(arrival: Arrival, bytes: number): void {
    if (!this.#arriving.has(arrival)) return;
    this.#smallBytes += bytes - arrival.bytes;
    arrival.bytes = bytes;
    if (this.#smallBytes > smallBodiesBytesMax) this.#giveUpOldest();
  }

  /** Until the others are within the bound, or none arrives any more: what is whole is read in any case. */
  #giveUpOldest(): void {
    for (const longest of this.#arriving) {
      if (this.#smallBytes <= smallBodiesBytesMax) return;
      if (longest.bytes > 0) this.giveUp(longest, 'memory');
    }
  }

  giveUp(arrival: Arrival, why: GivenUp): void {
    if (!this.#arriving.has(arrival)) return;
    this.remove(arrival);
    this.#options.shed(why);
    arrival.giveUp(why);
  }

  /** Ends the deadlines; bodies that arrive go on. */
  close(): void {
    clearInterval(this.#sweeper);
  }

  #receiveSmall(request: Request, length: number, nowMs: number): Promise<ReceivedBody> {
    const { promise, resolve } = Promise.withResolvers<ReceivedBody>();
    const arrival: Arrival = { sinceMs: 0, bytes: 0, giveUp: (why) => resolve({ kind: 'given-up', why }) };
    this.add(arrival, nowMs);
    this.hold(arrival, length);
    request.bytes().then(
      (bytes) => resolve(this.#wholeSmall(arrival, bytes)),
      () => {
        this.remove(arrival);
        resolve({ kind: 'gone' });
      },
    );
    return promise;
  }

  #wholeSmall(arrival: Arrival, bytes: Uint8Array): ReceivedBody {
    const forget = this.settle(arrival);
    const release = (): void => {
      releaseChunk(bytes);
      forget();
    };
    return { kind: 'whole', bytes, release, isOverdue: never, leave: nothingToDo };
  }

  #sweep(): void {
    const oldestMs = this.#options.now() - arrivalMsMax;
    for (const arrival of this.#arriving) if (arrival.sinceMs <= oldestMs) this.giveUp(arrival, 'slow');
  }
}
