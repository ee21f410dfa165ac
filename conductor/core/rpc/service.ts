/**
 * Answers calls by the method table: what only reads at once, what is proxied by its backend, and the rest as its row
 * carries it out (changes.ts). Every admin call leaves a line in the audit log (audit.ts).
 */
import { adminOutcome, auditAdminCall } from './audit.ts';
import { adminStates, Changes } from './changes.ts';
import type { Outcome } from './message.ts';
import { findMethod, type MethodName } from './methods.ts';
import type { Answering, CallContext } from './method.ts';
import { Operations } from './operations.ts';
import { failed, result } from './outcomes.ts';
import { ProxyCalls } from './proxy.ts';
import type { RpcEvent, ServiceHost } from './service-host.ts';

export class RpcService {
  readonly #host: ServiceHost;
  readonly #operations: Operations;
  readonly #context: CallContext;
  /** State before the admin calls under way, by answer id. */
  readonly #before = new Map<number, string>();
  readonly #proxies: ProxyCalls;

  constructor(host: ServiceHost) {
    this.#host = host;
    this.#proxies = new ProxyCalls(host);
    const finish = (call: RpcEvent, outcome: Outcome): void => {
      this.#record(call, outcome);
      host.outbox.answer(call.answerId, outcome);
    };
    this.#operations = new Operations(host, finish);
    const changes = new Changes({
      host,
      operations: this.#operations,
      finish,
      record: (call, outcome) => this.#record(call, outcome),
    });
    this.#context = { host, changes };
  }

  /** The answer of a method that only reads; null for any other. */
  readNow(method: MethodName): Outcome | null {
    const answering = findMethod(method)?.answering;
    return answering?.kind === 'read' ? result(answering.read(this.#host)) : null;
  }

  handle(call: RpcEvent): void {
    const answering = findMethod(call.method)?.answering;
    switch (answering?.kind) {
      case 'read':
        return this.#host.outbox.answer(call.answerId, result(answering.read(this.#host)));
      case 'proxied':
        return void this.#proxies.handle(call);
      case 'carriedOut':
        return this.#carryOut(call, answering);
      default:
        this.#host.outbox.answer(call.answerId, failed(`the method ${call.method} cannot be answered here`));
    }
  }

  #carryOut(call: RpcEvent, { carryOut, changes }: Extract<Answering, { kind: 'carriedOut' }>): void {
    if (changes !== null) {
      const full = this.#operations.whyFull();
      if (full !== null) {
        this.#record(call, failed(full));
        return this.#host.outbox.answer(call.answerId, failed(full));
      }
      this.#before.set(call.answerId, adminStates[changes](this.#host));
    }
    carryOut(this.#context, call);
  }

  tick(): void {
    this.#operations.tick();
  }

  nextDeadlineMs(): number {
    return this.#operations.nextDeadlineMs();
  }

  #record({ answerId, method, values, from, as }: RpcEvent, outcome: Outcome): void {
    const answering = findMethod(method)?.answering;
    const state = answering?.kind === 'carriedOut' ? answering.changes : null;
    const before = this.#before.get(answerId);
    this.#before.delete(answerId);
    const change =
      before === undefined || state === null
        ? {}
        : { change: { state, before, after: adminStates[state](this.#host) } };
    auditAdminCall(this.#host.ports, {
      method,
      params: values,
      from,
      as: as ?? '',
      outcome: adminOutcome(outcome),
      error: outcome.kind === 'error' ? outcome.message : '',
      ...change,
    });
  }
}
