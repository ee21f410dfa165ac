/** One server of a test cluster: its disk, its state machine, and the process that may or may not be running. */
import type { Driver } from '../../drive.ts';
import type { RaftEvent, Ready } from '../events.ts';
import type { RaftNode } from '../node.ts';
import { ListMachine } from './list-machine.ts';
import { MemoryStore } from './memory-store.ts';

export class TestServer {
  readonly id: string;
  address: string;
  store = new MemoryStore();
  machine = new ListMachine();
  node: RaftNode | null = null;
  /** Of the node, or of the last one. */
  driver: Driver<Ready> | null = null;
  frozen = false;
  /** Events that wait while frozen. */
  backlog: RaftEvent[] = [];
  /** Counts lives, so that messages to an earlier one are lost. */
  life = 0;
  /** Ticks at the latest moment at which it had one. */
  ticksAtOnce = 0;
  tickedAtMs = -Infinity;
  /** Events were handled whose Ready has not been asked for yet. */
  mustDrain = false;
  /** The next write is its last act. */
  diesAfterWrite = false;

  constructor(id: string) {
    this.id = id;
    this.address = `${id}:1`;
  }
}
