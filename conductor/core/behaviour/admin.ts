/** Deliberate differences from op-conductor of methods that change something; behaviour-differences.ts says what a row is. */
import type { Difference } from '../difference.ts';

export const adminDifferences: readonly Difference[] = [
  {
    opConductor: '--rpc.enable-admin is read and ignored: admin methods are always open',
    ours: 'without it they answer -32601 with a sentence that names the flag; --rpc.admin-compat restores what op-conductor does',
    why: 'Everybody who reaches the port could stop a sequencer (rule 23).',
    shownBy:
      'rule 23: without --rpc.enable-admin exactly the admin methods are closed, with a sentence that names the flag',
  },
  {
    opConductor: 'callers are not authenticated',
    ours: 'with --rpc.auth.* admin methods and the proxied miner_setMaxDASize need a token or a JWT, or answer 401 and -40100',
    why: 'In a network that is not private, one flag for everybody is not enough. Off by default.',
    shownBy: 'is asked by exactly the admin methods and the proxied one that changes something',
  },
  {
    opConductor: 'a web page of any origin may call admin methods of a server that its browser reaches',
    ours: 'refused with 401 and -40100 if the request has an Origin header or the Sec-Fetch-Site of another site, or, on a loopback listener, is for a host that is not this machine, unless it has a valid token or JWT',
    why: "An operator's browser reaches loopback, so any page it shows could stop a sequencer.",
    shownBy: 'a web page cannot call admin methods: %s',
  },
  {
    opConductor: 'after conductor_stop the process stays alive, and does nothing',
    ours: 'it transfers leadership, stops its sequencer, and ends with exit code 0',
    why: 'A process that does nothing looks alive. A supervisor that starts it again, as Kubernetes does, undoes the stop: pause it or scale it down instead.',
    shownBy: 'conductor_stop answers when stopped, then the process ends',
  },
];
