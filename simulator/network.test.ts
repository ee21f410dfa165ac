import { describe, expect, it } from 'vitest';
import type { OutboundRequest, TransportEvent } from '#conductor/core/ports';
import type { RpcRequest, RpcResponse } from '#conductor/core/raft/types';
import type { End } from './connection.ts';
import { EventQueue } from './event-queue.ts';
import { Links } from './links.ts';
import { Network } from './network.ts';
import { Stream } from './streams.ts';

const TIMEOUT_MS = 1000;
const header = { protocolVersion: 3, id: null, address: null } as const;
const response = { kind: 'timeoutNow', ...header } as unknown as RpcResponse;

interface Delivery {
  readonly to: number;
  readonly atMs: number;
  readonly event: TransportEvent;
}

/** Two processes that answer nothing by themselves. */
function twoServers(delays = { minMs: 1, maxMs: 1 }) {
  const queue = new EventQueue();
  const links = new Links(2, delays, new Stream(1));
  const lives: (number | null)[] = [1, 1];
  const deliveries: Delivery[] = [];
  const network = new Network(queue, links, {
    serverOf: (id) => ['a', 'b'].indexOf(id),
    lifeOf: (server) => lives[server]!,
    worldMsOf: (_, ownMs) => ownMs,
    deliver: (to, event) => {
      if (lives[to.server] === to.life) deliveries.push({ to: to.server, atMs: queue.nowMs, event });
    },
  });
  const ends: readonly [End, End] = [
    { server: 0, life: 1 },
    { server: 1, life: 1 },
  ];
  let requestId = 0;
  const send = (peerId = 'b', channel: OutboundRequest['channel'] = 'replicate'): number => {
    requestId++;
    const request = { kind: 'timeoutNow', ...header } as unknown as RpcRequest;
    network.send(ends[0], { requestId, peerId, address: peerId, channel, request, timeoutMs: TIMEOUT_MS });
    return requestId;
  };
  const sendLarge = (bytes: number): number => {
    requestId++;
    const request = { kind: 'append', ...header, entries: [{ data: new Uint8Array(bytes) }] } as unknown as RpcRequest;
    network.send(ends[0], {
      requestId,
      peerId: 'b',
      address: 'b',
      channel: 'replicate',
      request,
      timeoutMs: TIMEOUT_MS,
    });
    return requestId;
  };
  const run = (ms: number): void => {
    const untilMs = queue.nowMs + ms;
    while (queue.step(untilMs));
  };
  const requests = () => deliveries.flatMap(({ to, event }) => (to === 1 && event.kind === 'request' ? [event] : []));
  const told = () => deliveries.filter(({ to }) => to === 0).map(({ event }) => event);
  return { queue, links, lives, network, ends, send, sendLarge, run, requests, told, deliveries };
}

function failure(requestId: number, reason: string): unknown {
  return { kind: 'failed', requestId, reason, message: reason };
}

describe('the network between conductors', () => {
  it('delivers and answers the requests of one channel in order, on one connection, however the delay jitters', () => {
    const { send, run, requests, network, ends, told } = twoServers({ minMs: 0.1, maxMs: 50 });
    const sent = Array.from({ length: 30 }, () => send());
    run(500);
    expect(requests()).toHaveLength(30);
    expect(new Set(requests().map(({ connectionId }) => connectionId)).size).toBe(1);
    for (const { inboundId } of requests()) network.reply(ends[1], inboundId, response);
    run(500);
    expect(told()).toEqual(sent.map((requestId) => ({ kind: 'response', requestId, response })));
  });

  it('a peer nobody knows cannot be reached, a dead process refuses', () => {
    const { send, run, told, lives } = twoServers();
    const unknown = send('nobody');
    run(10);
    lives[1] = null;
    const refused = send();
    run(10);
    expect(told()).toEqual([failure(unknown, 'unreachable'), failure(refused, 'refused')]);
  });

  it('a request goes where its address leads, which may be back to its sender', () => {
    const { send, run, requests, links, network, deliveries } = twoServers();
    send();
    run(10);
    links.mislead(0, 1, 0, 1);
    send();
    run(10);
    expect(requests()).toHaveLength(2);
    network.redial(0, 1);
    send();
    run(10);
    expect(requests()).toHaveLength(2);
    expect(deliveries.at(-1)).toMatchObject({ to: 0, event: { kind: 'request' } });
    expect(links.isClean(0, 1)).toBe(false);
    links.mislead(0, 1, 0, -1);
    network.redial(0, 1);
    send();
    run(10);
    expect(requests()).toHaveLength(3);
  });

  it('an unanswered request fails at its deadline, and its connection ends on both sides', () => {
    const { send, run, told, deliveries, network } = twoServers();
    const sent = [send(), send()];
    run(TIMEOUT_MS - 1);
    expect(told()).toEqual([]);
    run(10);
    expect(told()).toEqual(sent.map((requestId) => failure(requestId, 'timeout')));
    expect(deliveries.at(-1)).toMatchObject({ to: 1, event: { kind: 'inboundClosed' } });
    expect(network.size).toBe(0);
  });

  it('a killed process resets its connections; one that lost power says nothing', () => {
    const killed = twoServers();
    const first = killed.send();
    killed.run(10);
    killed.network.ended(killed.ends[1], false);
    killed.lives[1] = 2;
    killed.run(10);
    expect(killed.told()).toEqual([failure(first, 'reset')]);

    const dark = twoServers();
    const second = dark.send();
    dark.run(10);
    dark.network.ended(dark.ends[1], true);
    dark.lives[1] = 2;
    dark.run(TIMEOUT_MS - 100);
    expect(dark.told()).toEqual([]);
    dark.run(200);
    expect(dark.told()).toEqual([failure(second, 'timeout')]);
  });

  it('what is sent over a cut link arrives after it is healed, as TCP sends it again', () => {
    const { send, run, requests, links } = twoServers();
    send();
    run(10);
    links.cut(0, 1, 1);
    send();
    run(300);
    expect(requests()).toHaveLength(1);
    links.cut(0, 1, -1);
    run(TIMEOUT_MS);
    expect(requests()).toHaveLength(2);
  });

  it('what is large is held up by a hole, and all behind it, until its deadline; what is small passes', () => {
    const { links, run, requests, told, sendLarge, send } = twoServers();
    links.hole(0, 1, 1);
    expect(links.isClean(0, 1)).toBe(false);
    send('b', 'heartbeat');
    run(10);
    expect(requests()).toHaveLength(1);
    const large = sendLarge(601);
    const behind = send();
    run(TIMEOUT_MS - 20);
    expect(requests()).toHaveLength(1);
    run(100);
    expect(told()).toContainEqual(failure(large, 'timeout'));
    expect(told()).toContainEqual(failure(behind, 'timeout'));
    sendLarge(600);
    run(10);
    expect(requests()).toHaveLength(2);
    sendLarge(601);
    links.hole(0, 1, -1);
    run(10);
    expect(requests()).toHaveLength(3);
  });

  it('cuts, delays and losses overlap and are taken back one by one', () => {
    const { links } = twoServers();
    links.cut(0, 1, 1);
    links.cut(0, 1, 1);
    links.cut(0, 1, -1);
    expect(links.isCut(0, 1)).toBe(true);
    expect(links.isCut(1, 0)).toBe(false);
    links.cut(0, 1, -1);
    expect(links.isAnyCut).toBe(false);
    links.slow(0, 1, 30);
    links.slow(0, 1, 12);
    links.slow(0, 1, -30);
    expect(links.delayMs(0, 1)).toBe(13);
    links.lose(0, 1, 1);
    expect(links.delayMs(0, 1)).toBeGreaterThan(1000);
  });

  it('a repeated request arrives once more, as if on a connection of its own', () => {
    const { send, run, requests, links } = twoServers();
    links.repeat(0, 1, 1);
    send();
    send();
    run(10);
    expect(requests()).toHaveLength(3);
    expect(new Set(requests().map(({ connectionId }) => connectionId)).size).toBe(2);
    expect(new Set(requests().map(({ inboundId }) => inboundId)).size).toBe(3);
  });

  it('a half reset is news for the accepting side alone, until the other one writes', () => {
    const { send, run, network, deliveries, told } = twoServers();
    const first = send();
    run(10);
    network.reset(0, 1, true);
    run(10);
    expect(deliveries.at(-1)).toMatchObject({ to: 1, event: { kind: 'inboundClosed' } });
    expect(told()).toEqual([]);
    const second = send();
    run(10);
    expect(told()).toEqual([failure(first, 'reset'), failure(second, 'reset')]);
  });

  it('channels never wait for each other', () => {
    const { send, run, requests } = twoServers();
    send('b', 'replicate');
    send('b', 'heartbeat');
    run(10);
    expect(new Set(requests().map(({ connectionId }) => connectionId)).size).toBe(2);
  });
});
