/** What readers type for the parameters of a method, as the JSON of a call; nothing is refused here: the server does that. */
export interface Parameter {
  readonly name: string;
  /** As the method table has it. */
  readonly type: string;
}

/** What a field begins with: something of the cluster in the page that makes sense. */
export function firstText({ name, type }: Parameter): string {
  if (name === 'id') return 's1';
  if (name === 'addr') return 's1:50050';
  if (type === 'bool') return 'true';
  if (type === 'block') return 'latest';
  if (type === 'quantity') return '0x0';
  if (name === 'number' && type === 'string') return '0x1';
  if (type === 'uint64') return '0';
  if (type === 'payload') return '{"executionPayload": {}}';
  return '';
}

/** The body that is posted, with the texts of the fields in their order. */
export function bodyOf(method: string, parameters: readonly Parameter[], texts: readonly string[]): string {
  const params = parameters.map((parameter, at) => valueOf(parameter, texts[at] ?? ''));
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** JSON where the type is one of JSON's and the text is written so; else the text, which the server then refuses. */
function valueOf({ type }: Parameter, text: string): unknown {
  if (!['bool', 'uint64', 'payload'].includes(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** As a command line, to the first conductor of `npm start` or one of the others. */
export function commandOf(client: 'curl' | 'cast', body: string, port: number): string {
  const url = `http://127.0.0.1:${port}`;
  if (client === 'curl')
    return `curl -sS -X POST -H "Content-Type: application/json" --data \\\n  '${quoted(body)}' \\\n  ${url}`;
  const { method, params } = JSON.parse(body) as { readonly method: string; readonly params: readonly unknown[] };
  const words = params.map((param) => wordOf(typeof param === 'string' ? param : JSON.stringify(param)));
  return ['cast rpc', method, ...words, '--rpc-url', url].join(' ');
}

/** In quotes where a shell would read anything else than what is there. */
function wordOf(text: string): string {
  return /^[\w.:@%+=/-]+$/.test(text) ? text : `'${quoted(text)}'`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** An answer with a line for every field. */
export function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
