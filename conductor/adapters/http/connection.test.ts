import { expect, test } from 'vitest';
import type { ConnectionHost } from './connection-host.ts';
import { BodyRoom } from './body-room.ts';
import { BodyTurns } from './body-turns.ts';
import { HttpConnection } from './connection.ts';
import { Pipe } from './testing/pipe.ts';
import { post } from './testing/raw-client.ts';

function connect(): { pipe: Pipe; connection: HttpConnection; served: () => number } {
  let served = 0;
  const host: ConnectionHost = {
    bodyBytesMax: 1024,
    roomlessBytesMax: 1024,
    room: new BodyRoom(1024, () => 0),
    turns: new BodyTurns(),
    evict: () => undefined,
    begin: () => null,
    answer: () => {
      served += 1;
      return { status: 200, headers: '', body: 'answer' };
    },
    tooLarge: () => ({ status: 413, headers: '', body: '' }),
    stateChanged: () => undefined,
    holdsMore: () => undefined,
  };
  const pipe = new Pipe();
  return { pipe, connection: new HttpConnection(pipe, host), served: () => served };
}

const request = Buffer.from(post('x'));
const many = Buffer.concat(Array.from({ length: 100 }, () => request));

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('a client that reads nothing is served one answer and then read no further', async () => {
  const { pipe, connection, served } = connect();
  pipe.takes = 10;
  for (let chunk = 0; chunk < 100 && !pipe.isPaused; chunk += 1) connection.receive(many);
  await turns(5);
  expect(pipe.isPaused).toBe(true);
  expect(served()).toBe(1);
  pipe.takes = Infinity;
  connection.drained();
  await turns(100);
  expect(pipe.isPaused).toBe(false);
  expect(served() % 100).toBe(0);
  expect(pipe.sent.match(/answer/g)).toHaveLength(served());
});

test('a client that sends many requests at once leaves the others their turn', async () => {
  const { connection, served } = connect();
  connection.receive(many);
  connection.receive(many);
  expect(served()).toBeLessThan(100);
  await turns(20);
  expect(served()).toBe(200);
});

test('requests before the end of the client are all answered, then the connection is closed', async () => {
  const { pipe, connection, served } = connect();
  connection.receive(many);
  connection.ended();
  await turns(20);
  expect(served()).toBe(100);
  expect(pipe.isEnded).toBe(true);
});
