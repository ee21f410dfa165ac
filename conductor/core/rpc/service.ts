/**
 * What each RPC method does with the conductor. Reads are answered at once; changes of the cluster
 * are commands to the log or questions to the node that wait for their results (operations.ts); every
 * admin call leaves a line in the audit log (audit.ts).
 */
import type { RaftResult } from '../raft/events.ts';
import { Suffrage } from '../raft/types.ts';
import { sequencerActive, type CallResult } from '../node/calls.ts';
import { adminState } from './admin-state.ts';
import { adminOutcome, auditAdminCall } from './audit.ts';
import type { Outcome } from './message.ts';
import type { MethodName } from './methods.ts';
import { Operations, operationDeadlineMs } from './operations.ts';
import { failed, nothing } from './outcomes.ts';
import { ProxyCalls } from './proxy.ts';
import { read } from './reads.ts';
import type { Command, RpcEvent, ServiceHost } from './service-host.ts';

export class RpcService {
  readonly #host: ServiceHost;
  readonly #operations: Operations;
  /** State before the admin calls under way, by answer id. */
  readonly #before = new Map<number, string>();
  readonly #proxies: ProxyCalls;
  /** Counts pauses: a resume that waits for the node is not believed after another one. */
  #pauses = 0;

  constructor(host: ServiceHost) {
    this.#host = host;
    this.#proxies = new ProxyCalls(host);
    this.#operations = new Operations(host, (event, outcome) => this.#audit(event, outcome));
  }

  /** The answer of a method that only reads; null for any other. */
  readNow(method: MethodName): Outcome | null {
    return read(method, this.#host);
  }

  handle(event: RpcEvent): void {
    const simple = read(event.method, this.#host);
    if (simple !== null) return this.#host.answer(event.answerId, simple);
    if (this.#proxies.handle(event)) return;
    if (event.method === 'conductor_commitUnsafePayload') {
      const [payload] = event.values;
      return this.#host.commits.commit(event.answerId, (payload as { readonly payload: unknown }).payload);
    }
    const full = this.#operations.whyFull();
    if (full !== null) return this.#audit(event, failed(full));
    const before = adminState(event.method, this.#host);
    if (before !== null) this.#before.set(event.answerId, before.value);
    this.#change(event);
  }

  /** False when the result is not one of ours. */
  resultDone(done: RaftResult): boolean {
    return this.#operations.resultDone(done);
  }

  callDone(id: number, answer: CallResult): void {
    if (!this.#proxies.callDone(id, answer)) this.#operations.callDone(id, answer);
  }

  tick(): void {
    this.#operations.tick();
  }

  nextDeadlineMs(): number {
    return this.#operations.nextDeadlineMs();
  }

  #change(event: RpcEvent): void {
    const host = this.#host;
    const [first, second, third] = event.values as readonly [string, string, bigint];
    switch (event.method) {
      case 'conductor_pause':
        this.#pauses += 1;
        host.control.pause();
        host.pauseChanged();
        return this.#audit(event, nothing);
      case 'conductor_overrideLeader':
        return host.setOverridden(event.values[0] as boolean, () => this.#audit(event, nothing));
      case 'conductor_resume':
        return this.#resume(event);
      case 'conductor_stop':
        return this.#stop(event);
      case 'conductor_addServerAsVoter':
        return this.#add(event, first, second, third, Suffrage.voter);
      case 'conductor_addServerAsNonvoter':
        return this.#add(event, first, second, third, Suffrage.nonvoter);
      case 'conductor_removeServer':
        return this.#changeMembership(
          event,
          { kind: 'removeServer', id: first, previousIndex: 0 },
          event.values[1] as bigint,
        );
      case 'conductor_demoteVoter':
        return this.#changeMembership(
          event,
          { kind: 'demoteVoter', id: first, previousIndex: 0 },
          event.values[1] as bigint,
        );
      case 'conductor_giveUpBlock':
        return this.#giveUp(event, event.values[0] as bigint, event.values[1] as string);
      case 'conductor_transferLeader':
        return this.#transfer(event);
      case 'conductor_transferLeaderToServer':
        return this.#transferTo(event, first, second, third);
      default:
        host.answer(event.answerId, failed(`the method ${event.method} cannot be answered here`));
    }
  }

  /** As there, the address is dialled before anything else is asked. */
  #add(event: RpcEvent, id: string, address: string, version: bigint, suffrage: Suffrage): void {
    this.#operations.ask(
      { target: 'peer', method: 'dial', params: JSON.stringify([address]), timeoutMs: operationDeadlineMs },
      (answer) => {
        if (answer.kind !== 'result') return this.#audit(event, failed(answer.message));
        if (this.#host.holdsRollback()) {
          const why =
            'a rollback of the chain is not behind a snapshot yet, and a new server would read past it; try again';
          return this.#audit(event, failed(why));
        }
        this.#changeMembership(event, { kind: 'addServer', id, address, suffrage, previousIndex: 0 }, version);
      },
    );
  }

  #changeMembership(event: RpcEvent, command: Extract<Command, { previousIndex: number }>, version: bigint): void {
    const status = this.#host.status();
    if (version > BigInt(Number.MAX_SAFE_INTEGER) && status.role === 'leader') {
      const text = `configuration changed since ${version} (latest is ${status.configuration.index})`;
      return this.#audit(event, failed(text));
    }
    this.#operations.command(event, { ...command, previousIndex: Number(version) });
  }

  /** Nobody is refused for what it said some time ago: where no peer is known healthy, those passed over are asked first. */
  #transfer(event: RpcEvent): void {
    const host = this.#host;
    const hand = (): void => this.#operations.command(event, { kind: 'transfer', ...host.transferTarget() }, true);
    const { target, exclude } = host.transferTarget();
    if (host.position().role !== 'leader' || target !== null || exclude.length === 0) hand();
    else this.#operations.askPeers(hand);
  }

  #transferTo(event: RpcEvent, id: string, address: string, version: bigint): void {
    const status = this.#host.status();
    const { index, configuration } = status.configuration;
    if (status.role === 'leader') {
      if (version !== 0n && version !== BigInt(index)) {
        return this.#audit(event, failed(`configuration changed since ${version} (latest is ${index})`));
      }
      const server = configuration.servers.find((one) => one.id === id);
      if (server !== undefined && id !== status.id && server.address !== address) {
        return this.#audit(event, failed(`server ${id} has the address ${server.address}, not ${address}`));
      }
    }
    this.#operations.command(event, { kind: 'transfer', target: id });
  }

  #giveUp(event: RpcEvent, number: bigint, hash: string): void {
    const { control, giveUp, position } = this.#host;
    const block = { number, hash: hash.toLowerCase() };
    const isIdle = control.isPaused || control.isStopped || this.#host.isOverridden();
    const why =
      position().role !== 'leader'
        ? 'not the leader: only the leader can give a block up'
        : isIdle
          ? 'this conductor is paused or overridden, and leaves its sequencer alone: resume it first'
          : giveUp(block);
    if (why === null)
      this.#host.logger.log('warn', "a committed block is given up on an operator's word", { ...block });
    this.#audit(event, why === null ? nothing : failed(why));
  }

  #resume(event: RpcEvent): void {
    const { commandEpoch } = this.#host.control;
    const pauses = this.#pauses;
    this.#operations.ask(sequencerActive, (answer) => {
      if (answer.kind !== 'result' || typeof answer.value !== 'boolean') {
        const why = answer.kind === 'result' ? 'the node did not answer with a boolean' : answer.message;
        const text = `cannot resume because failed to get sequencer active status: failed to get sequencer active status: ${why}`;
        return this.#audit(event, failed(text));
      }
      // A pause that came after the call has the last word: this node was resumed and paused at once.
      if (pauses === this.#pauses) this.#host.control.resume(answer.value, commandEpoch);
      this.#host.pauseChanged();
      this.#audit(event, nothing);
    });
  }

  /** Answered when the end is reached, which the log tells by itself; the line says what it began. */
  #stop(event: RpcEvent): void {
    this.#host.stop(event.answerId);
    this.#record(event, nothing);
  }

  #audit(event: RpcEvent, outcome: Outcome): void {
    this.#record(event, outcome);
    this.#host.answer(event.answerId, outcome);
  }

  #record({ answerId, method, values, from, as }: RpcEvent, outcome: Outcome): void {
    const before = this.#before.get(answerId);
    this.#before.delete(answerId);
    const now = adminState(method, this.#host);
    auditAdminCall(this.#host, {
      method,
      params: values,
      from,
      as: as ?? '',
      outcome: adminOutcome(outcome),
      error: outcome.kind === 'error' ? outcome.message : '',
      ...(before === undefined || now === null ? {} : { change: { state: now.state, before, after: now.value } }),
    });
  }
}
