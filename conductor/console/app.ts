/** The console as a Hono app: the page, its data, its stream, and what stands before all of them. */
import { Hono, type Context } from 'hono';
import type { HttpEnv } from '#conductor/adapters/http/server';
import type { Access, ProvedSession } from './access.ts';
import { actForms, readActRequest } from './act-commands.ts';
import type { Audit, Watches } from './watches.ts';
import type { ConsolePack, PageFile } from './page-files.ts';
import type { PageStreams } from './page-stream.ts';

interface ConsoleEnv extends HttpEnv {
  Variables: { session: ProvedSession };
}

export interface ConsoleAppOptions {
  readonly access: Access;
  readonly pack: ConsolePack;
  readonly watches: Watches;
  readonly streams: PageStreams;
  readonly version: string;
  /** Whether clusters may be changed from the page. */
  readonly mayChange: boolean;
  readonly audit: Audit;
}

/** Times that a Date can have, Unix milliseconds. */
const timeMsMax = 8.64e15;
/** Longest body of a request, bytes, and longest silence of an alarm, hours. */
const bodyLengthMax = 4096;
const silenceHoursMax = 24 * 7;

const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Everything the console answers, below the root; a proxy may put a path before it. */
export function consoleApp(options: ConsoleAppOptions): Hono<ConsoleEnv> {
  const { access, pack, watches } = options;
  const app = new Hono<ConsoleEnv>();
  app.onError(() => answer(500, 'internal error\n'));
  app.get('/healthz', () => answer(200, `${JSON.stringify({ version: options.version })}\n`));
  app.use(async ({ req: { raw } }, next) => {
    const why = access.refusal(raw);
    if (why !== null) return answer(403, `refused: ${why}\n`);
    return isShort(raw) ? next() : answer(413, `a body has a length here, of at most ${bodyLengthMax} bytes\n`);
  });
  app.get('/enter/:token', ({ req }) => enter(access, req.param('token')));
  app.post('/enter', async ({ req }) => {
    const form = new URLSearchParams((await req.text()).slice(0, bodyLengthMax));
    return enter(access, form.get('token') ?? '');
  });
  app.route('/api', api(options));
  app.get('/metrics', () => answer(200, metricsText(watches, options.streams)));
  app.get('/*', ({ req }) => {
    const path = req.path.slice(1);
    const file = pack.files.get(path === '' ? 'index.html' : path);
    if (file === undefined) return answer(404, 'there is no such page\n');
    const cookie = path === '' ? access.look(req.raw.headers) : null;
    return fileAnswer(file, req.raw.headers, cookie === null ? {} : { 'Set-Cookie': cookie });
  });
  app.notFound(() => answer(404, 'there is no such page\n'));
  return app;
}

/** What only a session may ask. */
function api({ access, watches, streams, version, pack, mayChange, audit }: ConsoleAppOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  app.use(async (context, next) => {
    const { headers, method } = context.req.raw;
    const session = access.session(headers);
    if (session === null) return answer(401, 'no session: use the link that the console printed, or a token\n');
    if (method !== 'GET' && !access.isProved(headers, session)) return answer(403, 'the request brings no proof\n');
    context.set('session', session);
    return next();
  });
  app.get('/session', (context) =>
    json({ ...context.get('session'), version, mayAct: mayChange && context.get('session').name !== '' }),
  );
  app.get('/clusters', () => json(watches.clusters()));
  app.get('/stream', ({ env, req }) => {
    env.timeout(req.raw, 0);
    const own = new Headers({ cookie: req.raw.headers.get('cookie') ?? '' });
    return streams.answer(() => access.session(own) !== null);
  });
  app.get('/clusters/:name/window', ({ req }) => {
    const [fromMs, toMs] = [Number(req.query('from')), Number(req.query('to'))];
    const isStretch = Math.abs(fromMs) <= timeMsMax && Math.abs(toMs) <= timeMsMax && fromMs < toMs;
    const found = isStretch ? watches.window(req.param('name'), fromMs, toMs) : null;
    return found === null ? answer(404, 'there is no such stretch of a cluster\n') : json(found);
  });
  app.get('/clusters/:name/failovers', ({ req }) => {
    const found = watches.failovers(req.param('name'));
    return found === null ? answer(404, 'there is no such cluster\n') : json(found);
  });
  app.post('/clusters/:name/silences', async (context) => silence(context, watches, audit));
  app.get('/forms', () => json(mayChange ? actForms() : []));
  app.use('/clusters/:name/:kind{plans|acts|interrupts}', async (context, next) => {
    if (!mayChange) return answer(403, 'this console changes nothing: it was started without --allow-changes\n');
    return context.get('session').name === '' ? answer(403, 'nobody knows who you are\n') : next();
  });
  app.post('/clusters/:name/plans', async ({ req }) => {
    const request = readActRequest(objectOf((await req.text()).slice(0, bodyLengthMax)));
    const plan = request === null ? null : await watches.plan(req.param('name'), request);
    return plan === null ? answer(400, 'this cannot be planned\n') : json(plan);
  });
  app.post('/clusters/:name/acts', async (context) => {
    const { req } = context;
    const request = readActRequest(objectOf((await req.text()).slice(0, bodyLengthMax)));
    if (request === null) return answer(400, 'this cannot be done from here\n');
    const why = watches.act(req.param('name'), request, context.get('session').name);
    return why === null ? new Response(null, { status: 202, headers: pageHeaders }) : answer(409, `${why}\n`);
  });
  app.post('/clusters/:name/interrupts', (context) => {
    const isDone = watches.interrupt(context.req.param('name'), context.get('session').name);
    return isDone ? new Response(null, { status: 202, headers: pageHeaders }) : answer(409, 'nothing is under way\n');
  });
  app.get('/runbook/:code', ({ req }) => {
    const code = req.param('code');
    const text = Object.hasOwn(pack.runbook, code) ? pack.runbook[code] : undefined;
    return text === undefined ? answer(404, 'the runbook has no such section\n') : json({ text });
  });
  app.post('/leave', ({ req }) => {
    const headers = { ...pageHeaders, 'Set-Cookie': access.leave(req.raw.headers) };
    return new Response(null, { status: 204, headers });
  });
  return app;
}

async function silence(
  context: Context<ConsoleEnv, '/clusters/:name/silences'>,
  watches: Watches,
  audit: ConsoleAppOptions['audit'],
): Promise<Response> {
  const { req } = context;
  const text = await req.text();
  const body = text.length > bodyLengthMax ? {} : objectOf(text);
  const { text: trouble, reason, hours } = body;
  const isWhole =
    typeof trouble === 'string' && typeof reason === 'string' && reason.trim() !== '' && typeof hours === 'number';
  if (!isWhole || !(hours > 0 && hours <= silenceHoursMax))
    return answer(400, `an alarm is silenced with a reason, for at most ${silenceHoursMax} hours\n`);
  const { name } = context.get('session');
  if (name === '') return answer(403, 'nobody knows who you are\n');
  const isKnown = watches.silence(req.param('name'), { text: trouble, reason: reason.trim(), name, hours });
  if (!isKnown) return answer(404, 'there is no such cluster\n');
  audit('alarm silenced', { cluster: req.param('name'), alarm: trouble, reason: reason.trim(), hours, as: name });
  return new Response(null, { status: 204, headers: pageHeaders });
}

/** Nobody is known yet: what is read is bounded before it is read. */
function isShort({ method, headers }: Request): boolean {
  const length = headers.get('content-length');
  if (method === 'GET' || method === 'HEAD') return length === null || length === '0';
  return length !== null && Number(length) <= bodyLengthMax;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function enter(access: Access, token: string): Response {
  const cookie = access.enter(token);
  if (cookie === null)
    return answer(
      403,
      'this link or token does not open the console: each link works once, the console prints the next\n',
    );
  return new Response(null, {
    status: 303,
    headers: { ...pageHeaders, Location: access.prefix, 'Set-Cookie': cookie },
  });
}

function fileAnswer(
  { type, gzip, isHashed }: PageFile,
  headers: Headers,
  more: Readonly<Record<string, string>>,
): Response {
  const isGzip = /\bgzip\b/.test(headers.get('accept-encoding') ?? '');
  const cached = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
  const common = { ...pageHeaders, 'Content-Type': type, 'Cache-Control': cached, Vary: 'Accept-Encoding', ...more };
  if (isGzip) return new Response(gzip, { headers: { ...common, 'Content-Encoding': 'gzip' } });
  return new Response(Bun.gunzipSync(gzip), { headers: common });
}

function json(value: unknown): Response {
  const headers = { ...pageHeaders, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(value), { headers });
}

function answer(status: number, text: string): Response {
  const headers = { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return new Response(text, { status, headers });
}

function metricsText(watches: Watches, streams: PageStreams): string {
  const { clusters, servers, streamed, bytes } = watches.counts();
  const rows: readonly (readonly [string, string, number])[] = [
    ['clusters', 'Clusters that are watched', clusters],
    ['servers', 'Servers that are watched', servers],
    ['servers_streamed', 'Servers of which the events are followed', streamed],
    ['pages', 'Pages that follow the stream', streams.size],
    ['history_bytes', 'Size of the history', bytes],
    ['resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()],
  ];
  return rows
    .map(
      ([name, help, value]) =>
        `# HELP conductor_console_${name} ${help}\n# TYPE conductor_console_${name} gauge\nconductor_console_${name} ${value}\n`,
    )
    .join('');
}
