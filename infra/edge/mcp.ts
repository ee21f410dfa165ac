/**
 * The Model Context Protocol over streamable HTTP, without state: each POST holds one JSON-RPC message and is answered by
 * itself. Clients of the stateless revision (2026-07-28) say in each request which revision they speak, in its metadata
 * and again in headers that have to agree; clients of those before it begin with `initialize`, and keep no session here.
 */
import type { Tool } from './mcp-tools.ts';

const STATELESS = ['2026-07-28'];
/** Newest first. */
const WITH_HANDSHAKE = ['2025-11-25', '2025-06-18'];
const META_VERSION = 'io.modelcontextprotocol/protocolVersion';
const META_SERVER = 'io.modelcontextprotocol/serverInfo';
/** What is listed changes with a release of the site. */
const LIST_TTL_MS = 3_600_000;

const CODES = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type Json = Readonly<Record<string, unknown>>;

interface Message {
  /** undefined for a notification. */
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Json;
}

export interface Server {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** What ends a request; `status` is that of HTTP. */
class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly status: number;
  readonly data: Json | undefined;

  constructor(code: number, message: string, { status = 400, data }: { status?: number; data?: Json } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

/** Answers a POST, whose body is bounded by whoever calls. */
export async function answerMcp(request: Request, server: Server): Promise<Response> {
  let id: string | number | null = null;
  try {
    checkSender(request);
    const message = readMessage(await request.text());
    if (message.id === undefined) return new Response(null, { status: 202 });
    id = message.id;
    const isStateless = readEra(message, request.headers);
    const result = await resultOf(message, server, isStateless);
    return json(200, { jsonrpc: '2.0', id, result });
  } catch (error) {
    if (!(error instanceof Refusal)) console.error(error);
    const { code, message, status, data } =
      error instanceof Refusal ? error : new Refusal(CODES.internal, 'The site cannot be read now.', { status: 500 });
    return json(status, { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }
}

/** Pages of other sites have no business here, and a name that was made to lead here is one of those. */
function checkSender({ url, headers }: Request): void {
  const origin = headers.get('Origin');
  if (origin !== null && origin !== new URL(url).origin)
    throw new Refusal(CODES.invalidRequest, `Requests of pages of ${origin} are refused.`, { status: 403 });
  if (!/^application\/json\b/i.test(headers.get('Content-Type') ?? ''))
    throw new Refusal(CODES.invalidRequest, 'The body must be application/json.', { status: 415 });
}

function readMessage(text: string): Message {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new Refusal(CODES.parse, 'The body is not JSON.');
  }
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    throw new Refusal(CODES.invalidRequest, 'The body must be one JSON-RPC 2.0 request or notification.');
  const { id, method, params = {} } = message;
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw new Refusal(CODES.invalidRequest, 'The id of a request is a string or a number.');
  if (!isObject(params)) throw new Refusal(CODES.invalidParams, 'params must be an object.');
  return { id, method, params };
}

/** Whether the request is of a stateless revision; throws where what it says of itself does not agree. */
function readEra({ method, params }: Message, headers: Headers): boolean {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const said = meta[META_VERSION];
  const header = headers.get('MCP-Protocol-Version');
  if (said === undefined && (header === null || WITH_HANDSHAKE.includes(header))) return false;
  const version = said ?? header;
  if (typeof version !== 'string' || !STATELESS.includes(version)) {
    const data = { supported: [...STATELESS, ...WITH_HANDSHAKE], requested: version };
    throw new Refusal(CODES.unsupportedVersion, 'This revision of the protocol is not spoken here.', { data });
  }
  if (said === undefined) throw new Refusal(CODES.invalidParams, `params._meta lacks ${META_VERSION}.`);
  requireHeader('MCP-Protocol-Version', header, said);
  requireHeader('Mcp-Method', headers.get('Mcp-Method'), method);
  if (method === 'tools/call') requireHeader('Mcp-Name', headers.get('Mcp-Name'), params['name']);
  return true;
}

function requireHeader(name: string, value: string | null, said: unknown): void {
  if (value !== said) throw new Refusal(CODES.headerMismatch, `The header ${name} does not say what the body says.`);
}

async function resultOf(message: Message, server: Server, isStateless: boolean): Promise<Json> {
  const { name, version, instructions } = server;
  const serverInfo = { name, version };
  const capabilities = { tools: {} };
  const shared = isStateless ? { resultType: 'complete', _meta: { [META_SERVER]: serverInfo } } : {};
  const kept = isStateless ? { ...shared, ttlMs: LIST_TTL_MS, cacheScope: 'public' } : {};
  switch (message.method) {
    case 'server/discover':
      if (!isStateless) break;
      return { ...kept, supportedVersions: [...STATELESS, ...WITH_HANDSHAKE], capabilities, serverInfo, instructions };
    case 'initialize': {
      if (isStateless) break;
      const asked = message.params['protocolVersion'];
      const protocolVersion = WITH_HANDSHAKE.find((one) => one === asked) ?? WITH_HANDSHAKE[0];
      return { protocolVersion, capabilities, serverInfo, instructions };
    }
    case 'ping':
      if (isStateless) break;
      return {};
    case 'tools/list':
      return { ...kept, tools: server.tools.map((tool) => ({ ...tool, call: undefined })) };
    case 'tools/call':
      return { ...shared, ...(await callTool(message.params, server)) };
  }
  throw new Refusal(CODES.unknownMethod, `There is no method ${message.method.slice(0, 100)}.`, {
    status: isStateless ? 404 : 200,
  });
}

async function callTool({ name, arguments: given = {} }: Json, { tools }: Server): Promise<Json> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined)
    throw new Refusal(
      CODES.invalidParams,
      `There is no such tool; there are ${tools.map((one) => one.name).join(', ')}.`,
    );
  if (!isObject(given)) throw new Refusal(CODES.invalidParams, 'The arguments of a tool are an object.');
  return { ...(await tool.call(given)) };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function json(status: number, body: Json): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } });
}
