/**
 * A cluster of test nodes in a temporary directory: forming it, finding its leader, waiting for
 * convergence, and taking everything down again. Disposable: `await using cluster = …`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodeStatus } from './control.ts';
import { NodeProcess, type Implementation, type NodeSettings } from './node-process.ts';
import { waitFor } from './wait.ts';

const STATUS_TIMEOUT_MS = 500;
const FORM_TIMEOUT_MS = 30_000;

export class Cluster implements AsyncDisposable {
  readonly directory: string;
  readonly nodes: NodeProcess[] = [];
  readonly #settings: NodeSettings;

  /** One node per implementation named, with ids n1, n2, …; `parent` is where the temporary directory is made. */
  constructor(implementations: readonly Implementation[], settings: NodeSettings = {}, parent = tmpdir()) {
    this.directory = mkdtempSync(join(parent, 'conductor-cluster-'));
    this.#settings = settings;
    for (const implementation of implementations) this.newNode(implementation);
  }

  /** A further node with the next id, not started and not a member. */
  newNode(implementation: Implementation, address?: string): NodeProcess {
    const id = `n${this.nodes.length + 1}`;
    const node = new NodeProcess({
      id,
      implementation,
      directory: this.directory,
      settings: this.#settings,
      ...(address === undefined ? {} : { address }),
    });
    this.nodes.push(node);
    return node;
  }

  get running(): NodeProcess[] {
    return this.nodes.filter((node) => node.isRunning);
  }

  node(id: string): NodeProcess {
    const found = this.nodes.find((node) => node.id === id);
    if (found === undefined) throw new Error(`no node ${id}`);
    return found;
  }

  /**
   * Bootstraps the first node alone, starts the others empty, and adds each as nonvoter, then as voter:
   * a server with a new store may not vote before it has caught up (rule 9).
   */
  async form(): Promise<NodeProcess> {
    const [first, ...others] = this.nodes as [NodeProcess, ...NodeProcess[]];
    await first.start(`${first.id}=${first.address}`);
    await Promise.all(others.map((node) => node.start()));
    const leader = await this.leader(FORM_TIMEOUT_MS);
    for (const node of others) await this.admit(node);
    return leader;
  }

  /** Adds a running node as nonvoter, waits until it has caught up, and promotes it. */
  async admit(node: NodeProcess): Promise<void> {
    await this.change(`add ${node.id} as nonvoter`, (leader) =>
      leader.control.addNonvoter({ id: node.id, address: node.address }),
    );
    const { commitIndex } = await (await this.leader(FORM_TIMEOUT_MS)).control.status();
    await waitFor(`${node.id} to catch up to ${commitIndex}`, FORM_TIMEOUT_MS, async () => {
      return (await node.control.status()).appliedIndex >= commitIndex ? true : null;
    });
    await this.change(`promote ${node.id}`, (leader) =>
      leader.control.addVoter({ id: node.id, address: node.address }),
    );
  }

  /** Asks whoever leads until the operation is committed; returns its index. */
  change(
    what: string,
    ask: (leader: NodeProcess) => Promise<{ kind: string; index?: number; reason?: string }>,
    timeoutMs = FORM_TIMEOUT_MS,
  ): Promise<number> {
    return waitFor(what, timeoutMs, async () => {
      const outcome = await ask(await this.leader(timeoutMs));
      if (outcome.kind === 'committed') return outcome.index ?? 0;
      throw new Error(`${outcome.kind}, ${outcome.reason ?? ''}`);
    });
  }

  /** The running node that leads in the highest term, once one says so. */
  leader(timeoutMs: number): Promise<NodeProcess> {
    return waitFor('a leader', timeoutMs, () => this.leaderNow());
  }

  /** As `leader`, but null when nobody claims it at this moment. */
  async leaderNow(): Promise<NodeProcess | null> {
    const leaders = (await this.statuses()).filter(({ status }) => status.state === 'leader');
    leaders.sort((a, b) => b.status.term - a.status.term);
    return leaders[0]?.node ?? null;
  }

  /** Hands leadership to `node` and waits until it leads. */
  async lead(node: NodeProcess, timeoutMs = FORM_TIMEOUT_MS): Promise<void> {
    await waitFor(`${node.id} to lead`, timeoutMs, async () => {
      const leader = await this.leader(timeoutMs);
      if (leader === node) return true;
      const outcome = await leader.control.transfer({ id: node.id, address: node.address });
      throw new Error(
        `${leader.id} leads; transfer: ${outcome.kind}${outcome.kind === 'committed' ? '' : ` ${outcome.reason}`}`,
      );
    });
  }

  /** Status of every running node that answers within half a second. */
  async statuses(): Promise<{ readonly node: NodeProcess; readonly status: NodeStatus }[]> {
    const asked = this.running.map(async (node) => ({ node, status: await node.control.status(STATUS_TIMEOUT_MS) }));
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** Waits until all running nodes applied everything the leader had committed by now; returns that index. */
  async converged(timeoutMs: number): Promise<number> {
    const target = await this.change('a barrier', (leader) => leader.control.barrier(), timeoutMs);
    await waitFor(`all nodes to apply ${target}`, timeoutMs, async () => {
      const statuses = await this.statuses();
      const behind = this.running.length - statuses.filter(({ status }) => status.appliedIndex >= target).length;
      if (behind === 0) return true;
      throw new Error(
        statuses.map(({ status }) => `${status.id} ${status.state} applied ${status.appliedIndex}`).join(', '),
      );
    });
    return target;
  }

  /** Kills every node and removes the directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()));
    for (const node of this.nodes) node.control.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}
