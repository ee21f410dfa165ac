/** The control API of the Bun test node, over Bun.serve; its Go twin is bench/gonode/control.go. */
import type { RaftHost } from '#conductor/host/testing/raft-host';
import type { RaftResult } from '#conductor/core/raft/events';
import { Suffrage } from '#conductor/core/raft/types';
import type { NodeStatus } from './control.ts';
import type { OperationLog } from './operation-log.ts';
import type { WatchedStore } from './watched-store.ts';

const BODY_BYTES_MAX = 80 * 1024 * 1024;
const IDLE_TIMEOUT_SECONDS = 255;

interface ControlledNode {
  readonly port: number;
  readonly id: string;
  readonly host: RaftHost;
  readonly store: WatchedStore;
  readonly stateMachine: OperationLog;
}

/** Serves the API on 127.0.0.1 until the process ends. */
export function serveControl(node: ControlledNode): void {
  Bun.serve({
    hostname: '127.0.0.1',
    port: node.port,
    idleTimeout: IDLE_TIMEOUT_SECONDS,
    maxRequestBodySize: BODY_BYTES_MAX,
    fetch: (request) => {
      const path = request.url.slice(request.url.indexOf('/', 'http://'.length));
      if (path === '/apply') return apply(node, request);
      return request.method === 'GET' ? look(node, new URL(request.url)) : change(node, new URL(request.url));
    },
  });
}

async function apply({ host }: ControlledNode, request: Request): Promise<Response> {
  return answer(await host.command({ kind: 'propose', data: await request.bytes() }));
}

function look(node: ControlledNode, url: URL): Response {
  if (url.pathname === '/status') return Response.json(statusOf(node));
  if (url.pathname !== '/operations') return new Response(null, { status: 404 });
  const records = node.stateMachine.from(Number(url.searchParams.get('from') ?? 0));
  return new Response(records as Uint8Array<ArrayBuffer>);
}

async function change({ host }: ControlledNode, url: URL): Promise<Response> {
  const id = url.searchParams.get('id') ?? '';
  const address = url.searchParams.get('address') ?? '';
  const previousIndex = Number(url.searchParams.get('previous') ?? 0);
  switch (url.pathname) {
    case '/barrier':
      return answer(await host.command({ kind: 'barrier' }));
    case '/read':
      return answer(await host.command({ kind: 'read' }));
    case '/transfer':
      return answer(await host.command({ kind: 'transfer', target: id === '' ? null : id }));
    case '/add-voter':
      return answer(await host.command({ kind: 'addServer', id, address, suffrage: Suffrage.voter, previousIndex }));
    case '/add-nonvoter':
      return answer(await host.command({ kind: 'addServer', id, address, suffrage: Suffrage.nonvoter, previousIndex }));
    case '/remove':
      return answer(await host.command({ kind: 'removeServer', id, previousIndex }));
    case '/demote':
      return answer(await host.command({ kind: 'demoteVoter', id, previousIndex }));
    case '/snapshot':
      host.takeSnapshot();
      return Response.json({ index: host.status().snapshotIndex });
    default:
      return new Response('{"error":"no such call"}', { status: 404 });
  }
}

function answer(result: RaftResult): Response {
  switch (result.kind) {
    case 'done':
      return new Response(`{"index":${result.index}}`);
    case 'refused':
      return Response.json({ error: result.reason, message: result.message }, { status: 409 });
    case 'unknown':
      return Response.json({ error: 'unknown', message: result.reason }, { status: 503 });
  }
}

function statusOf({ id, host, store }: ControlledNode): NodeStatus {
  const status = host.status();
  return {
    id,
    state: status.role,
    term: status.term,
    ...store.vote,
    leaderId: status.leaderId ?? '',
    leaderAddress: status.leaderAddress ?? '',
    commitIndex: status.commitIndex,
    appliedIndex: status.appliedIndex,
    lastIndex: status.lastIndex,
    firstIndex: status.firstIndex,
    snapshotIndex: status.snapshotIndex,
    configurationIndex: status.configuration.index,
    servers: status.configuration.configuration.servers.map((server) => ({
      id: server.id,
      address: server.address,
      suffrage: server.suffrage === Suffrage.voter ? 'voter' : 'nonvoter',
    })),
  };
}
