/** Counts how often leadership moves on a net, by what the conductors themselves say. */
import { pause } from '../../tests/cluster/wait.ts';
import type { RealNode } from '../realnet/real-node.ts';
import { callRpc } from '../realnet/json-rpc.ts';

const LOOK_EVERY_MS = 50;
const ANSWER_MS_MAX = 500;

export class LeadershipWatch {
  /** Who led, in order; the same never twice in a row. */
  readonly #leaders: RealNode[];
  #hasEnded = false;
  readonly #runs: readonly Promise<void>[];

  constructor(nodes: readonly RealNode[], leader: RealNode) {
    this.#leaders = [leader];
    this.#runs = nodes.map((node) => this.#look(node));
  }

  get leader(): RealNode {
    return this.#leaders.at(-1) as RealNode;
  }

  get moves(): number {
    return this.#leaders.length - 1;
  }

  async stop(): Promise<void> {
    this.#hasEnded = true;
    await Promise.all(this.#runs);
  }

  async #look(node: RealNode): Promise<void> {
    for (; !this.#hasEnded; await pause(LOOK_EVERY_MS)) {
      const call = callRpc(node.conductorUrl, 'conductor_leader', [], { timeoutMs: ANSWER_MS_MAX });
      const leads = (await call.catch(() => false)) === true;
      if (leads && this.leader !== node) this.#leaders.push(node);
    }
  }
}
