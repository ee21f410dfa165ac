/**
 * A member's address is changed only after the member itself has answered there (rule 32): nothing reaches it at a
 * wrong one, and where its vote is needed the change back could never be committed either.
 */
import type { FailureReason } from '../ports.ts';
import { question } from './identity.ts';
import type { Leadership } from './leadership.ts';
import type { MembershipCommand } from './membership.ts';
import type { RaftState } from './state.ts';
import type { RpcResponse } from './types.ts';

type AddServer = Extract<MembershipCommand, { kind: 'addServer' }>;

/** Whether a command gives a member another address. */
export function movesMember(s: RaftState, command: MembershipCommand): command is AddServer {
  if (command.kind !== 'addServer') return false;
  const known = s.membership.find(command.id);
  return known !== undefined && known.address !== command.address;
}

/** Asks whoever listens at the new address who it is; nothing else is changed until it has answered, or cannot. */
export function askNewAddress(s: RaftState, led: Leadership, command: AddServer): void {
  led.moving = command;
  const { id, address, requestId } = command;
  const context = { kind: 'newAddress', peerId: id, requestId } as const;
  s.send({ id, address }, 'vote', question(s), context, s.options.electionTimeoutMs);
}

/** The change to go on with, now that its member has answered; null when it is refused or over. `message` says why no answer came. */
export function onNewAddress(
  s: RaftState,
  context: { readonly requestId: number },
  answer: RpcResponse | FailureReason,
  message: string,
): AddServer | null {
  const led = s.leadership;
  const command = led?.moving;
  if (!led || !command || command.requestId !== context.requestId) return null;
  led.moving = null;
  const { id, address, requestId } = command;
  const answering = typeof answer === 'string' || answer.kind === 'error' ? null : answer.id;
  if (led.transfer) {
    s.refuse(requestId, 'transferring', 'leadership transfer in progress');
    return null;
  }
  if (answering === id) return command;
  const found =
    typeof answer === 'string'
      ? `nobody answered there (${message || answer})`
      : answer.kind === 'error'
        ? `whoever listens there said: ${answer.message}`
        : `server ${answering ?? 'without an id'} answered there`;
  const advice = `Nothing was changed. Start server ${id} so that it is reached at its new address, then change it`;
  s.refuse(requestId, 'unreachable', `server ${id} is not at ${address}: ${found}. ${advice}`);
  return null;
}
