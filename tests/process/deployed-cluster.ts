/** A live cluster whose cluster file says how to deploy: the conductor of a server is ended and started again. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Implementation } from '../cluster/node-process.ts';
import { waitFor } from '../cluster/wait.ts';
import { DeploymentServer, type DeploymentCall } from './deployment-server.ts';
import { OperatedCluster } from './operated-cluster.ts';
import { operate } from './operate-command.ts';

const ANSWER_MS_MAX = 60_000;

export class DeployedCluster extends OperatedCluster {
  readonly deployments: DeploymentServer;
  /** Called after each deployment is done, before its command ends; what it throws is the command's failure. */
  afterwards: (call: DeploymentCall) => Promise<void> = () => Promise.resolve();

  constructor(implementations: readonly Implementation[]) {
    super(implementations);
    this.deployments = new DeploymentServer((call) => this.#deploy(call));
    const rows = readFileSync(this.file, 'utf8').replaceAll('[[server]]\n', `[[server]]\n${this.deployments.commands}`);
    writeFileSync(this.file, rows);
  }

  async #deploy(call: DeploymentCall): Promise<void> {
    const node = this.node(call.id);
    await node.conductor.end('SIGTERM');
    if (call.program !== '') {
      if (call.program === 'op-conductor') await this.#export(call.id);
      node.implementation = call.program === 'op-conductor' ? 'go' : 'bun';
    }
    // As settings that were never taken away have it: the tool must put it in charge again.
    node.startConductor('join');
    await waitFor(
      `${call.id} to answer`,
      ANSWER_MS_MAX,
      async () => (await node.callConductor('conductor_paused')) ?? null,
    );
    await this.afterwards(call);
  }

  async #export(id: string): Promise<void> {
    const { storageDir } = this.node(id);
    const { code, errors } = await operate('export', `--raft.storage.dir=${storageDir}`, `--raft.server.id=${id}`);
    if (code !== 0) throw new Error(`the export of ${id} failed: ${errors}`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.deployments[Symbol.asyncDispose]();
  }
}
