/**
 * One simulated TCP connection between two conductors: what is sent arrives in order, however late; a side
 * knows that it is closed when it is told, and may never be told.
 */

/** A process in one of its lives. */
export interface End {
  readonly server: number;
  readonly life: number;
}

/** A message on its way. */
export interface InTransit {
  readonly atMs: number;
  /** It takes packets of full size. */
  readonly isLarge: boolean;
  readonly arrive: () => void;
}

/** One direction: in order, held up while the link is cut, as TCP sends again until it gives up. */
export interface Lane {
  readonly from: number;
  readonly to: number;
  readonly queue: InTransit[];
  clearsAtMs: number;
  isRunning: boolean;
  /** Consecutive tries over a cut link. */
  tries: number;
}

interface Waiting {
  readonly requestId: number;
  readonly deadlineMs: number;
}

export interface Connection {
  readonly id: number;
  readonly key: string;
  /** What was dialled, and whose it is said to be. */
  readonly address: string;
  readonly peerId: string;
  readonly from: End;
  readonly to: End;
  /** Whether the side that dialled, and the side that accepted, believe it is open. */
  isOpenHere: boolean;
  isOpenThere: boolean;
  /** A request has arrived: its end is news to the side that accepted. */
  hasCarried: boolean;
  /** Requests without an answer, by inbound id, oldest first. */
  readonly waiting: Map<number, Waiting>;
  readonly there: Lane;
  readonly back: Lane;
  isTimed: boolean;
}

export function openConnection(
  id: number,
  key: string,
  from: End,
  to: End,
  dialled: Pick<Connection, 'address' | 'peerId'>,
): Connection {
  const lane = (a: number, b: number): Lane => {
    return { from: a, to: b, queue: [], clearsAtMs: 0, isRunning: false, tries: 0 };
  };
  return {
    id,
    key,
    address: dialled.address,
    peerId: dialled.peerId,
    from,
    to,
    isOpenHere: true,
    isOpenThere: true,
    hasCarried: false,
    waiting: new Map(),
    there: lane(from.server, to.server),
    back: lane(to.server, from.server),
    isTimed: false,
  };
}
