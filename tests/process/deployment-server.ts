/** Where the deploy commands of a test's cluster file call: a port that does what the test says, and writes down what was asked. */
import type { Server } from 'bun';

export interface DeploymentCall {
  readonly what: 'deploy' | 'rollback';
  /** SERVER_ID and PROGRAM of the command's environment; the latter '' where there is none. */
  readonly id: string;
  readonly program: string;
}

export class DeploymentServer implements AsyncDisposable {
  readonly calls: DeploymentCall[] = [];
  readonly #server: Server<undefined>;

  /** `carryOut` does it; the command fails when it throws. */
  constructor(carryOut: (call: DeploymentCall) => Promise<void>) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 60,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const [, what, id = '', program = ''] = pathname.split('/');
        const call: DeploymentCall = { what: what === 'rollback' ? 'rollback' : 'deploy', id, program };
        this.calls.push(call);
        try {
          await carryOut(call);
          return new Response(`${what} of ${id}\n`);
        } catch (error) {
          return new Response(`${(error as Error).message}\n`, { status: 500 });
        }
      },
    });
  }

  /** Lines of a [[server]] in a cluster file. */
  get commands(): string {
    const command = (what: string): string =>
      `${what} = "curl -sS --fail-with-body --max-time 60 http://127.0.0.1:${this.#server.port}/${what}/$SERVER_ID/$PROGRAM"\n`;
    return command('deploy') + command('rollback');
  }

  /** Ids in the order in which they were deployed to. */
  get deployed(): readonly string[] {
    return this.calls.filter(({ what }) => what === 'deploy').map(({ id }) => id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.stop(true);
  }
}
