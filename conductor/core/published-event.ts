/**
 * What a conductor publishes of itself for whoever watches (GET /events): each kind with its fields, plain values that
 * become JSON as they are. The log says the same for people; this is for programs, so names stay what they are.
 */

/** What a leader's control loop has its own node, or the log, do. */
export type OrderName = 'start' | 'stop' | 'transfer';

export type PublishedEvent =
  /** The own role in the log. `reason` is raft's: 'elected', 'higher-term' and so on. */
  | { readonly kind: 'role'; readonly role: string; readonly term: number; readonly reason: string }
  /** Who leads, as far as this server knows; null for nobody. */
  | { readonly kind: 'leader'; readonly leader: string | null; readonly term: number }
  /** The committed head as this server has applied it. `blocks`: how many heights it moved; below 1 after a rollback. */
  | {
      readonly kind: 'commit';
      readonly number: number;
      readonly hash: string;
      /** Of the block, Unix seconds. */
      readonly timestamp: number;
      readonly blocks: number;
    }
  /** The verdict on the own node has changed. `cause` is '' when it is healthy. */
  | { readonly kind: 'health'; readonly healthy: boolean; readonly cause: string; readonly detail: string }
  /** A quorum has confirmed that this leader leads: it now knows the committed head (rule 19). */
  | { readonly kind: 'confirmed'; readonly confirmed: boolean; readonly message: string }
  /** An order to the node or to the log goes out. `payloads`: given to the node since the last order, to catch up. */
  | { readonly kind: 'order'; readonly order: OrderName; readonly target: string; readonly payloads: number }
  /** What it came to, after so many milliseconds. */
  | {
      readonly kind: 'orderDone';
      readonly order: OrderName;
      readonly done: boolean;
      readonly message: string;
      readonly ms: number;
    }
  | {
      readonly kind: 'membership';
      readonly version: number;
      readonly servers: readonly { readonly id: string; readonly address: string; readonly suffrage: string }[];
    }
  /** Something that people have to put right; `alarm` is the label of alarms_total. */
  | { readonly kind: 'alarm'; readonly alarm: string }
  /** An admin call, carried out or refused, as in the audit log. */
  | {
      readonly kind: 'admin';
      readonly method: string;
      readonly from: string;
      readonly as: string;
      readonly outcome: string;
      readonly state: string;
      readonly before: string;
      readonly after: string;
    }
  /** The orderly end begins. */
  | { readonly kind: 'shutdown'; readonly reason: string };

/** Takes what is published; never throws, and keeps no more than it has room for. */
export interface EventSink {
  publish(event: PublishedEvent): void;
}

/** Where nobody listens. */
export const noListener: EventSink = { publish: () => undefined };
