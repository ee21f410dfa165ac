/**
 * What calls change: this node's control, and the cluster by commands to the log. Each method of Changes carries out one
 * call, and finishes it once, at once or when the log or the node has answered (operations.ts).
 */
import { sequencerActive } from '../node/calls.ts';
import type { Configuration, Suffrage } from '../raft/types.ts';
import type { Outcome } from './message.ts';
import { operationDeadlineMs, type Operations } from './operations.ts';
import { failed, nothing } from './outcomes.ts';
import type { Command, RpcEvent, ServiceHost } from './service-host.ts';

/** The pieces of state that admin methods may change, each with its present value: the audit log tells it before and after. */
export const adminStates = {
  paused: ({ control }: ServiceHost) => String(control.isPaused),
  stopped: ({ control }: ServiceHost) => String(control.isStopped),
  overridden: ({ override }: ServiceHost) => String(override.isOn),
  version: ({ raft }: ServiceHost) => String(raft.status().configuration.index),
  leader: ({ raft }: ServiceHost) => raft.status().leaderId ?? 'none',
  givenUp: ({ operatorWord: { givenUp } }: ServiceHost) =>
    givenUp === null ? 'none' : `${givenUp.number} ${givenUp.hash}`,
} as const;

export type AdminState = keyof typeof adminStates;

export interface ChangesOptions {
  readonly host: ServiceHost;
  readonly operations: Operations;
  /** Answers a call, and leaves its line in the audit log. */
  readonly finish: (call: RpcEvent, outcome: Outcome) => void;
  /** Leaves the line alone: the call is answered elsewhere. */
  readonly record: (call: RpcEvent, outcome: Outcome) => void;
}

export class Changes {
  readonly #host: ServiceHost;
  readonly #operations: Operations;
  readonly #finish: ChangesOptions['finish'];
  readonly #record: ChangesOptions['record'];
  /** Counts pauses: a resume that waits for the node is not believed after another one. */
  #pauses = 0;

  constructor({ host, operations, finish, record }: ChangesOptions) {
    this.#host = host;
    this.#operations = operations;
    this.#finish = finish;
    this.#record = record;
  }

  pause(call: RpcEvent): void {
    this.#pauses += 1;
    this.#host.control.pause();
    this.#host.health.tellPeers();
    this.#host.ports.logger.log('info', 'OpConductor has been paused', {});
    this.#finish(call, nothing);
  }

  resume(call: RpcEvent): void {
    const { commandEpoch } = this.#host.control;
    const pauses = this.#pauses;
    this.#operations.ask(sequencerActive, (answer) => {
      if (answer.kind !== 'result' || typeof answer.value !== 'boolean') {
        const why = answer.kind === 'result' ? 'the node did not answer with a boolean' : answer.message;
        const text = `cannot resume because failed to get sequencer active status: failed to get sequencer active status: ${why}`;
        return this.#finish(call, failed(text));
      }
      // A pause that came after the call has the last word: this node was resumed and paused at once.
      if (pauses === this.#pauses) this.#host.control.resume(answer.value, commandEpoch);
      this.#host.health.tellPeers();
      this.#host.ports.logger.log('info', 'OpConductor has been resumed', {});
      this.#finish(call, nothing);
    });
  }

  /** Answered when the end is reached, which the log tells by itself; the line says what it began. */
  stop(call: RpcEvent): void {
    this.#host.shutdown.stop(call.answerId);
    this.#record(call, nothing);
  }

  /** Answered when it is in force and the node was told what it has to know. */
  override(call: RpcEvent, isOverridden: boolean): void {
    const { override, control, health } = this.#host;
    const done = (): void => this.#finish(call, nothing);
    override.set(isOverridden);
    if (isOverridden) control.override(done);
    else control.endOverride();
    health.tellPeers();
    if (!isOverridden) done();
  }

  /** As in op-conductor, the address is dialled before anything else is asked. */
  add(call: RpcEvent, suffrage: Suffrage, id: string, address: string, version: bigint): void {
    this.#operations.ask(
      { target: 'peer', method: 'dial', params: JSON.stringify([address]), timeoutMs: operationDeadlineMs },
      (answer) => {
        if (answer.kind !== 'result') return this.#finish(call, failed(answer.message));
        if (!this.#compactRollback()) {
          const why =
            'a rollback of the chain is not behind a snapshot yet, and a new server would read past it; try again';
          return this.#finish(call, failed(why));
        }
        this.#changeMembership(call, { kind: 'addServer', id, address, suffrage, previousIndex: 0 }, version);
      },
    );
  }

  /** Puts behind a snapshot a rollback that a new server would read past (rule 6); false while that cannot be. */
  #compactRollback(): boolean {
    const { chain, raft } = this.#host;
    return chain.rollbackIndex === 0 || raft.compactThrough(chain.rollbackIndex);
  }

  /** Takes away a member, or its vote. */
  leave(call: RpcEvent, kind: 'removeServer' | 'demoteVoter', id: string, version: bigint): void {
    this.#changeMembership(call, { kind, id, previousIndex: 0 }, version);
  }

  /** Nobody is refused for what it said some time ago: where no peer is known healthy, those passed over are asked first. */
  transfer(call: RpcEvent): void {
    const host = this.#host;
    const hand = (): void => this.#operations.command(call, { kind: 'transfer', ...host.transferTarget() }, true);
    const { target, exclude } = host.transferTarget();
    if (host.raft.position().role !== 'leader' || target !== null || exclude.length === 0) hand();
    else this.#operations.askPeers(hand);
  }

  transferTo(call: RpcEvent, id: string, address: string, version: bigint): void {
    const status = this.#host.raft.status();
    const { index, configuration } = status.configuration;
    if (status.role === 'leader') {
      if (version !== 0n && version !== BigInt(index)) {
        return this.#finish(call, failed(`configuration changed since ${version} (latest is ${index})`));
      }
      const why = id === status.id ? null : this.#addressObjection(configuration, id, address);
      if (why !== null) return this.#finish(call, failed(why));
    }
    this.#operations.command(call, { kind: 'transfer', target: id });
  }

  /**
   * Why leadership must not go to a server that was named with this address: it is another member's, or has another
   * port. Any other may be the same place by another name, and the member is dialled at the address that it has.
   */
  #addressObjection({ servers }: Configuration, id: string, address: string): string | null {
    const server = servers.find((one) => one.id === id);
    if (server === undefined || server.address === address) return null;
    const isOthers = servers.some((one) => one.address === address);
    if (isOthers || portOf(address) !== portOf(server.address))
      return `server ${id} has the address ${server.address}, not ${address}`;
    const told = { id, named: address, address: server.address };
    this.#host.ports.logger.log(
      'warn',
      'leadership goes to the server that is named, at the address that it has',
      told,
    );
    return null;
  }

  giveUp(call: RpcEvent, number: bigint, hash: string): void {
    const { control, operatorWord, override, ports, raft } = this.#host;
    const block = { number, hash: hash.toLowerCase() };
    const isIdle = control.isPaused || control.isStopped || override.isOn;
    const why =
      raft.position().role !== 'leader'
        ? 'not the leader: only the leader can give a block up'
        : isIdle
          ? 'this conductor is paused or overridden, and leaves its sequencer alone: resume it first'
          : operatorWord.give(block);
    if (why !== null) return this.#finish(call, failed(why));
    control.tryAgain();
    ports.logger.log('warn', "a committed block is given up on an operator's word", { ...block });
    this.#finish(call, nothing);
  }

  #changeMembership(call: RpcEvent, command: Extract<Command, { previousIndex: number }>, version: bigint): void {
    const status = this.#host.raft.status();
    if (version > BigInt(Number.MAX_SAFE_INTEGER) && status.role === 'leader') {
      const text = `configuration changed since ${version} (latest is ${status.configuration.index})`;
      return this.#finish(call, failed(text));
    }
    this.#operations.command(call, { ...command, previousIndex: Number(version) });
  }
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}
