/**
 * Publishes what the control loop has its node and the log do, by standing between it and them: the confirmed
 * leadership, starts and stops of the sequencer, transfers. Every phase of a failover that is this server's is here.
 */
import { failureOf } from './node/calls.ts';
import type { Ending, ProcedureHost } from './node/procedure.ts';
import type { EventSink, OrderName } from './published-event.ts';

/** Longest message that is published, characters. */
const messageLengthMax = 300;

const orders: Readonly<Record<string, OrderName>> = {
  admin_startSequencer: 'start',
  admin_stopSequencer: 'stop',
};

/** The host as given, with what goes through it published. */
export function withOrderEvents(host: ProcedureHost, events: EventSink): ProcedureHost {
  let payloads = 0;
  /** Publishes an order; what it returns publishes what came of it. */
  const begin = (order: OrderName, target: string): ((done: boolean, message: string) => void) => {
    const beganMs = host.nowMs();
    events.publish({ kind: 'order', order, target, payloads });
    payloads = 0;
    return (done, message) =>
      events.publish({
        kind: 'orderDone',
        order,
        done,
        message: message.slice(0, messageLengthMax),
        ms: host.nowMs() - beganMs,
      });
  };
  return {
    ...host,
    call: (request, then) => {
      if (request.method === 'admin_postUnsafePayload') payloads += 1;
      const order = orders[request.method];
      if (order === undefined) return host.call(request, then);
      const ended = begin(order, '');
      return host.call(request, (result) => {
        ended(result.kind === 'result', failureOf(result) ?? '');
        then(result);
      });
    },
    read: (then) =>
      host.read((ending: Ending) => {
        events.publish({ kind: 'confirmed', confirmed: ending.isDone, message: ending.message });
        then(ending);
      }),
    transfer: (target, exclude, then) => {
      const ended = begin('transfer', target ?? '');
      host.transfer(target, exclude, (ending) => {
        ended(ending.isDone, ending.message);
        then(ending);
      });
    },
  };
}
