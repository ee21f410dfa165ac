/** One sequencer of the setup section: its op-node and its conductor as processes, their ports and what they left on disk. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcess } from '../cluster/child-process.ts';
import { freePorts } from '../cluster/free-ports.ts';
import { SequencerRecord } from '../cluster/publications.ts';

/** Ports of the page. */
export const PORTS = { rpc: 8547, raft: 50_050, metrics: 7300, node: 9545, execution: 8545 };

type Ports = Readonly<Record<keyof typeof PORTS, number>>;

/** One sequencer with its conductor. */
export class PageServer {
  readonly id: string;
  readonly opNode: ChildProcess;
  readonly conductor: ChildProcess;
  readonly record: SequencerRecord;
  readonly ports: Ports;
  readonly folder: string;

  constructor(at: number, directory: string) {
    const [rpc, raft, metrics, node, execution] = freePorts(5) as [number, number, number, number, number];
    this.id = `sequencer-${at}`;
    this.folder = join(directory, this.id);
    mkdirSync(this.folder, { recursive: true });
    this.ports = { rpc, raft, metrics, node, execution };
    this.opNode = new ChildProcess(`op-node-${at}`, join(this.folder, 'op-node.log'));
    this.conductor = new ChildProcess(`conductor-${at}`, join(this.folder, 'conductor.log'));
    this.record = new SequencerRecord(this.id, join(this.folder, 'blocks.db'), this.opNode.logPath);
  }
}
