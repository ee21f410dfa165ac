/** Deliberate differences from op-conductor of starts; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';

export const startDifferences: readonly Difference[] = [
  {
    opConductor:
      '--consensus.advertised without a port, or with the name of a service, is read as port 0 or that of the service',
    ours: 'it is refused; a port number is required',
    why: 'Nobody can reach port 0, and a service name is usually a mistake.',
    shownBy: 'one without a port number is refused: %s',
  },
  {
    opConductor: 'a warning when no address is advertised',
    ours: 'none: the others get the bound address, and if they could not reach it, the start fails',
    why: 'A warning is no longer needed.',
    shownBy: 'the bound address is told to others only where they can reach it',
  },
  {
    opConductor: 'an IPv6 address to listen on needs brackets for raft and must not have them elsewhere',
    ours: 'it is accepted with and without brackets everywhere',
    why: 'Both forms have only one possible meaning.',
    shownBy: '%s, with or without brackets',
  },
  {
    opConductor:
      'ws://, wss:// and the path of an IPC socket are accepted for --node.rpc, --execution.rpc and --healthcheck.execution-p2p-rpc-url',
    ours: 'they are refused; the error asks for the HTTP endpoint',
    why: 'Health probes need connections of their own with deadlines, and every node that serves one serves the other.',
    shownBy: '%s: a websocket is refused, naming what to give',
  },
  {
    opConductor: '--paused=tRUE and --log.format=JSON are refused because of upper and lower case',
    ours: 'booleans and choices are accepted in upper and lower case',
    why: 'They have only one possible meaning.',
    shownBy: 'booleans and choices are read in any case',
  },
];
