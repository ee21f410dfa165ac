/**
 * Messages as values that can be compared: without their sender, whom each receiver knows by another name, and
 * without peer status, which steers but decides nothing. Each different message has a number.
 */
import type { RpcRequest, RpcResponse } from '#conductor/core/raft/types';

export type Message = RpcRequest | RpcResponse;

/** The name of a server as the others' `peer` (0 for itself, then in a ring); its address is made of it. */
export function idOf(peer: number): string {
  return `n${peer}`;
}

export function addressOf(peer: number): string {
  return `${idOf(peer)}:1`;
}

export class Messages {
  readonly #numbers = new Map<string, number>();
  readonly #messages: Message[] = [];

  /** Its number, the same for equal messages of whatever sender. */
  number(message: Message): number {
    const { peerStatus: _, ...plain } = message as Message & { peerStatus?: Uint8Array };
    const named = from(plain as Message, 0);
    const key = JSON.stringify(named);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#messages.push(named) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** The message, as its sender would send it. */
  get(number: number): Message {
    return this.#messages[number]!;
  }

  /** The message as `peer` would send it. */
  sentBy(number: number, peer: number): Message {
    return from(this.get(number), peer);
  }
}

function from(message: Message, peer: number): Message {
  if (message.kind === 'error' || message.id === null) return message;
  const sender = { ...message, id: idOf(peer), address: addressOf(peer) };
  if ('leader' in sender) return { ...sender, leader: addressOf(peer) };
  if ('candidate' in sender) return { ...sender, candidate: addressOf(peer) };
  return sender;
}
