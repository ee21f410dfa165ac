/**
 * Where everything in a devnet listens and what it is called. Ports are fixed so that examples in
 * the docs work; one offset shifts them all.
 */

/** Conductors in a devnet. */
export const NODE_COUNT = 3;
/** Largest offset that keeps every port valid. */
export const PORT_OFFSET_MAX = 65_535 - 50_050 - NODE_COUNT;
export const HOST = '127.0.0.1';

/** One conductor with its sequencer. */
export interface NodePlan {
  /** 0-based; people count from 1. */
  readonly index: number;
  /** Server id in the raft cluster: "node-1" and so on. */
  readonly id: string;
  readonly ports: {
    readonly conductorRpc: number;
    readonly raft: number;
    readonly metrics: number;
    readonly sequencerNode: number;
    readonly sequencerExecution: number;
    readonly sequencerEngine: number;
    readonly websocket: number;
  };
}

/** What each port is for, in words for error messages. */
export const PORT_NAMES: Readonly<Record<keyof NodePlan['ports'], string>> = {
  conductorRpc: 'conductor RPC',
  raft: 'raft',
  metrics: 'metrics',
  sequencerNode: "the sequencer's op-node RPC",
  sequencerExecution: "the sequencer's execution RPC",
  sequencerEngine: "the sequencer's engine API",
  websocket: 'flashblocks',
};

/** The nodes of a devnet, all ports shifted by `portOffset` (0..PORT_OFFSET_MAX). */
export function planNodes(portOffset: number): NodePlan[] {
  return Array.from({ length: NODE_COUNT }, (_, index) => {
    const shift = portOffset + index;
    return {
      index,
      id: `node-${index + 1}`,
      ports: {
        conductorRpc: 8547 + shift,
        raft: 50_050 + shift,
        metrics: 7300 + shift,
        sequencerNode: 8557 + shift,
        sequencerExecution: 8567 + shift,
        sequencerEngine: 8587 + shift,
        websocket: 8577 + shift,
      },
    };
  });
}

/** "http://127.0.0.1:port". */
export function localUrl(port: number): string {
  return `http://${HOST}:${port}`;
}
