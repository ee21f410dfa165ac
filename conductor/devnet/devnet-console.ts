/** The console of a devnet: a cluster of its nodes, in the devnet's own process, with a history in its folder. */
import { join } from 'node:path';
import { defaultConsolePort, startConsole, type RunningConsole } from '#conductor/console/console';
import { version } from '#conductor/cli/version';
import { messageOf, StartupError } from '#conductor/core/errors';
import { bareServer, type ClusterConfig } from '#conductor/operate/cluster-config';
import { HOST, localUrl, type NodePlan } from './plan.ts';

export interface DevnetConsoleOptions {
  readonly nodes: readonly NodePlan[];
  readonly portOffset: number;
  /** Of the devnet. */
  readonly folder: string;
  /** A line for the terminal. */
  said(line: string): void;
}

export class DevnetConsole {
  readonly #options: DevnetConsoleOptions;
  readonly #started: Promise<RunningConsole | null>;
  #place = 'is being prepared';

  /** Starts it; it says where it is when it is there. */
  constructor(options: DevnetConsoleOptions) {
    this.#options = options;
    this.#started = this.#start();
  }

  /** The address that opens it, or why there is none. */
  get place(): string {
    return this.#place;
  }

  async stop(): Promise<void> {
    const running = await this.#started;
    await running?.stop({ isHurried: true });
  }

  async #start(): Promise<RunningConsole | null> {
    const { portOffset } = this.#options;
    try {
      return await this.#listen(defaultConsolePort + portOffset);
    } catch (error) {
      if (!(error instanceof StartupError && error.message.includes('address already in use')))
        return this.#failed(error);
    }
    return this.#listen(0).catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): null {
    this.#place = `is not served: ${messageOf(error)}`;
    this.#options.said(`console      ${this.#place}`);
    return null;
  }

  #listen(port: number): Promise<RunningConsole> {
    const { folder, nodes, said } = this.#options;
    return startConsole({
      clusters: [clusterOf(nodes)],
      hostname: HOST,
      port,
      history: join(folder, 'console.sqlite'),
      tokensFile: '',
      publicUrl: null,
      tls: null,
      mayChange: true,
      version,
      logger: { log: () => undefined },
      link: (url) => {
        this.#place = url;
        said(`console      ${url}`);
      },
    });
  }
}

function clusterOf(nodes: readonly NodePlan[]): ClusterConfig {
  const servers = nodes.map(({ id, ports }) => ({
    ...bareServer(id, localUrl(ports.conductorRpc)),
    consensus: `${HOST}:${ports.raft}`,
    node: localUrl(ports.sequencerNode),
    execution: localUrl(ports.sequencerExecution),
  }));
  return { name: 'devnet', path: null, servers };
}
