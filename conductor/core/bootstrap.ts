/**
 * Bootstrapping a cluster of this server alone (rule 24): asked for once, and its new leader is paused until an
 * operator has checked the sequencer.
 */
import type { ConductorComponents } from './components.ts';
import type { RaftResult } from './raft/events.ts';
import { Suffrage } from './raft/types.ts';

export class Bootstrap {
  readonly #components: ConductorComponents;
  #isUnderWay = false;

  constructor(components: ConductorComponents) {
    this.#components = components;
  }

  begin(): void {
    if (this.#isUnderWay) return; // Asked for already.
    this.#isUnderWay = true;
    const { options, ports, command } = this.#components;
    const { id, address } = options.raft;
    ports.logger.log('info', 'Bootstrapping raft consensus cluster with self', { addr: address });
    const servers = [{ id, address, suffrage: Suffrage.voter }];
    command({ kind: 'bootstrap', servers }, (result) => this.#ended(result));
  }

  /** After a bootstrap the conductor pauses itself; again on a store with a cluster it is only a warning. */
  #ended(done: RaftResult): void {
    this.#isUnderWay = false;
    const { ports, control, health } = this.#components;
    if (done.kind === 'done') {
      ports.logger.log('warn', 'Raft cluster bootstrapped, pausing conductor.', {});
      control.pause();
      health.tellPeers();
    } else if (done.kind === 'refused') {
      ports.logger.log('warn', 'the cluster was not bootstrapped; drop --raft.bootstrap', { err: done.message });
    }
  }
}
