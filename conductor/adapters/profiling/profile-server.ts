/**
 * Serves profiles over HTTP at the paths where Go programs have them. Heap snapshots hold whatever is in
 * memory and stop the process for a while, so they are made only for this machine and not on a leader.
 */
import { cpuProfileMsMax, heapBytesMax, type Profile, type Profiler } from './profiler.ts';

export interface ProfileServerOptions {
  readonly hostname: string;
  readonly port: number;
  readonly profiler: Profiler;
  /** Whether only this machine reaches the address. */
  readonly isLocal: boolean;
  /** Whether a stop of some hundred milliseconds would cost the cluster its leader. */
  readonly isLeading: () => boolean;
}

const defaultSeconds = 10;
/** Beyond the longest profile, so that the connection of one under way is not idle. */
const idleTimeoutSeconds = cpuProfileMsMax / 1000 + 30;
const guide = `conductor profiles:
  /debug/pprof/profile?seconds=N  CPU profile of N seconds (1 to ${cpuProfileMsMax / 1000}, default ${defaultSeconds}); save as x.cpuprofile
  /debug/pprof/heap               heap snapshot; save as x.heapsnapshot
Open them in the developer tools of a browser. One at a time.
`;

/** Throws when the address is taken. */
export function serveProfiles(options: ProfileServerOptions): { readonly port: number; stop(): Promise<void> } {
  const { hostname, port } = options;
  const server = Bun.serve({
    hostname,
    port,
    idleTimeout: idleTimeoutSeconds,
    maxRequestBodySize: 1024,
    fetch: (request) => answer(options, request),
  });
  return { port: server.port ?? port, stop: () => server.stop(true) };
}

async function answer(options: ProfileServerOptions, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET') return plain(405, 'only GET is answered\n');
  switch (pathname) {
    case '/':
    case '/debug/pprof':
    case '/debug/pprof/':
      return plain(200, guide);
    case '/debug/pprof/profile': {
      const seconds = Number(searchParams.get('seconds') ?? defaultSeconds);
      if (!(seconds >= 1 && seconds <= cpuProfileMsMax / 1000))
        return plain(400, `seconds must be 1 to ${cpuProfileMsMax / 1000}\n`);
      return download(await options.profiler.cpu(seconds * 1000, request.signal), 'conductor.cpuprofile');
    }
    case '/debug/pprof/heap':
      if (!options.isLocal)
        return plain(403, 'heap snapshots hold secrets: they are made only where --pprof.addr is a loopback address\n');
      if (options.isLeading())
        return plain(409, 'this conductor leads, and a heap snapshot would stop it: transfer leadership first\n');
      return download(await options.profiler.heap(), 'conductor.heapsnapshot');
    default:
      return plain(404, guide);
  }
}

function download(profile: Profile, name: string): Response {
  if (profile.kind === 'busy') return plain(409, 'another profile is being made: try again later\n');
  if (profile.kind === 'heap-too-large')
    return plain(
      409,
      `the heap is larger than ${heapBytesMax / 1024 / 1024} MiB: a snapshot would stop this conductor for seconds\n`,
    );
  return new Response(profile.text, {
    headers: { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` },
  });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
