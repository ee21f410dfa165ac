/**
 * The pprof flags: a server of profiles, and one profile written to a file. What Go's runtime can profile
 * and Bun's cannot gets a warning, so that nobody waits for a file that never comes; op-conductor writes none at all.
 */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback } from '#conductor/adapters/system/loopback';
import { serveProfiles } from '#conductor/adapters/profiling/profile-server';
import { cpuProfileMsMax, Profiler, type Profile } from '#conductor/adapters/profiling/profiler';
import { messageOf } from '#conductor/core/errors';
import type { Logger } from '#conductor/core/ports';
import { bind } from './bind.ts';
import type { ParsedFlags } from '#conductor/cli/flags-parse';
import { listenHostname } from './settings/listen-address.ts';

export interface ProfilingConfig {
  /** null: no server. */
  readonly listen: { readonly hostname: string; readonly port: number } | null;
  /** null: no file. */
  readonly file: { readonly type: 'cpu' | 'heap'; readonly path: string } | null;
  /** Why none is written though a type is given; '' otherwise. */
  readonly whyNoFile: string;
}

const fileNames = { cpu: 'conductor.cpuprofile', heap: 'conductor.heapsnapshot' } as const;

/** The port is checked elsewhere. */
export function profilingConfig(values: ParsedFlags['values']): ProfilingConfig {
  const type = values['pprof.type'] as string;
  const path = values['pprof.path'] as string;
  const made = type === 'cpu' || type === 'heap' ? type : null;
  const file: ProfilingConfig['file'] = made === null || path === '' ? null : { type: made, path };
  return {
    listen: values['pprof.enabled']
      ? { hostname: listenHostname(values['pprof.addr'] as string), port: values['pprof.port'] as number }
      : null,
    file,
    whyNoFile: type === '' || file !== null ? '' : whyNotWritten(type, made !== null),
  };
}

function whyNotWritten(type: string, isMade: boolean): string {
  if (isMade) return '--pprof.type needs --pprof.path, the file to write';
  return `--pprof.type=${type} is a profile of Go's runtime, which is not here: cpu and heap are written`;
}

/** Starts what is configured; throws StartupError when the port is taken. `stop` writes the file, if one is due. */
export function startProfiling(
  { listen, file, whyNoFile }: ProfilingConfig,
  { logger, isLeading }: { readonly logger: Logger; readonly isLeading: () => boolean },
): { stop(): Promise<void> } {
  if (whyNoFile !== '') logger.log('warn', 'no profile is written', { reason: whyNoFile });
  const profiler = new Profiler();
  const ending = new AbortController();
  const server =
    listen === null
      ? null
      : bind(`${listen.hostname}:${listen.port}`, 'pprof', () =>
          serveProfiles({ ...listen, profiler, isLocal: isLoopback(listen.hostname), isLeading }),
        );
  if (server !== null && listen !== null) {
    logger.log('info', 'Started pprof server', { addr: `${listen.hostname}:${server.port}` });
    if (!isLoopback(listen.hostname))
      logger.log(
        'warn',
        'whoever reaches the pprof address can slow this conductor down; bind --pprof.addr to loopback',
      );
  }
  const recorded = file?.type === 'cpu' ? profiler.cpu(cpuProfileMsMax, ending.signal) : null;
  const written = recorded === null || file === null ? null : recorded.then((profile) => write(file, profile, logger));
  return {
    stop: async () => {
      ending.abort();
      await written;
      await server?.stop();
      if (file?.type === 'heap') write(file, await profiler.heap(), logger);
    },
  };
}

/** Into the file, or into one named after what it is where the path is a folder. A failure is logged. */
function write({ type, path }: NonNullable<ProfilingConfig['file']>, profile: Profile, logger: Logger): void {
  try {
    if (profile.kind !== 'made') throw new Error(`it could not be made: ${profile.kind}`);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const file = isFolder ? join(path, fileNames[type]) : path;
    writeFileSync(file, profile.text, { mode: 0o600 });
    logger.log('info', 'wrote a profile', { type, file });
  } catch (thrown) {
    logger.log('error', 'a profile was not written', { type, path, err: messageOf(thrown) });
  }
}
