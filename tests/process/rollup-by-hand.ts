/** A rollup whose sequencing is moved by hand: the first op-node sequences, no conductor runs, and a cluster file deploys. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PageRollup } from '../pages/page-rollup.ts';
import { DeploymentServer } from './deployment-server.ts';

export class RollupByHand implements AsyncDisposable {
  readonly rollup: PageRollup;
  readonly deployments: DeploymentServer;
  /** The cluster file. */
  readonly file: string;

  private constructor(rollup: PageRollup) {
    const { servers } = rollup;
    this.rollup = rollup;
    this.deployments = new DeploymentServer(({ id }) =>
      rollup.deployOpNode(servers.findIndex((server) => server.id === id)),
    );
    this.file = join(dirname(servers[0]?.folder ?? ''), 'conductor.toml');
    const rows = servers.map(
      ({ id, ports }) =>
        `[[server]]\n${this.deployments.commands}id = "${id}"\nconductor = "http://127.0.0.1:${ports.rpc}"\nnode = "http://127.0.0.1:${ports.node}"\n`,
    );
    writeFileSync(this.file, rows.join('\n'));
  }

  static async start(): Promise<RollupByHand> {
    const rollup = new PageRollup();
    try {
      await rollup.start();
      await rollup.sequence(0);
      return new RollupByHand(rollup);
    } catch (error) {
      await rollup[Symbol.asyncDispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.deployments[Symbol.asyncDispose]();
    await this.rollup[Symbol.asyncDispose]();
  }
}
