/** The reference of JSON-RPC methods, from the conductor's own method table, with calls that were really made. */
import { asksWhoCalls, type MethodDefinition } from '#conductor/core/rpc/method';
import { methodTable, type MethodName } from '#conductor/core/rpc/methods';
import GithubSlugger from 'github-slugger';
import { example, givenSentences, methodNotes, type MethodExample } from './conductor-method-notes.ts';
import type { Generator } from './generator.ts';
import { conductorRoutes, relinked } from './conductor-reference-links.ts';
import { code, fence, prose, sentence, table } from './mdx-text.ts';
import { badgesOf } from './row-badges.ts';
import { resultFields } from './result-fields.ts';
import { outputFence } from './recorded-outputs.ts';

const PAGE = 'op-conductor';
/** JSON-RPC port of the first node of `npm start`; the others follow. */
const FIRST_PORT = 8547;
const commitMethod = 'conductor_commitUnsafePayload';
export const clients = ['curl', 'cast'] as const;
export type Client = (typeof clients)[number];

/** Methods in the order in which the page shows them. */
export const methodOrder: readonly MethodName[] = [
  ...new Set([...(Object.keys(methodNotes) as MethodName[]), ...methodTable.map(({ name }) => name)]),
];

const kinds: readonly (readonly [title: string, isOne: (method: MethodDefinition) => boolean])[] = [
  ['Change something', (method) => method.admin],
  ['Called by op-node', ({ name }) => ['conductor_leader', commitMethod].includes(name)],
  [
    'Read',
    ({ admin, proxy, name }) => !admin && proxy === undefined && name.startsWith('conductor_') && name !== commitMethod,
  ],
  ['Proxied, answered by the leader only', ({ proxy }) => proxy !== undefined],
  ['About the server', ({ admin, proxy, name }) => !admin && proxy === undefined && !name.startsWith('conductor_')],
];

/** One line per method, with the anchor under which it is linked; the name leads to the reference. */
export const conductorMethodTable: Generator = () => {
  const rows = kinds.flatMap(([title]) =>
    methodsOf(title).map((name) => [
      named(name),
      prose(sentence(definition(name).doc)),
      `[Run](${conductorRoutes.rpc}#${name}=run)`,
    ]),
  );
  return `<TableFilter label="Filter methods">\n\n${table(['Method', 'What it does', 'Try'], rows)}\n\n</TableFilter>`;
};

/** A heading per kind, and one per method with its parameters, its answer and its calls. */
export const conductorMethods: Generator = () => {
  const parts = kinds.flatMap(([title]) => [`### ${title}`, ...methodsOf(title).map((name) => describe(name))]);
  return relinked(parts.join('\n\n'), conductorRoutes.rpc);
};

/** The methods of a kind: those that no earlier kind has. */
function methodsOf(title: string): MethodName[] {
  const kindOf = (name: MethodName): string => kinds.find(([, isOne]) => isOne(definition(name)))?.[0] ?? '';
  return methodOrder.filter((name) => kindOf(name) === title);
}

/** The name by which the output of a call is recorded. */
export function callName(method: MethodName, at: number, client: Client): string {
  return `rpc/${method}/${at + 1}/${client}`;
}

function definition(name: MethodName): MethodDefinition {
  return methodTable.find((method) => method.name === name) as MethodDefinition;
}

function named(name: MethodName): string {
  const anchor = new GithubSlugger().slug(name);
  return `<span id="${anchor}">[${code(name)}](${conductorRoutes.rpc}#${anchor})</span>`;
}

function describe(name: MethodName): string {
  const method = definition(name);
  const { text = '', after = '' } = methodNotes[name] ?? {};
  const parts = [
    `#### ${code(name)}`,
    badgesOf({ name, isOwn: method.own !== undefined, ...(method.since === undefined ? {} : { since: method.since }) }),
    prose(method.doc),
    text,
    facts(method),
    // Above the calls, where whoever comes to the heading sees it, and not beside the next method's heading.
    runIt(method),
    tabs(name),
    after,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The method in the page; an address that ends in `#name=run`, as the table's links do, opens it at once. */
function runIt({ name, params, admin }: MethodDefinition): string {
  const parameters = JSON.stringify(params.map((param) => ({ name: param.name, type: param.type })));
  return `<Island name="RunMethod" start="Run it" fragment="${name}" method="${name}" parameters={${parameters}} admin={${admin}} />`;
}

function facts(method: MethodDefinition): string {
  const params = method.params.map((param) => {
    const fallback = param.fallback === undefined ? '' : ` Optional; ${code(String(param.fallback))} when left out.`;
    return [code(param.name), param.type, `${prose(sentence(param.doc))}${fallback}`];
  });
  const needs = [];
  if (method.admin) needs.push('[`--rpc.enable-admin`](#--rpcenable-admin)');
  if (method.proxy !== undefined) needs.push('[`--rpc.enable-proxy`](#--rpcenable-proxy)');
  if (asksWhoCalls(method)) needs.push('a token where [they are set](#who-may-call-admin-methods)');
  const badge = method.admin ? '**Admin method.** ' : '';
  const needed = needs.length === 0 ? '' : `${badge}Needs ${needs.join(' and ')}.`;
  const answers = `Answers ${code(method.result)}.`;
  const taken =
    params.length === 0 ? 'It takes no parameters.' : table(['Parameter, by position', 'Type', 'Meaning'], params);
  const parts = [needed, taken, answers, resultFields(method), errorsOf(method)];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The codes with which a call can fail; their page says what to do. */
function errorsOf(method: MethodDefinition): string {
  const { admin, proxy, params, answering } = method;
  const canFail = answering.kind === 'carriedOut' || answering.kind === 'proxied';
  const errors = [
    ...(canFail ? ['`-32000` with the reason'] : []),
    ...(admin || proxy !== undefined ? ['`-32601` without the flag'] : []),
    ...(params.length > 0 ? ['`-32602` for a wrong parameter'] : []),
    ...(asksWhoCalls(method) ? ['`-40100` without a token'] : []),
  ];
  return errors.length === 0 ? '' : `[Errors](/conductor/runbooks/errors#json-rpc-codes): ${errors.join(', ')}.`;
}

/** The calls that the page shows of a method; where its note has none, one with the example of the table. */
export function examplesOf(name: MethodName): readonly MethodExample[] {
  return methodNotes[name]?.examples ?? [example(definition(name).params.map((param) => param.example))];
}

function tabs(name: MethodName): string {
  const panels = clients.map((client) => {
    const calls = examplesOf(name).map((one, at) => call(name, one, { at, client }));
    return `<Tab label="${client}">\n\n${calls.join('\n\n')}\n\n</Tab>`;
  });
  return `<Tabs sync="rpc-client">\n${panels.join('\n')}\n</Tabs>`;
}

function call(
  name: MethodName,
  one: MethodExample,
  { at, client }: { readonly at: number; readonly client: Client },
): string {
  const recorded = callName(name, at, client);
  const command = one.command?.[client] ?? commandOf(name, one, client);
  const lead = one.says === '' ? givenSentences[one.given] : one.says;
  const blocks = [fence(`sh run="${recorded}"`, command), outputFence(PAGE, recorded)];
  return [lead, ...blocks].filter((part) => part !== '').join('\n\n');
}

function commandOf(method: MethodName, { params, node, filter = '' }: MethodExample, client: Client): string {
  const url = `http://127.0.0.1:${FIRST_PORT + node - 1}`;
  if (client === 'cast') {
    const words = ['cast rpc', method, ...params.map(String), '--rpc-url', url];
    return `${words.join(' ')}${filter}`;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return `curl -sS -X POST -H "Content-Type: application/json" --data \\\n  '${body}' \\\n  ${url}${filter}`;
}
