/**
 * Serves profiles over HTTP at the paths where Go programs have them. Heap snapshots hold whatever is in
 * memory and stop the process for a while, so they are made only for this machine and not on a leader. Web pages have none.
 */
import { Hono } from 'hono';
import { headersOf, pageDetector } from '../auth/web-page.ts';
import { listenHttp, pathOf, type HttpEnv } from '../http/server.ts';
import { UnreadAnswers } from '../http/unread-answers.ts';
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
/** Memory for profiles that nobody reads, in bytes; one alone may be larger. */
const unreadBytesMax = 32 * 1024 * 1024;
const guide = `conductor profiles:
  /debug/pprof/profile?seconds=N  CPU profile of N seconds (1 to ${cpuProfileMsMax / 1000}, default ${defaultSeconds}); save as x.cpuprofile
  /debug/pprof/heap               heap snapshot; save as x.heapsnapshot
Open them in the developer tools of a browser. One at a time.
`;

/** Throws when the address is taken. */
export function serveProfiles(options: ProfileServerOptions): { readonly port: number; stop(): Promise<void> } {
  const answers = new UnreadAnswers({
    bytesMax: unreadBytesMax,
    now: () => performance.now(),
    shed: () => undefined,
  });
  const server = listenHttp({ ...options, app: profileApp(options, answers), headRefused: () => undefined });
  return {
    port: server.port,
    stop: async () => {
      await server.stop(0);
      answers.close();
    },
  };
}

function profileApp(options: ProfileServerOptions, answers: UnreadAnswers): Hono<HttpEnv> {
  const { profiler, isLocal, isLeading } = options;
  const app = new Hono<HttpEnv>({ getPath: pathOf });
  const pageSign = pageDetector(options.hostname);
  app.use(({ req }, next) => {
    const sign = pageSign(headersOf(req.raw));
    return sign === null ? next() : Promise.resolve(plain(403, `profiles are not for web pages: ${sign}\n`));
  });
  app.use(({ req }, next) =>
    req.raw.method === 'GET' ? next() : Promise.resolve(plain(405, 'only GET is answered\n')),
  );
  for (const path of ['/', '/debug/pprof', '/debug/pprof/']) app.get(path, () => plain(200, guide));
  app.get('/debug/pprof/profile', async ({ req }) => {
    const seconds = Number(req.query('seconds') ?? defaultSeconds);
    if (!(seconds >= 1 && seconds <= cpuProfileMsMax / 1000))
      return plain(400, `seconds must be 1 to ${cpuProfileMsMax / 1000}\n`);
    return download(await profiler.cpu(seconds * 1000, req.raw.signal), 'conductor.cpuprofile', answers);
  });
  app.get('/debug/pprof/heap', async () => {
    if (!isLocal)
      return plain(403, 'heap snapshots hold secrets: they are made only where --pprof.addr is a loopback address\n');
    if (isLeading())
      return plain(409, 'this conductor leads, and a heap snapshot would stop it: transfer leadership first\n');
    return download(await profiler.heap(), 'conductor.heapsnapshot', answers);
  });
  app.notFound(() => plain(404, guide));
  return app;
}

function download(profile: Profile, name: string, answers: UnreadAnswers): Response {
  if (profile.kind === 'busy') return plain(409, 'another profile is being made: try again later\n');
  if (profile.kind === 'heap-too-large')
    return plain(
      409,
      `the heap is larger than ${heapBytesMax / 1024 / 1024} MiB: a snapshot would stop this conductor for seconds\n`,
    );
  return new Response(answers.body(profile.text), {
    headers: { 'Content-Type': 'application/json', 'Content-Disposition': `attachment; filename="${name}"` },
  });
}

function plain(status: number, text: string): Response {
  return new Response(text, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}
