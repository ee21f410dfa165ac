/** The methods of op-conductor's RPC that a run calls, with its answers: a change of the members first dials who is added. */
import type { CallResult, NodeRequest } from '#conductor/core/node/calls';
import { sequencerActive } from '#conductor/core/node/calls';
import { EntryType, Suffrage } from '#conductor/core/raft/types';
import { ErrorCode, type Outcome } from '#conductor/core/rpc/message';
import type { ParamValue } from '#conductor/core/rpc/params';
import { readPayload } from '#conductor/core/rpc/read-payload';
import { demoted, withoutServer, withServer } from './go-membership.ts';
import type { Change, Ended } from './go-leading.ts';
import { NOT_LEADER, propose, proposeChange } from './go-propose.ts';
import type { GoState } from './go-state.ts';
import { transfer } from './go-transfer.ts';
import type { OpControl } from './op-control.ts';

const DIAL_MS = 5000;

export interface OpMethodsHost {
  readonly control: OpControl;
  readonly raft: GoState;
  request(request: NodeRequest, done: (result: CallResult) => void): void;
  /** Has the control loop take something when it is free. */
  queue(event: () => void): void;
}

type Answer = (outcome: Outcome) => void;

export class OpMethods {
  readonly #host: OpMethodsHost;
  #isOverridden = false;

  constructor(host: OpMethodsHost) {
    this.#host = host;
  }

  call(method: string, values: readonly ParamValue[], answer: Answer): void {
    const { control, raft, queue } = this.#host;
    const [id, address] = values.map(String);
    const ended: Ended = (problem) => answer(problem === '' ? result(null) : failed(problem));
    switch (method) {
      case 'conductor_leader':
        return answer(result(this.#isOverridden || raft.leader?.id === raft.options.id));
      case 'conductor_active':
        return answer(result(!control.isPaused));
      case 'conductor_overrideLeader':
        this.#isOverridden = values[0] === true;
        return answer(result(null));
      case 'conductor_clusterMembership':
        return answer(result({ servers: raft.latest.configuration.servers, version: 0 }));
      case 'conductor_pause':
        return queue(() => {
          control.isPaused = true;
          ended('');
        });
      case 'conductor_resume':
        return this.#resume(ended);
      case 'conductor_commitUnsafePayload':
        return this.#commit(values[0], ended);
      case 'conductor_transferLeader':
        return raft.leading === null ? ended('') : transfer(raft, null, ended);
      case 'conductor_transferLeaderToServer':
        return transfer(raft, id!, ended);
      case 'conductor_addServerAsVoter':
        return this.#add({ id: id!, address: address!, suffrage: Suffrage.voter }, values[2], ended);
      case 'conductor_addServerAsNonvoter':
        return this.#add({ id: id!, address: address!, suffrage: Suffrage.nonvoter }, values[2], ended);
      case 'conductor_removeServer':
        return this.#change(withoutServer(id!), values[1], ended);
      case 'conductor_demoteVoter':
        return this.#change(demoted(id!), values[1], ended);
      default:
        return answer({
          kind: 'error',
          code: ErrorCode.methodNotFound,
          message: `the method ${method} does not exist`,
        });
    }
  }

  #resume(ended: Ended): void {
    const { control, request, queue } = this.#host;
    request(sequencerActive, (read) => {
      if (read.kind !== 'result') return ended(`cannot get sequencer active status: ${read.message}`);
      queue(() => {
        control.resumed(read.value === true);
        ended('');
      });
    });
  }

  /** Whatever its node offers goes into the log. */
  #commit(given: ParamValue | undefined, ended: Ended): void {
    const reading = readPayload((given as { readonly payload: unknown }).payload);
    if (reading.kind !== 'read') return ended(reading.message);
    propose(this.#host.raft, EntryType.command, reading.ssz, ended);
  }

  #add(server: Parameters<typeof withServer>[0], version: ParamValue | undefined, ended: Ended): void {
    const { raft, request } = this.#host;
    if (raft.leading === null) return ended(NOT_LEADER);
    const dial = {
      target: 'peer',
      method: 'dial',
      params: JSON.stringify([server.address]),
      timeoutMs: DIAL_MS,
    } as const;
    request(dial, (dialled) => {
      if (dialled.kind === 'result') this.#change(withServer(server), version, ended);
      else ended(dialled.message);
    });
  }

  #change(of: Change['of'], version: ParamValue | undefined, ended: Ended): void {
    proposeChange(this.#host.raft, { of, previousIndex: Number(version ?? 0) }, ended);
  }
}

function result(value: unknown): Outcome {
  return { kind: 'result', json: JSON.stringify(value) };
}

function failed(message: string): Outcome {
  return { kind: 'error', code: ErrorCode.failed, message };
}
