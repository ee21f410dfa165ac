/**
 * What each RPC method does with the conductor. Reads are answered at once; changes of the cluster
 * are commands to the log whose results come back by request id; every admin call leaves a line in
 * the audit log (audit.ts).
 */
import type { RaftResult } from '../raft/events.ts';
import { Suffrage } from '../raft/types.ts';
import { sequencerActive, type CallResult, type NodeRequest } from '../control/calls.ts';
import { adminState } from './admin-state.ts';
import { adminOutcome, auditAdminCall } from './audit.ts';
import type { Outcome } from './message.ts';
import type { MethodName } from './methods.ts';
import { failed, nothing, unknown } from './outcomes.ts';
import { ProxyCalls } from './proxy.ts';
import { read } from './reads.ts';
import { isTooEarly, type Command, type RpcEvent, type ServiceHost } from './service-host.ts';

/** Longest wait for a change of the cluster, milliseconds. */
const operationDeadlineMs = 5000;
/** Calls that may wait for a result at once; more are refused. */
const operationsWaitingMax = 256;
/** A change is tried again this often while the log is not ready for it. */
const retryMs = 20;

/** A call that waits for the log or for the node. */
interface Operation {
  readonly event: RpcEvent;
  readonly sinceMs: number;
  readonly command: Command | null;
  /** Transfer of a node that does not lead is success, when no target was named. */
  readonly isLenient: boolean;
  retryAtMs: number;
}

export class RpcService {
  readonly #host: ServiceHost;
  /** By raft request id, or by call id for those that first ask somebody. */
  readonly #commands = new Map<number, Operation>();
  readonly #calls = new Map<
    number,
    { readonly operation: Operation; readonly proceed: (answer: CallResult) => void }
  >();
  readonly #retries = new Set<Operation>();
  /** State before the admin calls under way, by answer id. */
  readonly #before = new Map<number, string>();

  readonly #proxies: ProxyCalls;

  constructor(host: ServiceHost) {
    this.#host = host;
    this.#proxies = new ProxyCalls(host);
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
    if (this.#commands.size + this.#calls.size + this.#retries.size >= operationsWaitingMax) {
      return this.#audit(event, failed(`${operationsWaitingMax} calls already wait`));
    }
    const before = adminState(event.method, this.#host);
    if (before !== null) this.#before.set(event.answerId, before.value);
    this.#change(event);
  }

  /** False when the result is not one of ours. */
  resultDone(done: RaftResult): boolean {
    const operation = this.#commands.get(done.requestId);
    if (operation === undefined) return false;
    this.#commands.delete(done.requestId);
    this.#settle(operation, done);
    return true;
  }

  callDone(id: number, answer: CallResult): void {
    if (this.#proxies.callDone(id, answer)) return;
    const waiting = this.#calls.get(id);
    this.#calls.delete(id);
    waiting?.proceed(answer);
  }

  tick(): void {
    const nowMs = this.#host.nowMs();
    for (const operation of this.#retries) {
      if (nowMs < operation.retryAtMs) continue;
      this.#retries.delete(operation);
      this.#run(operation);
    }
    for (const [requestId, operation] of this.#commands) {
      if (nowMs - operation.sinceMs < operationDeadlineMs) continue;
      this.#commands.delete(requestId);
      this.#finish(operation, unknown('no result in time; the change may still happen', 'timeout'));
    }
  }

  nextDeadlineMs(): number {
    let earliest = Infinity;
    for (const operation of this.#retries) earliest = Math.min(earliest, operation.retryAtMs);
    for (const operation of this.#commands.values())
      earliest = Math.min(earliest, operation.sinceMs + operationDeadlineMs);
    return earliest;
  }

  #change(event: RpcEvent): void {
    const host = this.#host;
    const [first, second, third] = event.values as readonly [string, string, bigint];
    switch (event.method) {
      case 'conductor_pause':
        host.control.pause();
        host.pauseChanged();
        return this.#audit(event, nothing);
      case 'conductor_overrideLeader':
        host.setOverridden(event.values[0] as boolean);
        return this.#audit(event, nothing);
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
      case 'conductor_transferLeader':
        return this.#run(this.#operation(event, { kind: 'transfer', ...host.heir() }, true));
      case 'conductor_transferLeaderToServer':
        return this.#transferTo(event, first, second, third);
      default:
        host.answer(event.answerId, failed(`the method ${event.method} cannot be answered here`));
    }
  }

  /** As there, the address is dialled before anything else is asked. */
  #add(event: RpcEvent, id: string, address: string, version: bigint, suffrage: Suffrage): void {
    const operation = this.#operation(event, null, false);
    this.#ask(
      operation,
      { target: 'peer', method: 'dial', params: JSON.stringify([address]), timeoutMs: operationDeadlineMs },
      (answer) => {
        if (answer.kind !== 'result') return this.#finish(operation, failed(answer.message));
        if (this.#host.holdsRollback()) {
          const why =
            'a rollback of the chain is not behind a snapshot yet, and a new server would read past it; try again';
          return this.#finish(operation, failed(why));
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
    this.#run(this.#operation(event, { ...command, previousIndex: Number(version) }, false));
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
    this.#run(this.#operation(event, { kind: 'transfer', target: id }, false));
  }

  #resume(event: RpcEvent): void {
    const operation = this.#operation(event, null, false);
    const { orders } = this.#host.control;
    this.#ask(operation, sequencerActive, (answer) => {
      if (answer.kind !== 'result' || typeof answer.value !== 'boolean') {
        const why = answer.kind === 'result' ? 'the node did not answer with a boolean' : answer.message;
        const text = `cannot resume because failed to get sequencer active status: failed to get sequencer active status: ${why}`;
        return this.#finish(operation, failed(text));
      }
      this.#host.control.resume(answer.value, orders);
      this.#host.pauseChanged();
      this.#finish(operation, nothing);
    });
  }

  #operation(event: RpcEvent, command: Command | null, isLenient: boolean): Operation {
    return { event, command, isLenient, sinceMs: this.#host.nowMs(), retryAtMs: 0 };
  }

  #ask(operation: Operation, request: NodeRequest, proceed: (answer: CallResult) => void): void {
    this.#calls.set(this.#host.call(request), { operation, proceed });
  }

  #run(operation: Operation): void {
    if (operation.command !== null) this.#commands.set(this.#host.command(operation.command), operation);
  }

  #settle(operation: Operation, done: RaftResult): void {
    if (done.kind === 'done') {
      if (done.warning !== undefined) this.#host.logger.log('warn', done.warning, { method: operation.event.method });
      return this.#finish(operation, nothing);
    }
    if (done.kind === 'unknown')
      return this.#finish(operation, unknown('leadership lost while committing log', done.reason));
    if (done.reason === 'not-leader' && operation.isLenient) return this.#finish(operation, nothing);
    const isEarly = isTooEarly(done.reason, operation.command);
    if (isEarly && this.#host.nowMs() - operation.sinceMs < operationDeadlineMs) {
      operation.retryAtMs = this.#host.nowMs() + retryMs;
      this.#retries.add(operation);
      return;
    }
    const unfit = operation.command?.kind === 'transfer' ? (operation.command.exclude ?? []) : [];
    const isNobodyFit = done.reason === 'no-peer' && unfit.length > 0;
    const advice = `: ${unfit.join(', ')} cannot be expected to sequence; conductor_transferLeaderToServer hands over all the same`;
    this.#finish(operation, failed(`${done.message}${isNobodyFit ? advice : ''}`));
  }

  #finish(operation: Operation, outcome: Outcome): void {
    this.#audit(operation.event, outcome);
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
