/** Deliberate differences from op-conductor of starts; behaviour-differences.ts says what a row is. */
import type { Difference } from './difference.ts';

export const startDifferences: readonly Difference[] = [
  {
    opConductor:
      '--consensus.advertised without a port, or with the name of a service, is read as port 0 or that of the service',
    ours: 'it is refused; a port number is wanted',
    why: 'Nobody can reach port 0, and a service name is a mistake more often than not.',
    shownBy: 'one without a port number is refused: %s',
  },
  {
    opConductor: 'a warning when no address is advertised',
    ours: 'none: the bound address is told to the others, and one they could not reach stops the start',
    why: 'There is nothing left to warn of.',
    shownBy: 'the bound address is told to others only where they can reach it',
  },
  {
    opConductor: 'an IPv6 address to listen on needs brackets for raft and must not have them elsewhere',
    ours: 'it is taken with and without them everywhere',
    why: 'Both can mean one thing only.',
    shownBy: '%s, with or without brackets',
  },
  {
    opConductor: 'ws:// and wss:// are dialled for --node.rpc and --execution.rpc',
    ours: 'they are refused with a sentence that asks for the HTTP endpoint',
    why: 'Health probes need connections of their own with deadlines, and every node that serves one serves the other.',
    shownBy: '%s: a websocket is refused, naming what to give',
  },
  {
    opConductor: '--paused=tRUE and --log.format=JSON are refused for their letters',
    ours: 'booleans and choices are read in any case',
    why: 'They can mean one thing only.',
    shownBy: 'booleans and choices are read in any case',
  },
];
