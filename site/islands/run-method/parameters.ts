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

/** An answer with a line for every field. */
export function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
