/** One conductor of a history: its process, started with op-conductor's flags beside a stand-in for its nodes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcess } from '../../tests/cluster/child-process.ts';
import { conductorCommand } from '../../tests/cluster/conductor-command.ts';
import { freePorts } from '../../tests/cluster/free-ports.ts';

const HOST = '127.0.0.1';
/** How a conductor starts: as the first of a cluster, as one that joins, or again on what it stored. */
export type Start = 'bootstrap' | 'join' | 'again';

export interface ServerOptions {
  readonly id: string;
  /** Folder of the history, for logs and stores. */
  readonly directory: string;
  readonly rollupConfig: string;
  /** Its op-node and execution client. */
  readonly nodeUrl: string;
}

/** What a server answered to a JSON-RPC call, or why there is no answer. */
export type Answer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string; readonly data: unknown }
  /** Nobody listened: nothing was sent. */
  | { readonly kind: 'not-sent' }
  /** Sent, perhaps, and no answer: whatever was asked for may have been done. */
  | { readonly kind: 'silent' };

export class Server {
  readonly id: string;
  readonly process: ChildProcess;
  readonly raftPort: number;
  /** "host:port" as the members know it; that of a proxy, to put one in between. */
  advertised: string;
  /** Where it keeps its log; set before the first start. */
  storageDir: string;
  readonly #rpcPort: number;
  readonly #flags: readonly string[];

  constructor({ id, directory, rollupConfig, nodeUrl }: ServerOptions) {
    const [raftPort, rpcPort, websocketPort] = freePorts(3) as [number, number, number];
    this.id = id;
    this.process = new ChildProcess(id, join(directory, `${id}.log`));
    this.raftPort = raftPort;
    this.advertised = `${HOST}:${raftPort}`;
    this.storageDir = join(directory, id);
    this.#rpcPort = rpcPort;
    this.#flags = [
      `--consensus.addr=${HOST}`,
      `--consensus.port=${raftPort}`,
      `--raft.server.id=${id}`,
      `--node.rpc=${nodeUrl}`,
      `--execution.rpc=${nodeUrl}`,
      `--rollup.config=${rollupConfig}`,
      '--healthcheck.interval=1',
      // The stand-in's head is as old as the last commit: no reason here to hand over.
      '--healthcheck.unsafe-interval=100000',
      '--healthcheck.min-peer-count=1',
      `--rpc.addr=${HOST}`,
      `--rpc.port=${rpcPort}`,
      `--websocket.server-port=${websocketPort}`,
      '--rpc.enable-admin=true',
      '--log.format=logfmtms',
    ];
  }

  /** `launcher`: words before the program's own. */
  start(first: Start, launcher: readonly string[] = []): void {
    mkdirSync(this.storageDir, { recursive: true });
    this.process.start([
      ...launcher,
      ...conductorCommand(),
      ...this.#flags,
      `--consensus.advertised=${this.advertised}`,
      `--raft.storage.dir=${this.storageDir}`,
      `--raft.bootstrap=${first === 'bootstrap'}`,
    ]);
  }

  async call(method: string, params: readonly unknown[], timeoutMs: number): Promise<Answer> {
    try {
      const response = await fetch(`http://${HOST}:${this.#rpcPort}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        // A kept connection may be one that a killed process left.
        keepalive: false,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = (await response.json()) as { result?: unknown; error?: { message: string; data?: unknown } };
      if (answer.error === undefined) return { kind: 'result', result: answer.result };
      return { kind: 'error', message: answer.error.message, data: answer.error.data };
    } catch (error) {
      const isRefused = error instanceof Error && 'code' in error && error.code === 'ConnectionRefused';
      return { kind: isRefused ? 'not-sent' : 'silent' };
    }
  }
}
