import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planNodes } from './plan.ts';
import type { NodePlan } from './plan.ts';
import { checkPorts } from './port-check.ts';

/** Ports that no other test takes; raft lies above the range of outgoing connections. */
const OFFSET = 15_200;
const [first] = planNodes(OFFSET);
if (first === undefined) throw new RangeError('a devnet has nodes');
const plan: NodePlan = first;
const silent = { portOffset: OFFSET, mayMove: true, progress: () => undefined };

/** A connection (its other end, which must close first to free the port), and a node whose raft port it was given. */
async function connection(): Promise<{ readonly farEnd: Socket; readonly node: NodePlan; readonly port: number }> {
  const server = createServer();
  await listen(server, 0);
  const accepted = once(server, 'connection');
  const socket = createConnection({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  const [[farEnd]] = (await Promise.all([accepted, once(socket, 'connect')])) as [[Socket], unknown];
  socket.resume();
  onTestFinished(() => {
    farEnd.destroy();
    server.close();
  });
  const port = socket.localPort ?? 0;
  return { farEnd, node: { ...plan, ports: { ...plan.ports, raft: port } }, port };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening');
}

// Who holds a port is read from /proc.
describe.runIf(process.platform === 'linux')('a port held by a connection', () => {
  it('is waited for, which is said once', async () => {
    const { farEnd, node, port } = await connection();
    const said: string[] = [];
    const progress = (line: string): void => {
      said.push(line);
      farEnd.end();
    };
    await checkPorts([node], { ...silent, progress, waitMs: 60_000 });
    expect(said).toEqual([`waiting up to 60 s: a connection holds port ${port} (raft, node 1)`]);
  }, 70_000);

  it('is named when it stays, with its process and both ways out', async () => {
    const { node, port } = await connection();
    await expect(checkPorts([node], { ...silent, waitMs: 0 })).rejects.toThrow(
      `a port is in use:\n  port ${port} (raft, node 1) is held by a connection of process ${process.pid} (`,
    );
    await expect(checkPorts([node], { ...silent, waitMs: 0 })).rejects.toThrow(
      'Wait a minute for the connection to go, or shift all ports: --port-offset',
    );
  });
});

describe('a port somebody listens on', () => {
  it('is refused at once, and the offset is no way out of a folder that has one', async () => {
    const server = createServer();
    await listen(server, plan.ports.raft);
    onTestFinished(() => void server.close());
    const refused = checkPorts([plan], { ...silent, mayMove: false });
    await expect(refused).rejects.toThrow(`port ${plan.ports.raft} (raft, node 1)`);
    await expect(refused).rejects.toThrow(/Stop what holds it\.$/);
  });
});
