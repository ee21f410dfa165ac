/**
 * What a server has to say since the last Ready: requests, replies, results and notices, in the order they came up.
 */
import type { OutboundRequest } from '../ports.ts';
import type { RaftNotice, RaftResult, Ready } from './events.ts';
import type { RpcResponse } from './types.ts';

/** What has gathered for the next Ready. */
export class Outbox {
  sendFirst: OutboundRequest[] = [];
  send: OutboundRequest[] = [];
  replies: { inboundId: number; response: RpcResponse }[] = [];
  forget: string[] = [];
  results: RaftResult[] = [];
  notices: RaftNotice[] = [];

  get isEmpty(): boolean {
    return (
      this.sendFirst.length === 0 &&
      this.send.length === 0 &&
      this.replies.length === 0 &&
      this.forget.length === 0 &&
      this.results.length === 0 &&
      this.notices.length === 0
    );
  }

  /** Hands everything over; with `holdFirst` nothing leaves before the write. */
  take(holdFirst: boolean): Omit<Ready, 'write'> {
    const sendFirst = holdFirst ? [] : this.sendFirst;
    const send = holdFirst ? [...this.send, ...this.sendFirst] : this.send;
    const { replies, forget, results, notices } = this;
    this.sendFirst = [];
    this.send = [];
    this.replies = [];
    this.forget = [];
    this.results = [];
    this.notices = [];
    return { sendFirst, send, replies, forget, results, notices };
  }
}
