/**
 * References of JSON-RPC methods from content/data/NAME-rpc.yaml: a heading per method, the call with curl and with
 * cast, and what comes back.
 */
import { readContentData, sourceNote, type Dated } from './content-data.ts';
import type { Generator } from './generator.ts';
import { code, fence } from './mdx-text.ts';

interface Method {
  readonly name: string;
  /** Markdown. */
  readonly text: string;
  readonly params?: readonly { readonly name: string; readonly text: string; readonly example: unknown }[];
  /** JSON of the result alone, as it is shown; `null` where nothing comes back. */
  readonly result: string;
}

interface Methods extends Dated {
  readonly url: string;
  readonly namespaces: readonly { readonly id: string; readonly methods: readonly Method[] }[];
}

/** Attribute `of`: the program; attribute `namespace`: which of its namespaces. */
export const rpcMethods: Generator = ({ of = '', namespace = '' }) => {
  if (!/^[a-z][a-z0-9-]*$/.test(of)) throw new Error('rpc/methods needs `of`, the name before -rpc.yaml');
  const data = readContentData<Methods>(`${of}-rpc.yaml`);
  const found = data.namespaces.find(({ id }) => id === namespace);
  if (found === undefined) throw new Error(`${of}-rpc.yaml has no namespace ${namespace}`);
  return [...found.methods.map((method) => describe(method, data.url)), sourceNote(data)].join('\n\n');
};

function describe({ name, text, params = [], result }: Method, url: string): string {
  const given = params.map((param) => `- ${code(param.name)}: ${param.text}`).join('\n');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: params.map(({ example }) => example) });
  const curl = `curl -sS -X POST -H "Content-Type: application/json" --data \\\n  '${body}' \\\n  ${url}`;
  const words = params.map(({ example }) => (typeof example === 'string' ? example : `'${JSON.stringify(example)}'`));
  const cast = ['cast rpc', name, ...words, '--rpc-url', url].join(' ');
  return [
    `### ${code(name)}`,
    text,
    ...(given === '' ? [] : [`Parameters, by position:\n\n${given}`]),
    `<Tabs sync="rpc-client">\n${tab('curl', curl)}\n${tab('cast', cast)}\n</Tabs>`,
    fence('json output', JSON.stringify(JSON.parse(result), null, 2)),
  ].join('\n\n');
}

function tab(label: string, command: string): string {
  return `<Tab label="${label}">\n\n${fence('sh', command)}\n\n</Tab>`;
}
