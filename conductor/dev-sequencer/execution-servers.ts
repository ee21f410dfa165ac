/**
 * The ports of the execution client: eth methods for everybody, and the engine API for who has the secret. They are
 * closed while the client is down and answer nothing while it is frozen, as the client's process would.
 */
import { verifyJwt } from '#conductor/adapters/auth/jwt';
import type { Faults } from './faults.ts';
import { serveJsonRpc, type JsonRpcServer, type RpcMethods } from './json-rpc-server.ts';

/** Milliseconds between two looks at a frozen client. */
const LOOK_EVERY_MS = 20;

/** What is served where. */
export interface ExecutionServersOptions {
  readonly hostname: string;
  readonly port: number;
  readonly methods: RpcMethods;
  /** null: no engine API is served. `secret` is 32 bytes. */
  readonly engine: { readonly port: number; readonly secret: Uint8Array; readonly methods: RpcMethods } | null;
  readonly faults: Faults;
}

/** Listening from its construction; `follow` after the state of the client has changed. */
export class ExecutionServers {
  readonly #options: ExecutionServersOptions;
  readonly port: number;
  /** null: no engine API is served. */
  readonly enginePort: number | null;
  #servers: JsonRpcServer[] = [];

  /** Throws what Bun throws for a taken port. */
  constructor(options: ExecutionServersOptions) {
    this.#options = options;
    this.#listen(options.port, options.engine?.port ?? 0);
    this.port = this.#servers[0]?.port ?? options.port;
    this.enginePort = options.engine === null ? null : (this.#servers[1]?.port ?? options.engine.port);
  }

  /** Listens or not, as the client is up or down. */
  async follow(): Promise<void> {
    const isDown = this.#options.faults.execution === 'down';
    if (isDown) await this.stop();
    else if (this.#servers.length === 0) this.#listen(this.port, this.enginePort ?? 0);
  }

  async stop(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.stop();
  }

  #listen(port: number, enginePort: number): void {
    const { hostname, methods, engine, faults } = this.#options;
    const delayMs = (): number => faults.answerDelayMs;
    const hold = async (): Promise<void> => {
      while (faults.execution === 'frozen') await Bun.sleep(LOOK_EVERY_MS);
    };
    this.#servers.push(serveJsonRpc({ hostname, port, delayMs, hold, methods }));
    if (engine === null) return;
    const { secret } = engine;
    const whyRefused = (authorization: string | null): string | null => refusal(secret, authorization);
    try {
      const all = { ...methods, ...engine.methods };
      this.#servers.push(serveJsonRpc({ hostname, port: enginePort, delayMs, hold, whyRefused, methods: all }));
    } catch (error) {
      void this.stop();
      throw error;
    }
  }
}

/** Why a caller is refused; null for one whose token holds. */
function refusal(secret: Uint8Array, authorization: string | null): string | null {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined) return 'missing token';
  const verdict = verifyJwt(secret, token, Date.now() / 1000);
  return verdict.kind === 'valid' ? null : verdict.message;
}
