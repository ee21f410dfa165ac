import { describe, expect, test } from 'vitest';
import { FlashblocksClient, type ClientSocket, type FlashblocksMessage } from './client.ts';
import { FanOut } from './fan-out.ts';
import { flashblocksLimits, type FlashblocksLimits } from './limits.ts';

/** A socket whose network takes everything, or nothing. */
class TestSocket implements ClientSocket {
  readonly remoteAddress = '192.0.2.1';
  isStuck = false;
  isLost = false;
  buffered = 0;
  pings = 0;
  ended = '';
  readonly sent: (string | Buffer)[] = [];

  send(data: string | Buffer): number {
    if (this.isLost) return 0;
    this.sent.push(data);
    if (!this.isStuck) return data.length;
    this.buffered += data.length;
    return -1;
  }
  ping(): void {
    this.pings += 1;
  }
  getBufferedAmount(): number {
    return this.buffered;
  }
  close(code: number): void {
    this.ended = `closed ${code}`;
  }
  terminate(): void {
    this.ended = 'terminated';
  }
}

const message = (data: string): FlashblocksMessage => ({ data, bytes: data.length });

function client(changes: Partial<FlashblocksLimits> = {}): { socket: TestSocket; one: FlashblocksClient } {
  const socket = new TestSocket();
  return { socket, one: new FlashblocksClient(socket, { ...flashblocksLimits, ...changes }, 0) };
}

describe('one client', () => {
  test('takes messages at once while the network does', () => {
    const { socket, one } = client();
    expect([one.offer(message('a'), 0), one.offer(message('b'), 0)]).toEqual([null, null]);
    expect(socket.sent).toEqual(['a', 'b']);
    expect(one.writingBytes).toBe(0);
  });

  test('one message is written, at most 256 wait, the next is one too many', () => {
    const { socket, one } = client();
    socket.isStuck = true;
    for (let count = 0; count <= 256; count += 1) expect(one.offer(message('m'), 0)).toBeNull();
    expect(socket.sent).toHaveLength(1);
    expect(one.offer(message('m'), 0)).toBe('queue-full');
  });

  test('waiting messages are bounded in bytes, too', () => {
    const { socket, one } = client({ clientBytesMax: 10 });
    socket.isStuck = true;
    expect(one.offer(message('the one being written does not count'), 0)).toBeNull();
    expect(one.offer(message('0123456789'), 0)).toBeNull();
    expect(one.offer(message('x'), 0)).toBe('queue-full');
  });

  test('goes on in order when the network has taken all, and stops again when it is stuck', () => {
    const { socket, one } = client();
    socket.isStuck = true;
    for (const data of ['a', 'b', 'c']) one.offer(message(data), 0);
    expect(one.drained(1)).toBeNull();
    expect(socket.sent).toEqual(['a']);
    socket.buffered = 0;
    one.drained(2);
    expect(socket.sent).toEqual(['a', 'b']);
    socket.buffered = 0;
    socket.isStuck = false;
    one.drained(3);
    expect(socket.sent).toEqual(['a', 'b', 'c']);
    expect(one.writingBytes).toBe(0);
  });

  test('a message has five seconds, counted from its own beginning', () => {
    const { socket, one } = client();
    socket.isStuck = true;
    one.offer(message('a'), 0);
    one.offer(message('b'), 0);
    expect(one.sweep(5000)).toBeNull();
    socket.buffered = 0;
    one.drained(5000);
    expect(one.sweep(10_000)).toBeNull();
    expect(one.sweep(10_001)).toBe('write-timeout');
  });

  test('a ping every 15 s, and ten seconds for the pong', () => {
    const { socket, one } = client();
    one.sweep(14_999);
    expect(socket.pings).toBe(0);
    one.sweep(15_000);
    one.sweep(16_000);
    expect(socket.pings).toBe(1);
    one.ponged();
    one.sweep(30_000);
    expect(socket.pings).toBe(2);
    expect(one.sweep(40_000)).toBeNull();
    expect(one.sweep(40_001)).toBe('pong-timeout');
  });

  test('pongs that it does not take for five seconds end it; those that it takes do not', () => {
    const { socket, one } = client();
    socket.buffered = 1;
    expect(one.sweep(0)).toBeNull();
    expect(one.sweep(5000)).toBeNull();
    socket.buffered = 0;
    expect(one.sweep(5500)).toBeNull();
    socket.buffered = 1;
    expect(one.sweep(6000)).toBeNull();
    expect(one.sweep(11_000)).toBeNull();
    expect(one.sweep(11_500)).toBe('write-timeout');
  });

  test('a lost socket and a talkative client are told apart from slow ones', () => {
    const { socket, one } = client({ clientSaysPerSweepMax: 2 });
    socket.isLost = true;
    expect(one.offer(message('a'), 0)).toBe('send-failed');
    one.spoke();
    one.spoke();
    expect(one.sweep(1)).toBeNull();
    for (let said = 0; said < 3; said += 1) one.spoke();
    expect(one.sweep(2)).toBe('talkative');
  });
});

describe('all clients', () => {
  function setUp(changes: Partial<FlashblocksLimits> = {}) {
    const world = { now: 0, dropped: [] as string[], gauge: -1, lines: 0, withheld: null as 'lease-over' | null };
    const fanOut = new FanOut({
      limits: { ...flashblocksLimits, ...changes },
      metrics: {
        count: (name: string, labels?: Readonly<Record<string, string>>) => {
          if (name === 'flashblocks_clients_dropped_total') world.dropped.push(labels?.['reason'] ?? '');
        },
        gauge: (_: string, value: number) => void (world.gauge = value),
        observe: () => undefined,
      },
      logger: { log: () => void (world.lines += 1) },
      withheld: () => world.withheld,
      now: () => world.now,
    });
    const sockets = ['a', 'b', 'c'].map(() => new TestSocket());
    for (const socket of sockets) fanOut.opened(socket);
    return { world, fanOut, sockets: sockets as [TestSocket, TestSocket, TestSocket] };
  }

  test('a slow one is dropped when its queue is full; the others get everything', () => {
    const { world, fanOut, sockets } = setUp();
    sockets[1].isStuck = true;
    for (let count = 0; count < 300; count += 1) fanOut.broadcast(message(String(count)));
    expect(sockets[0].sent).toHaveLength(300);
    expect(sockets[2].sent).toEqual(sockets[0].sent);
    expect(sockets[1].ended).toBe('terminated');
    expect(sockets[1].sent).toHaveLength(1);
    expect(world).toMatchObject({ dropped: ['queue-full'], gauge: 2 });
  });

  test('many dropped at once do not fill the log', () => {
    const { world, fanOut, sockets } = setUp({ clientMessagesMax: 0 });
    for (const socket of sockets) socket.isStuck = true;
    for (let count = 0; count < 2; count += 1) fanOut.broadcast(message('m'));
    expect(world.dropped).toHaveLength(3);
    expect(world.lines).toBe(1);
  });

  test('what all slow ones are being sent is bounded together, and given back when they go', () => {
    const { world, fanOut, sockets } = setUp({ writingBytesMax: 25 });
    for (const socket of sockets) socket.isStuck = true;
    fanOut.broadcast(message('0123456789'));
    expect(world.dropped).toEqual(['memory']);
    expect(sockets.map(({ ended }) => ended)).toEqual(['', '', 'terminated']);
    fanOut.closed(sockets[0]);
    const another = new TestSocket();
    another.isStuck = true;
    fanOut.opened(another);
    fanOut.broadcast(message('0123456789'));
    expect(world.dropped).toEqual(['memory']);
  });

  test('what waits for a slow one is forgotten when it may not be passed on any more (rule 26)', () => {
    const { world, fanOut, sockets } = setUp();
    const [slow] = sockets;
    slow.isStuck = true;
    for (const data of ['begun', 'waits']) fanOut.broadcast(message(data));
    world.withheld = 'lease-over';
    slow.isStuck = false;
    slow.buffered = 0;
    fanOut.drained(slow);
    fanOut.broadcast(message('withheld'));
    world.withheld = null;
    fanOut.broadcast(message('later'));
    expect(slow.sent).toEqual(['begun', 'later']);
    expect(sockets[1].sent).toEqual(['begun', 'waits', 'later']);
  });

  test('the end is said to all, and later events of theirs are ignored', () => {
    const { world, fanOut, sockets } = setUp();
    fanOut.closeAll();
    expect(sockets.map(({ ended }) => ended)).toEqual(['closed 1001', 'closed 1001', 'closed 1001']);
    fanOut.closed(sockets[0]);
    fanOut.drained(sockets[1]);
    fanOut.broadcast(message('late'));
    expect(sockets[1].sent).toEqual([]);
    expect(world).toMatchObject({ gauge: 0, dropped: [] });
  });
});
