/**
 * What the mutants have to cover: the rules of safety and liveness and the known failures of the service we replace,
 * and which of them no run can show, because what they speak of is not part of the simulated world.
 */

/** The rules that are kept, by number. */
const rules: readonly number[] = [...Array.from({ length: 27 }, (_, at) => at + 1), 31, 32];

/** Known failures: each is put back as a policy mutant. */
const failures: readonly string[] = [
  'two-behind',
  'ping-pong',
  'waits-for-ever',
  'two-active',
  'one-block-reorg',
  'armed-timer',
  'stop-hangs',
  'nil-snapshot',
  'lost-vote',
  'unprovisioned',
  'same-height',
  'chain-regression',
  'stale-health',
  'restart-paused',
  'stall-bounce',
  'two-lost',
  'post-then-start',
  'disk-full',
  'body-limit',
  'no-hand-over',
  'membership-race',
];

/** Subject → why no run can show it. They have mutants in mutants/by-test, where tests of their own catch them. */
export const unseen: Readonly<Record<string, string>> = {
  'rule 8': 'the files of the service we replace are read by the adapters, before there is a conductor',
  'rule 23': 'which methods are open is decided by the HTTP server, before a call reaches the conductor',
  'rule 26': 'flashblocks are passed on by the adapters; the world has none',
  'body-limit': 'sizes of requests are bounded by the HTTP server',
  'restart-paused': 'a flag of the command line, and documented behaviour that is kept',
};

/** Everything that needs a mutant; failures need a policy mutant. */
export const visibleRules = rules.map((rule) => `rule ${rule}`).filter((rule) => unseen[rule] === undefined);
export const visibleFailures = failures.filter((failure) => unseen[failure] === undefined);
