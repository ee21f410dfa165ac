/** op-conductor's flags of what a process says of itself: log lines, metrics, profiles. */
import { boolFlag, intFlag, textFlag, type FlagDefinition } from './definition.ts';

export const telemetryFlags = [
  {
    ...textFlag('log.level', 'INFO', 'Logging', 'trace, debug, info, warn, error or crit, in any case'),
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'crit'],
    aliases: { trce: 'trace', dbug: 'debug', eror: 'error' },
  },
  {
    ...textFlag('log.format', 'text', 'Logging', 'text, terminal, logfmt, logfmtms, json or jsonms'),
    choices: ['text', 'terminal', 'logfmt', 'logfmtms', 'json', 'jsonms'],
  },
  boolFlag('log.color', 'false', 'Logging', 'colours in terminal format'),
  boolFlag('log.pid', 'false', 'Logging', 'add the process id to every line'),
  boolFlag('metrics.enabled', 'false', 'Metrics', 'serve Prometheus metrics'),
  textFlag('metrics.addr', '0.0.0.0', 'Metrics', 'host of the metrics server'),
  intFlag('metrics.port', '7300', 'Metrics', 'port of the metrics server'),
  boolFlag(
    'pprof.enabled',
    'false',
    'Profiling',
    'serve CPU profiles and heap snapshots for developer tools (op-conductor serves none)',
  ),
  textFlag(
    'pprof.addr',
    '0.0.0.0',
    'Profiling',
    'host of the profile server; heap snapshots only on a loopback address',
  ),
  intFlag('pprof.port', '6060', 'Profiling', 'port of the profile server'),
  textFlag('pprof.path', '', 'Profiling', 'file or folder to write the profile of pprof.type into'),
  {
    ...textFlag(
      'pprof.type',
      '',
      'Profiling',
      'profile to write: cpu (of the first minute) or heap (at the end); those of Go are not written',
    ),
    choices: ['cpu', 'heap', 'goroutine', 'threadcreate', 'block', 'mutex', 'allocs'],
  },
] as const satisfies readonly FlagDefinition[];
